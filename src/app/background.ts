import { systemHasher } from '../adapters/platform/platform.ts';
import { contentSweep } from '../adapters/sql/stores/content-sweep.ts';
import { createByteBudget } from '../adapters/threads/byte-budget.ts';
import { expireAuditTrail } from '../application/audit/expire-audit-trail.ts';
import { sealAuditTrail } from '../application/audit/seal-audit-trail.ts';
import type { ClockWatch } from '../application/clocks/watch-clock.ts';
import { deliverOutbound } from '../application/delivery/deliver-outbound.ts';
import { type ContainerEvent, reportContainers } from '../application/delivery/fetch-container.ts';
import { isDatabaseFailure } from '../application/errors/commit-unknown.ts';
import { isDamage } from '../application/errors/damage.ts';
import { ServiceStopping } from '../application/errors/service-unavailable.ts';
import { collectStoredAhead } from '../application/maintenance/collect-stored-ahead.ts';
import { expireIdempotencyRecords } from '../application/maintenance/expire-idempotency-records.ts';
import { countActivity } from '../application/operations/count-activity.ts';
import { NO_TRACES } from '../application/ports/telemetry/tracer.ts';
import { FailuresInARow } from '../domain/accounts/failures-in-a-row.ts';
import { randomUuid } from '../domain/values/random-values.ts';
import { type DeliveryLoop, startDelivery } from '../worker/delivery-loop.ts';
import { type Job, startWorker, type Worker } from '../worker/worker.ts';
import { clockJob } from './clock-watch.ts';
import type { Foundation } from './foundation.ts';
import { accountJobs } from './jobs/account-watch.ts';
import { holdJob } from './jobs/hold-watch.ts';
import { recurringTasks, TASK_LEASE_MS } from './jobs/recurring-tasks.ts';
import { VOID_LEASE_MS, voidJob } from './jobs/void-job.ts';
import type { WorkNeeds } from './jobs/work-needs.ts';
import { countFailing } from './states/count-failing.ts';
import { logDelivery, logFailures } from './work-log.ts';

const MINUTE_MS = 60_000;
const SEAL_EVERY_MS = 5_000;
const COUNT_EVERY_MS = 5_000;
const HOUR_MS = 3_600_000;
const SECOND_MS = 1_000;

/** So long a stop waits for answers of the authority. In the rest of its fifteen seconds it is put on record that they are not known. */
export const ANSWERS_LIMIT_MS = 13_000;

/** Limits of one process; in practice the authority's pace, one request a second for each user, is reached first. */
const DELIVERY = { pollMs: 200, maxInProgress: 128, maxPerUser: 2, stopMs: 15_000 };

/**
 * Of documents that are converted, signed, sent and looked up at a time: each takes up to twenty times its size meanwhile. Small ones do
 * not count: all that can be under way together take little.
 */
const DELIVERY_MEMORY = { totalBytes: 16 * 1_048_576, smallBytes: 262_144 };

function startDeliveryLoop({
  foundation,
  connection,
  reader,
  log,
  metrics,
  clockWatch,
  onDamage,
  holdWatch,
  outages,
  tracer = NO_TRACES,
}: WorkNeeds): DeliveryLoop {
  const { config, clock, timers, random, storage } = foundation;
  const leaseMs = config.leaseSeconds * SECOND_MS;
  function reportContainer({ tenant, isNews, ...event }: ContainerEvent): void {
    metrics.containerAsked(event.outcome);
    const facts = { tenant: tenant.edb, ...event };
    if (isNews && event.reason === null) log.info(facts, 'containers are given again');
    else if (isNews) log.warn(facts, 'container not given; it is asked for again');
  }

  const failures = new FailuresInARow();
  metrics.tellTenantsFailing(() => countFailing(foundation, failures));
  const { held } = metrics.memory('deliveries', DELIVERY_MEMORY.totalBytes);
  const memory = createByteBudget({ ...DELIVERY_MEMORY, held });
  const deliver = deliverOutbound({
    storage,
    authority: {
      ...connection.authority,
      container: reportContainers(connection.authority.container, reportContainer),
    },
    reader,
    hasher: systemHasher,
    clock,
    random,
    leaseMs,
    outcomeWindowMs: config.outcomeWindowSeconds * SECOND_MS,
    memory,
    tracer,
    report(event) {
      metrics.documentDelivered(event.outcome, event.failureCode);
      logDelivery(log, event);
      logFailures(log, event, failures);
    },
  });
  const loop = startDelivery({
    storage,
    deliver,
    clock,
    timers,
    newToken: () => randomUuid(random),
    maySend: holdWatch.maySend,
    mayServe: async (tenant) =>
      !holdWatch.uncompared().includes(tenant) && (await connection.keyWatch.mayServe(tenant)),
    settings: { ...DELIVERY, leaseMs },
    mayClaim: clockWatch.isTrusted,
    onFailure(error, docUid) {
      if (isDamage(error)) onDamage(error);
      else if (isDatabaseFailure(error)) outages.databaseFailed(error);
      else log.error({ err: error, docUid }, 'delivery failed unexpectedly');
    },
  });
  return {
    ...loop,
    async stop() {
      memory.refuseWaiting(new ServiceStopping());
      await loop.stop();
    },
  };
}

