import { statfs } from 'node:fs/promises';
import { version as nodeVersion } from 'node:process';
import type { DatabaseState, ServiceStates, Workload } from '../../adapters/platform/metrics/service-states.ts';
import { createAnswerCache } from '../../adapters/platform/ttl-cache.ts';
import { OUTBOUND_STATUSES } from '../../domain/documents/outbound-status.ts';
import type { Foundation } from '../foundation.ts';
import { askDatabase, nullWithoutDatabase } from './ask-database.ts';
import { packageVersion } from './package-version.ts';

/** However often metrics are read, and by however many: the database is asked once in this time. */
const WORKLOAD_KEPT = { keptMs: 5_000, most: 1 };
const SIZE_KEPT = { keptMs: 60_000, most: 1 };

const SIZE = `select /*postgres pg_database_size(current_database()) as bytes */
  /*sqlite page_count * page_size as bytes from pragma_page_count(), pragma_page_size() */`;

/** What this process tells of itself and its database in the metrics. */
export function serviceStates(foundation: Foundation, checkWrites: () => Promise<void>): ServiceStates {
  const { config, clock, timers, engine } = foundation;
  const ask = <Answer>(question: () => Promise<Answer>) => askDatabase(timers, question);
  const workloads = createAnswerCache<string, Workload>(clock, WORKLOAD_KEPT);
  const sizes = createAnswerCache<string, number>(clock, SIZE_KEPT);

  async function size(): Promise<number> {
    const row = await engine.get<{ bytes: number }>(SIZE, []);
    return Number(row?.bytes ?? 0);
  }

  return {
    build: {
      version: packageVersion(),
      node: nodeVersion,
      environment: config.environment,
      role: config.role,
      database: config.databaseUrl === null ? 'sqlite' : 'postgresql',
    },
    workload: () => workloads.answer('', () => ask(() => readWorkload(foundation))).catch(nullWithoutDatabase),
    async database(): Promise<DatabaseState> {
      // All at once: one after the other they would take longer than anybody waits for metrics.
      const [sizeBytes, isReachable, isWritten] = await Promise.all([
        sizes.answer('', () => ask(size)).catch(nullWithoutDatabase),
        succeeds(ask(() => engine.get('select 1 as one', []))),
        succeeds(ask(checkWrites)),
      ]);
      return {
        isReachable,
        isWritable: isReachable && isWritten,
        sizeBytes,
        disk: config.databaseUrl === null ? await diskOf(config.dataDir) : null,
        connections: engine.connections(),
      };
    },
  };
}

/** Every status and with none too: an alert on a series that is missing would never end. */
async function readWorkload({ storage, clock }: Foundation): Promise<Workload> {
  const { workload } = storage;
  const now = clock.now();
  const [documents, oldest, unknown, tasks] = await Promise.all([
    workload.outboundByStatus(),
    workload.oldestDueAt(now),
    workload.unknownSince(),
    workload.recurringTasks(now),
  ]);
  const secondsSince = (at: number | null | undefined) => (at === null || at === undefined ? 0 : (now - at) / 1_000);
  return {
    documents: new Map(OUTBOUND_STATUSES.map((status) => [String(status), documents.get(status) ?? 0])),
    oldestDueSeconds: new Map(
      OUTBOUND_STATUSES.filter((status) => status <= 40).map((status) => [
        String(status),
        secondsSince(oldest.get(status)),
      ]),
    ),
    unknownSeconds: new Map(Object.entries(unknown).map(([of, since]) => [of, secondsSince(since)])),
    tasks: tasks.map(({ oldestDueAt, ...task }) => ({ ...task, oldestDueSeconds: secondsSince(oldestDueAt) })),
  };
}

/** Null where the folder is gone, or its disk does not say it. */
async function diskOf(folder: string): Promise<DatabaseState['disk']> {
  return statfs(folder).then(
    ({ bavail, blocks, bsize }) => ({ freeBytes: bavail * bsize, totalBytes: blocks * bsize }),
    () => null,
  );
}

/** Whatever keeps it from succeeding: the disk, the server, the network. */
async function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}
