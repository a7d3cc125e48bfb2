import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Engine } from './adapters/sql/engine.ts';
import { type AppliedMigration, migrate } from './adapters/sql/migrate.ts';
import { openPostgres } from './adapters/sql/postgres.ts';
import { openSqlite } from './adapters/sql/sqlite.ts';
import { createStorage } from './adapters/sql/storage.ts';
import { refuseUnfinishedCopy } from './adapters/sql/unfinished-copy.ts';
import { createAuditBuffer } from './adapters/system/audit-buffer.ts';
import { createLog } from './adapters/system/log.ts';
import { createMetrics } from './adapters/system/metrics.ts';
import { systemChance, systemClock } from './adapters/system/platform.ts';
import { platformGivesWay } from './adapters/threads/give-way.ts';
import { createDocumentReader } from './adapters/ubl/document-reader.ts';
import { openAuthority } from './app-authority.ts';
import { errands, startDelivering, type WorkNeeds } from './app-delivery.ts';
import { type Interface, startInterface } from './app-interface.ts';
import type { DocumentReader } from './application/document-reader.ts';
import { forgetSubmissions } from './application/forget-submissions.ts';
import { OperatorError } from './application/operator-error.ts';
import type { Clock, Storage } from './application/ports.ts';
import { ServiceUnavailable } from './application/service-unavailable.ts';
import type { Config } from './config.ts';
import { listen, portOf, watchSilentConnections } from './http/listening.ts';
import { createOpsServer } from './http/ops-server.ts';
import { type Job, startWorker, type Worker } from './worker/worker.ts';

/** The embedded database in its folder. */
export const DATABASE_FILE = 'dostava.sqlite';

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
  const migrated = await prepareTables(engine, clock).catch(async (error: unknown) => {
    await engine.close();
    throw error;
  });
  return { config, clock, engine, storage: createStorage(engine, systemChance), migrated };
}

/** Brings the tables up to date, unless somebody else is filling them. */
async function prepareTables(engine: Engine, clock: Clock): Promise<readonly AppliedMigration[]> {
  try {
    const migrated = await migrate(engine, clock.now());
    await refuseUnfinishedCopy(engine);
    return migrated;
  } catch (error) {
    throw error instanceof ServiceUnavailable ? outOfReach(error) : error;
  }
}

async function openEngine({ databaseUrl, databasePoolSize, dataDir }: Config): Promise<Engine> {
  if (databaseUrl !== null) return openPostgres(databaseUrl, { poolSize: databasePoolSize });
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  return openSqlite(join(dataDir, DATABASE_FILE));
}

/** At the start that is the operator's to mend; its cause says where to look, and never the address with its password. */
export function outOfReach({ message, cause }: ServiceUnavailable): OperatorError {
  return new OperatorError('refused', cause instanceof Error ? `${message} ${cause.message}` : message);
}

export type Service = {
  /** Where clients reach the interface, whichever process serves it. */
  readonly url: string;
  readonly opsUrl: string;
  readonly stop: () => Promise<void>;
};

/** The service: the ops port and, by its role, the interface, the background jobs or both, over a foundation it does not own. */
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
  let isStopping = false;
  const ops = createOpsServer({
    metrics: metrics.render,
    async notReadyBecause() {
      if (isStopping) return 'shutting down';
      await engine.get('select 1 as one', []);
      return null;
    },
  });
  const silentOps = watchSilentConnections(ops);
  const needs = { foundation, reader, audit, lists: side.lists, log, metrics };
  let served: Interface | null = null;
  try {
    if (config.role !== 'worker') served = await startInterface(needs);
    await listen(ops, '127.0.0.1', config.opsPort);
  } catch (error) {
    await served?.stop();
    await audit.close();
    throw error;
  }
  await platformGivesWay();
  const working = config.role === 'api' ? null : startWorking({ foundation, side, reader, log, metrics });
  return {
    url: served?.url ?? config.publicUrl ?? '',
    opsUrl: `http://127.0.0.1:${portOf(ops)}`,
    async stop() {
      isStopping = true;
      await served?.stop();
      await working?.stop();
      await side.close();
      await audit.close();
      await new Promise((resolve) => {
        ops.close(resolve);
        silentOps.end();
      });
    },
  };
}

/** Everything that is done without being asked: delivering, errands, forgetting. */
function startWorking(needs: WorkNeeds): Worker {
  const worker = startWorker([...jobs(needs.foundation), errands(needs)], (job, error) =>
    needs.log.error({ err: error, job: job.name }, 'job failed'),
  );
  const delivering = startDelivering(needs);
  return {
    async stop() {
      await Promise.all([worker.stop(), delivering.stop()]);
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
