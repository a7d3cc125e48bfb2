import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Engine } from './adapters/sql/engine.ts';
import { type AppliedMigration, migrate } from './adapters/sql/migrate.ts';
import { openPostgres } from './adapters/sql/postgres.ts';
import { openSqlite } from './adapters/sql/sqlite.ts';
import { createStorage } from './adapters/sql/storage.ts';
import { createAuditBuffer } from './adapters/system/audit-buffer.ts';
import { createLog } from './adapters/system/log.ts';
import { createMetrics, type Metrics } from './adapters/system/metrics.ts';
import { systemChance, systemClock } from './adapters/system/platform.ts';
import { createDocumentReader } from './adapters/ubl/document-reader.ts';
import { createApi } from './app-api.ts';
import { openAuthority } from './app-authority.ts';
import { errands, startDelivering } from './app-delivery.ts';
import type { DocumentReader } from './application/document-reader.ts';
import { forgetSubmissions } from './application/forget-submissions.ts';
import { OperatorError } from './application/operator-error.ts';
import type { Clock, Storage } from './application/ports.ts';
import { ServiceUnavailable } from './application/service-unavailable.ts';
import type { Config } from './config.ts';
import { DEMO_URL } from './http/demonstrations.ts';
import { listen, portOf, watchSilentConnections } from './http/listening.ts';
import { createOpsServer } from './http/ops-server.ts';
import { createServer, type ServerNeeds } from './http/server.ts';
import { type Job, startWorker } from './worker/worker.ts';

/** How long the listener stays open after the service was asked to stop. */
const DRAIN_MS = 250;
const MINUTE_MS = 60_000;

/** What everything else stands on. */
export type Foundation = {
  readonly config: Config;
  readonly clock: Clock;
  readonly engine: Engine;
  readonly storage: Storage;
  /** What opening the database had to change in its tables. */
  readonly migrated: readonly AppliedMigration[];
};

export async function openFoundation(config: Config, clock: Clock = systemClock): Promise<Foundation> {
  const engine = await openEngine(config);
  const migrated = await migrate(engine, clock.now()).catch(async (error: unknown) => {
    await engine.close();
    throw error instanceof ServiceUnavailable ? outOfReach(error) : error;
  });
  return { config, clock, engine, storage: createStorage(engine, systemChance), migrated };
}

async function openEngine({ databaseUrl, databasePoolSize, dataDir }: Config): Promise<Engine> {
  if (databaseUrl !== null) return openPostgres(databaseUrl, { poolSize: databasePoolSize });
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  return openSqlite(join(dataDir, 'dostava.sqlite'));
}

/** At the start that is the operator's to mend; its cause says where to look, and never the address with its password. */
function outOfReach({ message, cause }: ServiceUnavailable): OperatorError {
  return new OperatorError('refused', cause instanceof Error ? `${message} ${cause.message}` : message);
}

export type Service = {
  readonly url: string;
  readonly opsUrl: string;
  readonly stop: () => Promise<void>;
};

/** The service: the interface, the ops port and the background jobs, over a foundation it does not own. */
export async function startService(foundation: Foundation, reader: DocumentReader): Promise<Service> {
  const { config, engine, storage } = foundation;
  const log = createLog(config.logLevel);
  const audit = createAuditBuffer(
    storage,
    (error, waiting) => log.error({ err: error, waiting }, 'audit entries could not be written'),
    (entry) => log.error({ entry }, 'audit entry kept here alone'),
  );
  const metrics = createMetrics({ auditWaiting: audit.waiting });
  const side = openAuthority(foundation, (type, cause) =>
    log.warn({ err: cause, type }, 'code list could not be refreshed; the old one serves'),
  );
  const links = createLinks(config);
  let isStopping = false;
  const app = await createServer({
    isStopping: () => isStopping,
    api: createApi(foundation, { reader, audit, lists: side.lists }),
    log,
    links,
    trustedProxies: config.trustedProxies,
    newId: randomUUID,
    observe: observeRequest(metrics),
  });
  const ops = createOpsServer({
    metrics: metrics.render,
    async notReadyBecause() {
      if (isStopping) return 'shutting down';
      await engine.get('select 1 as one', []);
      return null;
    },
  });
  const silent = { app: watchSilentConnections(app.server), ops: watchSilentConnections(ops) };
  try {
    await app.listen({ host: config.host, port: config.port });
    links.listening(portOf(app.server));
    await listen(ops, '127.0.0.1', config.opsPort);
  } catch (error) {
    await app.close();
    await audit.close();
    throw error;
  }
  const work = { foundation, side, reader, log, metrics };
  const worker = startWorker([...jobs(foundation), errands(work)], (job, error) =>
    log.error({ err: error, job: job.name }, 'job failed'),
  );
  const delivering = startDelivering(work);
  return {
    url: links.publicUrl(),
    opsUrl: `http://127.0.0.1:${portOf(ops)}`,
    async stop() {
      isStopping = true;
      // Connections wait to be accepted with their request already sent: the listener stays open until those are taken.
      await pause(DRAIN_MS);
      const closed = app.close();
      silent.app.end();
      await closed;
      await Promise.all([worker.stop(), delivering.stop()]);
      await audit.close();
      await new Promise((resolve) => {
        ops.close(resolve);
        silent.ops.end();
      });
    },
  };
}

function jobs({ storage, clock }: Foundation): readonly Job[] {
  const forget = forgetSubmissions({ storage, clock });
  return [{ name: 'forget submissions', everyMs: MINUTE_MS, run: async () => void (await forget()) }];
}

export function openReader(): DocumentReader {
  return createDocumentReader();
}

/** A reader whose threads start with the first document: most commands of the operator read none. */
export function openReaderOnDemand(): DocumentReader {
  let opened: DocumentReader | null = null;
  function reader(): DocumentReader {
    opened ??= createDocumentReader();
    return opened;
  }
  return {
    read: (bytes) => reader().read(bytes),
    recognise: (bytes) => reader().recognise(bytes),
    content: (bytes) => reader().content(bytes),
    close: async () => opened?.close(),
  };
}

/** The service's own addresses. Without configuration they follow from the port it came to listen on. */
function createLinks(config: Config) {
  let listeningOn = '';
  const publicUrl = () => config.publicUrl ?? listeningOn;
  return {
    publicUrl,
    demoUrl: () => (config.environment === 'demo' ? publicUrl() : DEMO_URL),
    errorsUrl: () => config.errorsUrl ?? `${publicUrl()}/errors`,
    listening(port: number): void {
      listeningOn = `http://127.0.0.1:${port}`;
    },
  };
}

function observeRequest(metrics: Metrics): ServerNeeds['observe'] {
  return (request, status, durationMs) =>
    metrics.requestServed(request.routeOptions.url ?? 'unknown', request.method, status, durationMs);
}
