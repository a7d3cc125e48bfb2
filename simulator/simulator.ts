import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ADMIN_ROOT, createAdminApi } from './admin/admin-api.ts';
import { createAuthority } from './authority.ts';
import { atOnce, type Delivery, deliver } from './failures/delivery.ts';
import { createFaults } from './failures/faults.ts';
import { createOutage, OUTAGE_DELIVERIES } from './failures/outage.ts';
import { guarded } from './guarded.ts';
import { NOT_FOUND } from './http-answer.ts';
import { QUERY_API_ROOT } from './query/query-api.ts';
import { type ReceivedRequest, receive } from './received-request.ts';
import { RECEIVER_ROOT } from './receiver/receiver-api.ts';
import { PERIODS, type SimulatorOptions } from './simulator-options.ts';
import { enrolCompanies, enrolFixtures } from './state/enrol.ts';
import { openState, type State } from './state/state.ts';

export type { SimulatorOptions } from './simulator-options.ts';

export type Simulator = {
  /** Root of the query API; its services are at `<url>/api/v1/…`. */
  readonly url: string;
  /** Root of the document receiver. */
  readonly receiverUrl: string;
  /** Where QR codes lead: `<portalUrl>/euid/<euid>`. */
  readonly portalUrl: string;
  /** The simulator's own levers, for this machine only; no part of the authority. */
  readonly adminUrl: string;
  readonly close: () => Promise<void>;
};

const LOOPBACK = /^(?:::1|(?:::ffff:)?127\.\d+\.\d+\.\d+)$/u;
/** Longer than any client keeps an idle connection, so that none is closed under a request on its way. */
const KEEP_ALIVE_MS = 120_000;

/** The tax authority as a program of its own; knows nothing of the service that calls it. */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  const state = openState(options.stateFile ?? null);
  let origin = '';
  try {
    enrolFixtures(state);
    enrol(state, options);
    const handle = createHandler(state, options, () => origin);
    const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
      void handle(request, response);
    });
    origin = await listen(server, options);
    return {
      url: `${origin}${QUERY_API_ROOT}`,
      receiverUrl: `${origin}${RECEIVER_ROOT}`,
      portalUrl: origin,
      adminUrl: `${origin}${ADMIN_ROOT.slice(0, -1)}`,
      close: () => close(server, state),
    };
  } catch (error) {
    state.close();
    throw error;
  }
}

function enrol(state: State, { companies = [], users = [], certificates = [] }: SimulatorOptions): void {
  enrolCompanies(state, companies);
  const unknown = [...users, ...certificates].find(({ edb }) => state.registry.company(edb) === undefined);
  if (unknown !== undefined) throw new Error(`There is no company ${unknown.edb}.`);
  for (const user of users) state.record({ kind: 'user', user });
  for (const certificate of certificates) state.record({ kind: 'certificate', certificate });
}

function createHandler(state: State, options: SimulatorOptions, portalUrl: () => string) {
  const faults = createFaults(options.faults ?? {});
  const outage = createOutage(options.outOfOrder === true ? '502-html' : null);
  const authority = createAuthority(state, options, faults, portalUrl);
  const admin = createAdminApi({ state, faults, outage, now: options.now ?? (() => new Date()) });

  const deliveryOf = (request: ReceivedRequest, address: string): Delivery => {
    if (request.path.startsWith(ADMIN_ROOT)) return atOnce(LOOPBACK.test(address) ? admin(request) : NOT_FOUND);
    const kind = outage.kind();
    return kind === null ? authority(request) : OUTAGE_DELIVERIES[kind];
  };
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const address = request.socket.remoteAddress ?? '';
    const received = await receive(request);
    if (received === null) response.destroy();
    else {
      const delivery = guarded(
        received,
        () => deliveryOf(received, address),
        () => OUTAGE_DELIVERIES['502-html'],
      );
      deliver(response, delivery, options.slowMs ?? PERIODS.slowMs);
    }
  };
}

async function listen(server: Server, { host, port }: SimulatorOptions): Promise<string> {
  server.listen(port, host);
  await once(server, 'listening');
  const { address, family, port: taken } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}`;
}

async function close(server: Server, state: State): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
  state.close();
}
