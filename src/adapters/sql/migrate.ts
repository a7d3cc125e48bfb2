import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { OperatorError } from '../../application/errors/operator-error.ts';
import type { Timers } from '../../application/ports/platform.ts';
import { type Engine, LockNotFree, type OnStep, type Sql } from './engine.ts';
import { refuseOtherEncoding } from './refuse-other-encoding.ts';

const FOLDER = fileURLToPath(new URL('./migrations/', import.meta.url));

/**
 * On PostgreSQL, a second process waits here without a timeout while the first applies a migration. The migration itself waits for
 * the locks it needs only for a moment, since others who want the same table wait behind it. Tables are made beside those that are there:
 * a schema that was made since and comes first in the search path, as one with the name of the role does, would get a second, empty set.
 */
const PREPARE_MIGRATION = `/*postgres
  set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0;
  select pg_advisory_xact_lock(hashtextextended('migrations', 0)); set local lock_timeout = 2000;
  select set_config('search_path', quote_ident(nspname), true) from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where pg_class.oid = to_regclass('schema_migration'); */
create table if not exists schema_migration (
  version integer primary key,
  name text not null,
  applied_at bigint not null
)`;

/** How long others have the table to themselves before a migration tries again to get it. */
const PAUSE_MS = 1_000;

const FIRST = 1;

export type AppliedMigration = { readonly version: number; readonly name: string };

type Migration = AppliedMigration & { readonly file: string };

export type MigrationWatch = {
  /** Runs within each before anything is changed, and may refuse by an error. */
  readonly check?: (sql: Sql) => Promise<void>;
  /** Told before each step of a database that has tenants: with millions of documents one may take minutes. */
  readonly onStep?: OnStep;
};

/**
 * Applies all migrations that the database lacks, in the order of their numbers, each in an exclusive transaction of its own, so
 * that running it twice or concurrently does no harm, and none holds its locks while the next one runs. Returns those that this
 * process has applied.
 */
export async function migrate(
  engine: Engine,
  timers: Timers,
  now: number,
  { check = async () => undefined, onStep = () => undefined }: MigrationWatch = {},
): Promise<readonly AppliedMigration[]> {
  const known = await knownMigrations();
  const applied: AppliedMigration[] = [];
  let isInUse = false;
  let told = '';
  const tell: OnStep = (step) => {
    // A step that waits for a lock begins again and again.
    if (!isInUse || step === told) return;
    told = step;
    onStep(step);
  };
  async function begin(sql: Sql, { version, name }: Migration): Promise<void> {
    // A new database has all of them in a moment, whichever processes apply them.
    isInUse ||= version > FIRST && (await sql.get('select 1 as used from tenant limit 1', [])) !== null;
    tell(`migration ${version} (${name}) is being applied`);
  }
  for (;;) {
    const next = await applyNext({ engine, timers, known, now, check, begin });
    if (next === null) break;
    applied.push(next);
  }
  // Not between two migrations: an index that is being built waits for all transactions, and the next migration of the same table for it.
  for (const { version } of applied) await engine.afterMigration(version, tell);
  await engine.afterMigrations();
  return applied;
}

type Applying = {
  readonly engine: Engine;
  readonly timers: Timers;
  readonly known: readonly Migration[];
  readonly now: number;
  readonly check: (sql: Sql) => Promise<void>;
  readonly begin: (sql: Sql, migration: Migration) => Promise<void>;
};

async function applyNext({ engine, timers, known, now, check, begin }: Applying): Promise<AppliedMigration | null> {
  for (;;) {
    try {
      return await engine.transaction(async (sql) => {
        await engine.script(sql, PREPARE_MIGRATION);
        const next = await nextMigration(sql, known);
        await check(sql);
        if (next === undefined) return null;
        const { version, name, file } = next;
        if (version === FIRST) await refuseOtherEncoding(sql);
        await begin(sql, next);
        await engine.script(sql, await readFile(`${FOLDER}${file}`, 'utf8'));
        const values = [version, name, now];
        await sql.run('insert into schema_migration (version, name, applied_at) values ($1, $2, $3)', values);
        return { version, name };
      });
    } catch (error) {
      if (!(error instanceof LockNotFree)) throw error;
    }
    await timers.pause(PAUSE_MS);
  }
}

async function nextMigration(sql: Sql, known: readonly Migration[]): Promise<Migration | undefined> {
  const rows = await sql.all<{ version: number }>('select version from schema_migration', []);
  const applied = new Set(rows.map((row) => row.version));
  const newest = Math.max(0, ...applied);
  if (newest > known.length) {
    throw new OperatorError(
      'refused',
      `The database is at version ${newest}, newer than this program, which knows versions up to ${known.length}.`,
    );
  }
  return known.find(({ version }) => !applied.has(version));
}

/** Their texts are not read: mostly there is nothing to apply, and every command begins here. */
async function knownMigrations(): Promise<readonly Migration[]> {
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith('.sql')).sort();
  return files.map((file, index) => {
    const [number = '', ...words] = file.replace('.sql', '').split('-');
    const version = Number(number);
    if (version !== index + 1) throw new Error(`Migration ${file} does not have the number after the previous one.`);
    return { version, name: words.join('-'), file };
  });
}
