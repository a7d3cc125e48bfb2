import type { Logger } from 'pino';
import { createKeySealing } from '../adapters/credentials/key-sealing.ts';
import { createDamageAlarm } from '../adapters/platform/damage-alarm.ts';
import { createLog } from '../adapters/platform/log.ts';
import { createMetrics, type Metrics } from '../adapters/platform/metrics.ts';
import { createRecentErrors } from '../adapters/platform/recent-errors.ts';
import { createWriteCheck } from '../adapters/sql/write-check.ts';
import type { ThreadedReader } from '../adapters/ubl/document-reader.ts';
import type { ObserveCall } from '../adapters/ujp/gateway/authority-caller.ts';
import { SERVICE_SHAPES, serviceNameOf } from '../adapters/ujp/shapes/service-shapes.ts';
import { watchAnswers } from '../adapters/ujp/shapes/watch-answers.ts';
import { requireOpenKeys } from '../application/accounts/watch-keys.ts';
import type { ClockWatch } from '../application/clocks/watch-clock.ts';
import { AuthorityCallError } from '../application/ports/authority.ts';
import type { DocumentReader } from '../application/ports/document-reader.ts';
import type { Tracer } from '../application/ports/telemetry/tracer.ts';
import type { HoldWatch } from '../application/recovery/hold-delivery.ts';
import type { Config } from '../config.ts';
import { openAuditTrail } from './audit-trail.ts';
import { type AuthorityConnection, openAuthority } from './authority.ts';
import { startBackground, type WorkUnderWay } from './background.ts';
import { clockSentence, openClockWatch } from './clock-watch.ts';
import { openConsole } from './console/open-console.ts';
import { openScanFirst } from './document-reader.ts';
import { watchDurability } from './durability-watch.ts';
import type { Foundation } from './foundation.ts';
import { type ApiServer, startHttp } from './http.ts';
import { logKey } from './jobs/account-watch.ts';
import { openHoldWatch } from './jobs/hold-watch.ts';
import type { Ops } from './ops.ts';
import { askDatabase } from './states/ask-database.ts';
import { openTracer } from './states/open-tracer.ts';
import { createOutageLog, type OutageLog } from './states/outage-log.ts';
import { watchReading } from './states/reading-watch.ts';
import { serviceStates } from './states/service-states.ts';
import { stoppedByCause } from './states/stopped-by-cause.ts';

/** What a stop waits for. */
export type UnderWay = WorkUnderWay & { readonly requests: number };

/** Of a process that serves the interface alone. */
const NO_WORK: WorkUnderWay = { deliveries: 0, containers: 0, voids: 0, tasks: 0 };

export type Service = {
  /** Where clients reach the API, also when another process serves it. */
  readonly url: string;
  readonly opsUrl: string;
  readonly underWay: () => UnderWay;
  readonly stop: () => Promise<void>;
};

/** What the demo adds to the reader of submitted documents. */
type ReaderOf = (reader: DocumentReader) => DocumentReader;

