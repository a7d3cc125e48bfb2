import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock, systemRandom } from '../adapters/platform/platform.ts';
import type { Engine } from '../adapters/sql/engine.ts';
import { type AppliedMigration, migrate } from '../adapters/sql/migrate.ts';
import { createStorage } from '../adapters/sql/storage.ts';
import { refuseUnfinishedCopy } from '../adapters/sql/unfinished-copy.ts';
import { OperatorError } from '../application/errors/operator-error.ts';
import { ServiceUnavailable } from '../application/errors/service-unavailable.ts';
import type { Clock } from '../application/ports/platform.ts';
import type { Storage } from '../application/ports/storage/storage.ts';
import type { Config } from '../config.ts';

/** Name of the embedded database within the data folder. */
export const DATABASE_FILE = 'dostava.sqlite';

/** What every part of the program is built from: configuration, time and the open database. */
export type Foundation = {
  readonly config: Config;
  readonly clock: Clock;
  readonly engine: Engine;
  readonly storage: Storage;
  /** Migrations that were applied when the database was opened. */
  readonly migrated: readonly AppliedMigration[];
};

export async function openFoundation(config: Config, clock: Clock = systemClock): Promise<Foundation> {
  const engine = await openEngine(config);
  const migrated = await migrateTables(engine, clock).catch(async (error: unknown) => {
    await engine.close();
    throw error;
  });
  return { config, clock, engine, storage: createStorage(engine, systemRandom), migrated };
}

/** Applies pending migrations; refuses a database that `migrate-store` has not finished copying. */
async function migrateTables(engine: Engine, clock: Clock): Promise<readonly AppliedMigration[]> {
  try {
    const migrated = await migrate(engine, clock.now());
    await refuseUnfinishedCopy(engine);
    return migrated;
  } catch (error) {
    throw error instanceof ServiceUnavailable ? databaseUnavailable(error) : error;
  }
}

/** A process has one of the two engines, and loads that one alone. */
async function openEngine({ databaseUrl, databasePoolSize, dataDir }: Config): Promise<Engine> {
  if (databaseUrl !== null) {
    const { openPostgres } = await import('../adapters/sql/postgres/open-postgres.ts');
    return openPostgres(databaseUrl, { poolSize: databasePoolSize });
  }
  const { openSqlite } = await import('../adapters/sql/sqlite/open-sqlite.ts');
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  return openSqlite(join(dataDir, DATABASE_FILE));
}

/** At the start a database that cannot be used is for the operator to fix. The cause never holds the URL, which has the password. */
export function databaseUnavailable({ message, cause }: ServiceUnavailable): OperatorError {
  return new OperatorError('refused', cause instanceof Error ? `${message} ${cause.message}` : message);
}
