import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Metrics } from './adapters/system/metrics.ts';
import { systemChance, systemHasher } from './adapters/system/platform.ts';
import type { Foundation } from './app.ts';
import type { AuthoritySide } from './app-authority.ts';
import { AuthorityFault } from './application/authority.ts';
import { collectInbound } from './application/collect-inbound.ts';
import { deliverOutbound } from './application/deliver-outbound.ts';
import type { DeliveryEvent } from './application/delivery.ts';
import type { ErrandName } from './application/delivery-ports.ts';
import type { DocumentReader } from './application/document-reader.ts';
import { followAuthorityStatus } from './application/follow-authority-status.ts';
import { ServiceUnavailable } from './application/service-unavailable.ts';
import { CODE_LIST_TYPES } from './domain/code-list.ts';
import { startDelivery } from './worker/delivery-loop.ts';
import { type Errand, errandJob } from './worker/errand-loop.ts';
import type { Job, Worker } from './worker/worker.ts';

const ERRAND_LEASE_MS = 120_000;
const LISTS_EVERY_MS = 3_600_000;
const SECOND_MS = 1_000;

/** Under way at once in one process; the authority's pace per user is the real limit. */
const DELIVERY = { pollMs: 200, mostAtOnce: 128, mostPerUser: 2, stopMs: 15_000 };

export type WorkNeeds = {
  readonly foundation: Foundation;
  readonly side: AuthoritySide;
  readonly reader: DocumentReader;
  readonly log: Logger;
  readonly metrics: Metrics;
};

/** Delivers documents for as long as the service runs. */
export function startDelivering({ foundation, side, reader, log, metrics }: WorkNeeds): Worker {
  const { config, clock, storage } = foundation;
  const leaseMs = config.leaseSeconds * SECOND_MS;
  const deliver = deliverOutbound({
    storage,
    authority: side.authority,
    reader,
    hasher: systemHasher,
    clock,
    chance: systemChance,
    leaseMs,
    outcomeWindowMs: config.outcomeWindowSeconds * SECOND_MS,
    report(event) {
      metrics.documentDelivered(event.outcome, event.failureCode);
      logEvent(log, event);
    },
  });
  return startDelivery({
    storage,
    deliver,
    clock,
    newToken: randomUUID,
    settings: { ...DELIVERY, leaseMs },
    onFailure(error, docUid) {
      if (error instanceof ServiceUnavailable) log.warn({ err: error, docUid }, 'delivery waits for the database');
      else log.error({ err: error, docUid }, 'delivery failed in an unforeseen way');
    },
  });
}

/** What is done for every tenant with an account: collecting, following, keeping the lists fresh. */
export function errands({ foundation, side, log }: WorkNeeds): Job {
  const { storage, clock, config } = foundation;
  const { authority, lists } = side;
  const collect = collectInbound({ storage, authority, hasher: systemHasher, clock });
  const follow = followAuthorityStatus({ storage, authority, clock });
  const all: Readonly<Record<ErrandName, Errand>> = {
    collect: {
      everyMs: config.collectSeconds * SECOND_MS,
      async run(tenant, note) {
        const { collected, lastWindow } = await collect(tenant, Number(note ?? 0));
        if (collected > 0) log.info({ tenant: tenant.edb, collected }, 'documents arrived');
        return String(lastWindow);
      },
    },
    follow: { everyMs: config.followSeconds * SECOND_MS, run: follow },
    lists: {
      everyMs: LISTS_EVERY_MS,
      async run(tenant) {
        for (const type of CODE_LIST_TYPES) await lists(tenant, type);
        return null;
      },
    },
  };
  return errandJob({
    storage,
    clock,
    newToken: randomUUID,
    errands: all,
    leaseMs: ERRAND_LEASE_MS,
    onFailure({ tenant, name, failures }, error) {
      const facts = { tenant, errand: name, failures: failures + 1 };
      // An authority that cannot be asked is everyday life, a database that cannot serve passes; anything else does not.
      if (error instanceof AuthorityFault) log.info({ ...facts, reason: error.message }, 'errand put off');
      else if (error instanceof ServiceUnavailable) log.warn({ ...facts, err: error }, 'errand waits for the database');
      else log.error({ ...facts, err: error }, 'errand failed in an unforeseen way');
    },
  });
}

function logEvent(log: Logger, { tenant, ...event }: DeliveryEvent): void {
  const facts = { tenant: tenant.edb, ...event };
  if (event.failureCode === 'CREDENTIALS')
    log.error(facts, 'the authority does not accept the account; its queue waits');
  else if (event.outcome === 'failed') log.warn(facts, 'document not delivered');
  else log.info(facts, 'document delivery');
}
