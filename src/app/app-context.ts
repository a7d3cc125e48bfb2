import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock, systemRandom } from '../adapters/platform/platform.ts';
import type { Engine } from '../adapters/sql/engine.ts';
import { type AppliedMigration, migrate } from '../adapters/sql/migrate.ts';
import { openPostgres } from '../adapters/sql/postgres/open-postgres.ts';
import { openSqlite } from '../adapters/sql/sqlite/open-sqlite.ts';
import { createStorage } from '../adapters/sql/storage.ts';
import { refuseUnfinishedCopy } from '../adapters/sql/unfinished-copy.ts';
import { OperatorError } from '../application/errors/operator-error.ts';
import { ServiceUnavailable } from '../application/errors/service-unavailable.ts';
import type { Clock } from '../application/ports/platform.ts';
import type { Storage } from '../application/ports/storage/storage.ts';
import type { Config } from '../config.ts';

/** The embedded database in its folder. */
export const DATABASE_FILE = 'dostava.sqlite';

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
  return { config, clock, engine, storage: createStorage(engine, systemRandom), migrated };
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
