import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createDatabaseClock } from '../adapters/platform/database-clock.ts';
import { hasDatabase, makePrivateFolder } from '../adapters/platform/private-files.ts';
import type { Engine, OnStep } from '../adapters/sql/engine.ts';
import { refuseWithoutTables } from '../adapters/sql/has-table.ts';
import type { AppliedMigration } from '../adapters/sql/migrate.ts';
import { prepareDatabase } from '../adapters/sql/prepare-database.ts';
import { createStorage } from '../adapters/sql/storage.ts';
import { refuseUnclaimed } from '../adapters/sql/store-environment.ts';
import { refuseUnfinishedCopy } from '../adapters/sql/unfinished-copy.ts';
import { CommitUnknown, databaseFailureText, isDatabaseFailure } from '../application/errors/commit-unknown.ts';
import { OperatorError } from '../application/errors/operator-error.ts';
import type { ServiceUnavailable } from '../application/errors/service-unavailable.ts';
import type { Clock, Platform } from '../application/ports/platform.ts';
import type { Storage } from '../application/ports/storage/storage.ts';
import type { Config } from '../config.ts';
import { systemPlatform } from './system-platform.ts';

/** Name of the embedded database within the data folder. */
export const DATABASE_FILE = 'dostava.sqlite';

/** What every part of the program is built from: configuration, time, randomness and the open database. */
export type Foundation = Platform & {
  readonly config: Config;
  /** On PostgreSQL the server's, which all processes have in common; on SQLite the machine's. */
  readonly clock: Clock;
  readonly machineClock: Clock;
  readonly engine: Engine;
  readonly storage: Storage;
  /** Migrations that were applied when the database was opened. */
  readonly migrated: readonly AppliedMigration[];
};

/** Time and randomness are the machine's where none are given. */
export type OpenOptions = Partial<Omit<Platform, 'clock'>> & {
  readonly machineClock?: Clock;
  /** Takes the place of every clock, also of the one that all processes on PostgreSQL have in common: for tests. */
  readonly onlyClock?: Clock;
  /** A whole platform does not fit: with its clock the common one would be gone unnoticed. */
  readonly clock?: never;
  /** Whether a database that is not there is created. With a mistyped DATA_DIR a command would otherwise work on an empty one. */
  readonly mayCreate?: boolean;
  /** Whether a database that can only be read is refused: commands that read do without. */
  readonly mustWrite?: boolean;
  /** Told before each migration of a database in use. */
  readonly onMigration?: OnStep;
};

/** Opens the database, brings its tables up to date and claims it for the environment; one of the other is refused as it is. */
export async function openFoundation(
  config: Config,
  {
    mayCreate = true,
    mustWrite = false,
    onMigration,
    onlyClock,
    machineClock = onlyClock ?? systemPlatform.clock,
    ...others
  }: OpenOptions = {},
): Promise<Foundation> {
  const system = { ...systemPlatform, ...others, clock: machineClock };
  let engine = await openEngine(config, system, { mayCreate, mustWrite });
  try {
    const timed = onlyClock === undefined ? await withCommonClock(engine, system) : withClock(engine, onlyClock);
    const platform = { ...system, clock: timed.clock };
    engine = timed.engine;
    const migrated = await prepare(engine, config, platform, {
      mayCreate,
      ...(onMigration === undefined ? {} : { onMigration }),
    });
    const storage = createStorage(engine, platform.random, config.environment);
    return { ...platform, config, machineClock, engine, storage, migrated };
  } catch (error) {
    await engine.close();
    throw error;
  }
}

type Timed = { readonly clock: Clock; readonly engine: Engine };

/** A clock that is given stands for that of the database as well. */
function withClock(engine: Engine, clock: Clock): Timed {
  return { clock, engine: engine.serverTime === null ? engine : { ...engine, serverTime: async () => clock.now() } };
}

/** Machines differ: where several of them share a database, its clock is the one that all of them have. */
async function withCommonClock(engine: Engine, { clock: machineClock, timers }: Platform): Promise<Timed> {
  const { serverTime } = engine;
  if (serverTime === null) return { clock: machineClock, engine };
  const clock = await createDatabaseClock({ databaseTime: serverTime, timers }).catch((error: unknown) => {
    throw isDatabaseFailure(error) ? databaseFailure(error) : error;
  });
  async function close(): Promise<void> {
    clock.stop();
    await engine.close();
  }
  return { clock, engine: { ...engine, close } };
}

async function prepare(
  engine: Engine,
  { environment, databaseUrl }: Config,
  { clock, timers }: Platform,
  { mayCreate, onMigration }: Pick<OpenOptions, 'mayCreate' | 'onMigration'>,
): Promise<readonly AppliedMigration[]> {
  try {
    if (mayCreate !== true) await refuseIncomplete(engine, databaseUrl === null ? 'DATA_DIR' : 'DATABASE_URL');
    return await prepareDatabase(engine, timers, environment, clock.now(), onMigration);
  } catch (error) {
    throw isDatabaseFailure(error) ? databaseFailure(error) : error;
  }
}

async function refuseIncomplete(engine: Engine, variable: string): Promise<void> {
  await refuseWithoutTables(engine, variable);
  await refuseUnfinishedCopy(engine);
  await refuseUnclaimed(engine, variable);
}

/** A process has one of the two engines, and loads that one alone. */
async function openEngine(
  { databaseUrl, databasePoolSize, dataDir }: Config,
  { timers, random }: Platform,
  { mayCreate, mustWrite }: Required<Pick<OpenOptions, 'mayCreate' | 'mustWrite'>>,
): Promise<Engine> {
  if (databaseUrl !== null) {
    const { openPostgres } = await import('../adapters/sql/postgres/open-postgres.ts');
    return openPostgres(databaseUrl, { timers, random }, { poolSize: databasePoolSize });
  }
  const { openSqlite } = await import('../adapters/sql/sqlite/open-sqlite.ts');
  const file = join(dataDir, DATABASE_FILE);
  if (!hasDatabase(file) && !mayCreate) {
    refuseCopied(dataDir);
    throw missingDatabase(file, 'Is DATA_DIR right? "dostava init" makes a new one.');
  }
  makePrivateFolder(dataDir);
  return openSqlite(file, timers, undefined, mustWrite);
}

/** A new database in the place of one that was copied would take documents of which PostgreSQL knows nothing. */
export function refuseCopied(dataDir: string): void {
  const file = join(dataDir, DATABASE_FILE);
  const copied = namesIn(dataDir)
    .filter((name) => name.startsWith(`${DATABASE_FILE}.copied-`))
    .toSorted()
    .at(-1);
  if (copied === undefined || hasDatabase(file)) return;
  const went = `${join(dataDir, copied)} was copied to PostgreSQL by "dostava migrate-store".`;
  throw missingDatabase(file, `${went} Set DATABASE_URL to that one.`);
}

function missingDatabase(file: string, advice: string): OperatorError {
  return new OperatorError('not-found', `There is no database ${file}. ${advice}`);
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // It is not there, no folder, or closed: the database is missing, whatever else there is.
    return [];
  }
}

/** At the start a database that cannot be used is for the operator to fix. */
export function databaseFailure(error: ServiceUnavailable | CommitUnknown): OperatorError {
  const sentence = databaseFailureText(error);
  // Migrations and copies put on record what they have done, in the same transaction.
  const advice = error instanceof CommitUnknown ? '. Start it again: what was done is not done twice.' : '';
  return new OperatorError('refused', `${sentence}${advice}`);
}