/** Starts, depending on ROLE, the API server, the background work or both. The caller closes the database and the ops port. */
export async function startService(
  foundation: Foundation,
  reader: ThreadedReader,
  ops: Ops,
  readerOf: ReaderOf = (one) => one,
): Promise<Service> {
  const { config, engine, storage, random } = foundation;
  const sealing = createKeySealing(config.credentialsKeys ?? [], random);
  await requireOpenKeys({ credentials: storage.credentials, sealing, nextTurn: foundation.timers.nextTurn });
  const recentErrors = createRecentErrors();
  const log = createLog(config.logLevel, foundation.timers, recentErrors.add);
  // Before anything has to be closed: packages may be missing.
  const { tracer, close: endTraces } = await openTracer(config, log);
  const outages = createOutageLog({ log, timers: foundation.timers, engine });
  const onDamage = createDamageAlarm(log, () => metrics.storedDamage());
  const audit = openAuditTrail(foundation, log, { ...outages, onDamage });
  const durability = watchDurability(foundation, log);
  const reading = watchReading(reader, log);
  async function endWatches(): Promise<void> {
    durability.stop();
    reading.stop();
    await Promise.all([audit.close(), endTraces()]);
  }
  let clockWatch: ClockWatch | null = null;
  const metrics = createMetrics({
    auditWaiting: audit.waiting,
    auditUnwritten: audit.unwritten,
    tenantsStopped: () => stoppedByCause(foundation),
    unsafeSettings: durability.unsafeSettings,
    clockOffsetsMs: () => clockWatch?.offsetsMs() ?? new Map(),
    isStoppedByClock: () => clockWatch !== null && clockWatch.problem() !== null,
    elapsedMs: foundation.timers.elapsedMs,
  });
  const checkWrites = createWriteCheck(engine, foundation.timers);
  const connection = connectAuthority(foundation, { log, metrics, outages, tracer });
  if (config.role !== 'api') clockWatch = openClockWatch(foundation, connection, log);
  let isStopping = false;
  metrics.tellStates(serviceStates(foundation, checkWrites));
  const holdWatch = openHoldWatch(foundation, log, metrics);
  const scanning = openScanFirst(reader, random, { log, metrics });
  const needs = { foundation, reader: scanning, audit, connection, log, metrics, onDamage, holdWatch, outages, tracer };
  let api: ApiServer | null = null;
  try {
    if (config.role !== 'worker') api = await startHttp({ ...needs, reader: readerOf(scanning) });
  } catch (error) {
    await endWatches();
    throw error;
  }
  const background = clockWatch === null ? null : startBackground({ ...needs, clockWatch });
  const consoleHere = openConsole({ ...needs, recentErrors: recentErrors.lines });
  ops.answerFor({
    metrics: metrics.render,
    console: consoleHere.answer,
    async notReadyBecause() {
      if (isStopping) return 'shutting down';
      await requireDatabase(foundation, checkWrites);
      return reading.problem() ?? notDelivering(config.role, holdWatch, clockWatch);
    },
  });
  return {
    url: api?.url ?? config.publicUrl ?? '',
    opsUrl: ops.url,
    underWay: () => ({ requests: api?.requests() ?? 0, ...(background?.underWay() ?? NO_WORK) }),
    async stop() {
      isStopping = true;
      outages.stop();
      connection.interrupt();
      // The interface last: where one process does everything, nobody else answers while deliveries under way are finished.
      await background?.stop();
      await api?.stop();
      await connection.close();
      await consoleHere.close();
      await endWatches();
    },
  };
}

/** Fails when it cannot be read, cannot be written, or does not answer. */
async function requireDatabase({ timers, engine }: Foundation, checkWrites: () => Promise<void>): Promise<void> {
  await askDatabase(timers, async () => {
    await engine.get('select 1 as one', []);
    await checkWrites();
  });
}

/** A process that also serves the interface can do that all the same. */
async function notDelivering(
  role: Config['role'],
  holdWatch: HoldWatch,
  clockWatch: ClockWatch | null,
): Promise<string | null> {
  if (role !== 'worker') return null;
  const hold = await holdWatch.look();
  if (hold !== null) return `delivery is held: ${hold.reason}`;
  const problem = clockWatch?.problem() ?? null;
  return problem === null ? null : clockSentence(problem);
}

type Watchers = {
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly outages: OutageLog;
  readonly tracer: Tracer;
};

/** The connection to the authority, which reports what it meets to log and metrics. */
function connectAuthority(foundation: Foundation, watchers: Watchers): AuthorityConnection {
  const { log, metrics } = watchers;
  metrics.answersCompared(Object.keys(SERVICE_SHAPES));
  return openAuthority(foundation, {
    onStale(type, cause) {
      const facts = cause instanceof AuthorityCallError ? { reason: cause.message } : { err: cause };
      log.warn({ type, ...facts }, 'code list could not be refreshed; the cached one is used');
    },
    onSigning(command, cause) {
      if (cause === null) log.info({ command }, 'the signing command works again');
      else log.error({ command, cause }, 'the signing command fails; documents are tried again later');
    },
    onKey(event) {
      metrics.keysUnopened(event.unopened);
      logKey(log, event);
    },
    onSignatureFailed: metrics.signatureFailed,
    observe: observeCalls(foundation, watchers),
    watch: watchAnswers({
      onAnswer: metrics.answerDeviated,
      onFirst: (service, deviation) =>
        log.warn(
          { service, ...deviation },
          'an answer of the authority is not as expected; authority probe shows more',
        ),
    }),
  });
}

function observeCalls({ timers }: Foundation, { metrics, outages, tracer }: Watchers): ObserveCall {
  return (environment, { path }) => {
    const startedMs = timers.elapsedMs();
    const service = serviceNameOf(path) ?? 'other';
    const facts = { 'dostava.authority.environment': environment, 'dostava.authority.service': service };
    const span = tracer.begin({ name: `authority ${service}`, kind: 'client', facts });
    return (failure) => {
      outages.authorityCalled(environment, failure);
      const outcome = failure === null ? 'answered' : failure instanceof AuthorityCallError ? failure.kind : 'failed';
      span.end({ 'dostava.outcome': outcome }, failure !== null);
      metrics.authorityCalled({ environment, service, outcome }, timers.elapsedMs() - startedMs);
    };
  };
}
