import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemTimers } from '../src/adapters/platform/timers.ts';
import type { Engine } from '../src/adapters/sql/engine.ts';
import { openPostgres } from '../src/adapters/sql/postgres/open-postgres.ts';
import { openSqlite } from '../src/adapters/sql/sqlite/open-sqlite.ts';
import { systemPlatform } from '../src/app/system-platform.ts';
import { startPostgres } from '../test/support/postgres.ts';

/** A database that is made for the bench and gone after it. */
export type GrowthDatabase = {
  /** As the service opens it. */
  readonly engine: Engine;
  /** For what takes longer than the service would wait: filling it, and counting naively. */
  readonly patient: Engine;
  /** What the server's own housekeeping would have done in the time that so many documents take to come. */
  readonly tidy: () => Promise<void>;
  readonly bytes: () => Promise<number>;
  readonly remove: () => Promise<void>;
};

const HOUR_MS = 3_600_000;

export const GROWTH_DATABASES: Readonly<Record<string, () => Promise<GrowthDatabase>>> = {
  sqlite: createSqlite,
  postgres: createPostgres,
};

async function createSqlite(): Promise<GrowthDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'dostava-bench-'));
  const file = join(folder, 'growth.sqlite');
  const engine = openSqlite(file, systemTimers);
  return {
    engine,
    patient: engine,
    tidy: async () => undefined,
    bytes: async () => (await stat(file)).size,
    async remove() {
      await engine.close();
      await rm(folder, { recursive: true });
    },
  };
}

async function createPostgres(): Promise<GrowthDatabase> {
  const server = await startPostgres();
  const url = await server.createDatabase();
  const engine = openPostgres(url, systemPlatform);
  const patient = openPostgres(url, systemPlatform, { statementMs: HOUR_MS });
  return {
    engine,
    patient,
    tidy: async () => void (await patient.run('vacuum (analyze)', [])),
    async bytes() {
      const row = await engine.get<{ bytes: number }>('select pg_database_size(current_database()) as bytes', []);
      return row?.bytes ?? 0;
    },
    async remove() {
      await Promise.all([engine.close(), patient.close()]);
      await server.stop();
      await rm(server.folder, { recursive: true });
    },
  };
}
