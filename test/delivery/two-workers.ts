import { randomUUID } from 'node:crypto';
import { systemHasher, systemRandom } from '../../src/adapters/platform/platform.ts';
import { openAuthority } from '../../src/app/authority.ts';
import { openReader } from '../../src/app/document-reader.ts';
import { type Foundation, openFoundation } from '../../src/app/foundation.ts';
import { createOperator } from '../../src/app/operator.ts';
import { deliverOutbound } from '../../src/application/delivery/deliver-outbound.ts';
import type { DeliveryEvent } from '../../src/application/delivery/delivery.ts';
import { ServiceUnavailable } from '../../src/application/errors/service-unavailable.ts';
import type { Storage } from '../../src/application/ports/storage/storage.ts';
import { readConfig } from '../../src/config.ts';
import type { Edb } from '../../src/domain/accounts/edb.ts';
import { startDelivery } from '../../src/worker/delivery-loop.ts';
import { edb } from '../engines/samples.ts';
import { freshDatabase } from '../support/fresh-database.ts';
import { until } from '../support/process.ts';
import { steadyTimers } from '../support/steady-time.ts';
import { clockAt } from '../support/test-clock.ts';
import { sampleInvoice } from '../support/ubl-samples.ts';
import { isAtWork } from './at-work.ts';
import { registrations, startAuthority } from './authority-of-test.ts';
import { type Refusal, startGateway } from './forwarder.ts';
import { queueDocument } from './queue-document.ts';

export const ALFA = edb('4030026000018');
export const BETA = edb('4080026000023');

const LEASE_MS = 60_000;
/** Twice while a test that lets days pass looks once at what has come of it: more looks would find nothing. */
const POLL_MS = 50;
/** More than a tenant may have under way: the limit is not that of a process. */
const SETTINGS = { leaseMs: LEASE_MS, pollMs: POLL_MS, maxInProgress: 16, maxPerUser: 8, stopMs: 60_000 };

/** What the gateway does with requests of this kind. */
export type Mood = (path: string, edb: string | null) => Promise<Refusal | null>;

export type Workers = Awaited<ReturnType<typeof startTwoWorkers>>;

/**
 * Two workers with a database connection each, as in two processes, behind a gateway to the authority. Their clock stands still: however slow
 * the machine is, nothing is due before the test has it so.
 */
export async function startTwoWorkers() {
  const clock = clockAt(Date.now());
  const authority = await startAuthority({ now: () => new Date(clock.now()) });
  const { certificatePem, privateKeyPem } = authority.pems;
  await post(`${authority.simulator.adminUrl}/certificates`, { eujpId: 'demo-beta', edb: BETA, certificatePem });
  let mood: Mood = async () => null;
  let noAfterwards: Refusal | null = null;
  const gateways = await Promise.all(
    [authority.simulator.url, authority.simulator.receiverUrl].map((root) =>
      startGateway(
        root,
        (path, taxpayer) => mood(path, taxpayer),
        (path) => (path.endsWith('/sales-invoices/send') ? noAfterwards : null),
      ),
    ),
  );
  const variables = {
    ...authority.variables,
    ...(await freshDatabase()),
    AUTHORITY_PRODUCTION_URL: gateways[0]?.root ?? '',
    AUTHORITY_PRODUCTION_RECEIVER_URL: gateways[1]?.root ?? '',
  };
  const reader = openReader(steadyTimers, 1);
  const foundations = [
    await openFoundation(readConfig(variables), { onlyClock: clock, timers: steadyTimers }),
    await openFoundation(readConfig(variables), { onlyClock: clock, timers: steadyTimers }),
  ] as const;
  const [{ storage, engine }] = foundations;
  const operator = createOperator(foundations[0], reader);
  for (const [tenant, eujpId] of [
    [ALFA, 'demo-alfa'],
    [BETA, 'demo-beta'],
  ] as const) {
    await operator.tenants.add({ edb: tenant, name: eujpId, environment: 'production', outboundEnabled: true, eujpId });
    await operator.credentials.set(tenant, certificatePem, privateKeyPem);
  }
  // What is refused right after a change of the account does not count.
  clock.advance(10_000);
  const events: DeliveryEvent[] = [];
  const workers = foundations.map((foundation) => startWorkerOn(foundation, reader, events));

  return {
    clock,
    operator,
    storage,
    events,
    setMood(next: Mood) {
      mood = next;
    },
    /** The authority registers what is sent, and the gateway answers this all the same. */
    sayNoAfterwards(answer: Refusal | null) {
      mood = async () => null;
      noAfterwards = answer;
    },
    /** Both workers have looked for work so many times more. */
    async lookedAgain(times: number): Promise<void> {
      const before = workers.map(({ looks }) => looks());
      await until('both have looked again', () =>
        workers.every(({ looks }, at) => looks() >= (before[at] ?? 0) + times),
      );
    },
    submit(tenant: Edb, number: string) {
      const invoice = sampleInvoice({ number, supplier: { taxNumber: tenant } });
      return queueDocument({ storage, reader }, tenant, invoice, clock.now());
    },
    isHeld: async (tenant: Edb) =>
      (await engine.get('select 1 from outbound where tenant = $1 and lease is not null and status < 40', [tenant])) !==
      null,
    /** Lets time pass where nobody is at work. */
    async pass(ms: number): Promise<void> {
      if (!(await isAtWork(engine, clock.now()))) clock.advance(ms);
    },
    registrations: () => registrations(authority.simulator),
    async stop() {
      mood = async () => null;
      for (const { worker } of workers) await worker.stop();
      for (const { connection } of workers) await connection.close();
      await reader.close();
      for (const foundation of foundations) await foundation.engine.close();
      for (const gateway of gateways) gateway.close();
      await authority.simulator.close();
    },
  };
}

function startWorkerOn(foundation: Foundation, reader: ReturnType<typeof openReader>, events: DeliveryEvent[]) {
  const { clock } = foundation;
  const connection = openAuthority(foundation);
  let looks = 0;
  const storage: Storage = {
    ...foundation.storage,
    deliveries: {
      ...foundation.storage.deliveries,
      isAnyDue(stage, now) {
        if (stage === 'delivery') looks += 1;
        return foundation.storage.deliveries.isAnyDue(stage, now);
      },
    },
  };
  const deliver = deliverOutbound({
    storage,
    authority: connection.authority,
    reader,
    hasher: systemHasher,
    clock,
    random: systemRandom,
    leaseMs: LEASE_MS,
    outcomeWindowMs: 1_000,
    report: (event) => events.push(event),
  });
  const onFailure = (error: unknown) => {
    // A machine that stands still for a quarter of a minute makes the database late, and the worker looks again.
    if (!(error instanceof ServiceUnavailable)) throw error;
  };
  const worker = startDelivery({
    timers: steadyTimers,
    storage,
    deliver,
    clock,
    newToken: randomUUID,
    settings: SETTINGS,
    onFailure,
  });
  return { worker, connection, looks: () => looks };
}

async function post(url: string, order: unknown): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(order) });
  if (!answer.ok) throw new Error(await answer.text());
}
