import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ADMIN_ROOT, createAdminApi } from './admin/admin-api.ts';
import { createReplaceAsSupplier } from './admin/replace-as-supplier.ts';
import { createAuthority } from './authority.ts';
import { catchUnexpectedError } from './catch-unexpected-error.ts';
import { createOutage, OUTAGE_RESPONSES } from './faults/outage.ts';
import { createPayloadFaults } from './faults/payload-faults.ts';
import { immediately, type PlannedResponse, respond } from './faults/planned-response.ts';
import { createRandomFaults } from './faults/random-faults.ts';
import { type HttpRequest, readHttpRequest } from './http-request.ts';
import { QUERY_API_ROOT } from './query/query-api.ts';
import { RECEIVER_ROOT } from './receiver/receiver-api.ts';
import { isLoopback, refusalOfOthers } from './request-checks/local-request.ts';
import { PERIODS, type SimulatorOptions } from './simulator-options.ts';
import { addCompanies, addFixtureCompanies } from './state/add-companies.ts';
import { openState, type State } from './state/state.ts';
import { createRules } from './unpublished-rules.ts';

export type { SimulatorOptions } from './simulator-options.ts';

// Not imported: that would have Node load all that the module can export, a WebSocket client among it.
const { createServer } = process.getBuiltinModule('node:http');

export type Simulator = {
  /** Root of the query API; its services are at `<url>/api/v1/…`. */
  readonly url: string;
  /** Root of the document receiver. */
  readonly receiverUrl: string;
  /** QR codes link to `<portalUrl>/euid/<euid>`. */
  readonly portalUrl: string;
  /** Controls the simulator, from this machine only; the authority has no such API. */
  readonly adminUrl: string;
  readonly close: () => Promise<void>;
};

/** Longer than any client keeps an idle connection, so that none is closed while a request is on its way. */
const KEEP_ALIVE_MS = 120_000;

/** The simulated tax authority; independent of the service that calls it. */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  const state = openState(options.stateFile ?? null);
  let origin = '';
  try {
    addFixtureCompanies(state);
    addFromOptions(state, options);
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

function addFromOptions(state: State, { companies = [], users = [], certificates = [] }: SimulatorOptions): void {
  addCompanies(state, companies);
  const unknown = [...users, ...certificates].find(({ edb }) => state.registry.company(edb) === undefined);
  if (unknown !== undefined) throw new Error(`There is no company ${unknown.edb}.`);
  for (const user of users) state.record({ kind: 'user', user });
  for (const certificate of certificates) state.record({ kind: 'certificate', certificate });
}

function createHandler(state: State, options: SimulatorOptions, portalUrl: () => string) {
  const faults = createRandomFaults(options.faults ?? {});
  const outage = createOutage(options.startInOutage === true ? '502-html' : null);
  const rules = createRules(options.rules ?? {});
  const payloads = createPayloadFaults();
  const controls = { faults, rules, payloads };
  const authority = createAuthority(state, options, controls, portalUrl);
  const replace = createReplaceAsSupplier(state, authority.catalogue, authority.register);
  const admin = createAdminApi({ state, outage, replace, ...controls, now: options.now ?? (() => new Date()) });

  const responseTo = (request: HttpRequest, address: string): PlannedResponse => {
    const isAdmin = request.path.startsWith(ADMIN_ROOT);
    const refusal = isAdmin || isLoopback(options.host) ? refusalOfOthers(request, address) : null;
    if (refusal !== null) return immediately(refusal);
    if (isAdmin) return immediately(admin(request));
    const kind = outage.kind();
    return kind === null ? authority.answer(request) : OUTAGE_RESPONSES[kind];
  };
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const address = request.socket.remoteAddress ?? '';
    const received = await readHttpRequest(request);
    if (received === null) response.destroy();
    else {
      const planned = catchUnexpectedError(
        received,
        () => responseTo(received, address),
        () => OUTAGE_RESPONSES['502-html'],
      );
      respond(response, planned, options.slowMs ?? PERIODS.slowMs);
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