/** A process that cannot open the keys of more tenants has a wrong CREDENTIALS_KEY, and leaves all voids and tasks to others. */
const MOST_LEFT_OUT = 500;

/** What a stop of the background work waits for. */
export type WorkUnderWay = Readonly<Record<'deliveries' | 'containers' | 'voids' | 'tasks', number>>;

export type Background = Worker & { readonly underWay: () => WorkUnderWay };

/** Starts delivery, the recurring tasks, the expiry of what is kept for a time, and the sealing of the audit trail. */
export function startBackground(needs: WorkNeeds): Background {
  const { foundation, clockWatch, log, outages } = needs;
  // Nothing is delivered before the first comparison.
  void clockWatch.check();
  const document = foundation.config.leaseSeconds * SECOND_MS;
  const clocks = clockJob(foundation, clockWatch, { document, void: VOID_LEASE_MS, task: TASK_LEASE_MS }, log);
  const { unopened } = needs.connection.keyWatch;
  const mayClaim = () => clockWatch.isTrusted() && unopened().length <= MOST_LEFT_OUT;
  const [tasks, voids] = [onlyIf(mayClaim, recurringTasks(needs)), onlyIf(mayClaim, voidJob(needs))];
  const worker = startWorker(
    foundation.timers,
    [clocks, ...jobs(foundation, clockWatch), ...accountJobs(needs), holdJob(needs), tasks, voids],
    (job, error) => {
      if (isDatabaseFailure(error)) outages.databaseFailed(error);
      else if (isDamage(error)) needs.onDamage(error);
      else log.error({ err: error, job: job.name }, 'job failed');
    },
  );
  const delivery = startDeliveryLoop(needs);
  return {
    underWay: () => ({
      deliveries: delivery.deliveries(),
      containers: delivery.containers(),
      voids: voids.underWay?.() ?? 0,
      tasks: tasks.underWay?.() ?? 0,
    }),
    async stop() {
      const cut = foundation.timers.after(ANSWERS_LIMIT_MS, needs.connection.cutOff, { keepsProcess: false });
      await Promise.all([worker.stop(), delivery.stop()]);
      cut.cancel();
    },
  };
}

function onlyIf(mayRun: () => boolean, job: Job): Job {
  return {
    ...job,
    async run() {
      if (mayRun()) await job.run();
    },
  };
}

function jobs({ storage, engine, clock, timers, config }: Foundation, clockWatch: ClockWatch): readonly Job[] {
  const marginMs = config.clockLimits.authoritySeconds * SECOND_MS;
  const expireRecords = expireIdempotencyRecords({ storage, clock, clockWatch, marginMs });
  const collectFiles = collectStoredAhead({ contents: contentSweep(engine, timers.nextTurn) });
  const count = countActivity({ storage, clock });
  const { sealDue } = sealAuditTrail({ storage, hasher: systemHasher, clock });
  const expireTrail = expireAuditTrail({ storage, clock, clockWatch, retentionDays: config.auditRetentionDays });
  return [
    { name: 'expire idempotency records', everyMs: MINUTE_MS, run: async () => void (await expireRecords()) },
    { name: 'seal the audit trail', everyMs: SEAL_EVERY_MS, run: async () => void (await sealDue()) },
    onlyIf(clockWatch.isTrusted, {
      name: 'collect unused files',
      everyMs: HOUR_MS,
      run: async () => void (await collectFiles()),
    }),
    { name: 'count what happened to documents', everyMs: COUNT_EVERY_MS, run: async () => void (await count()) },
    { name: 'expire the audit trail', everyMs: MINUTE_MS, run: async () => void (await expireTrail()) },
  ];
}
