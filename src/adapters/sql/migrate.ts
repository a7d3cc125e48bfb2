import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { OperatorError } from '../../application/errors/operator-error.ts';
import type { Engine, Sql } from './engine.ts';

const FOLDER = fileURLToPath(new URL('./migrations/', import.meta.url));

/** On PostgreSQL, a second process waits here without a timeout until the first has migrated, and then has nothing left to do. */
const PREPARE_MIGRATION = `/*postgres
  set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0;
  select pg_advisory_xact_lock(hashtextextended('migrations', 0)); */
create table if not exists schema_migration (
  version integer primary key,
  name text not null,
  applied_at bigint not null
)`;

export type AppliedMigration = { readonly version: number; readonly name: string };

/**
 * Applies all migrations that the database lacks, in the order of their numbers, in one exclusive transaction, so that running it
 * twice or concurrently does no harm. `check` runs within it before any of them, and may refuse by an error. Returns those that were
 * applied.
 */
export async function migrate(
  engine: Engine,
  now: number,
  check: (sql: Sql) => Promise<void> = async () => undefined,
): Promise<readonly AppliedMigration[]> {
  const known = await readMigrations();
  return engine.transaction(async (sql) => {
    await engine.script(sql, PREPARE_MIGRATION);
    const rows = await sql.all<{ version: number }>('select version from schema_migration', []);
    const applied = new Set(rows.map((row) => row.version));
    const newest = Math.max(0, ...applied);
    if (newest > known.length) {
      throw new OperatorError(
        'refused',
        `The database is at version ${newest}, newer than this program, which knows versions up to ${known.length}.`,
      );
    }
    await check(sql);
    const pending = known.filter((migration) => !applied.has(migration.version));
    for (const { version, name, text } of pending) {
      await engine.script(sql, text);
      await sql.run('insert into schema_migration (version, name, applied_at) values ($1, $2, $3)', [
        version,
        name,
        now,
      ]);
    }
    return pending.map(({ version, name }) => ({ version, name }));
  });
}

async function readMigrations() {
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith('.sql')).sort();
  return Promise.all(
    files.map(async (file, index) => {
      const [number = '', ...words] = file.replace('.sql', '').split('-');
      const version = Number(number);
      if (version !== index + 1) throw new Error(`Migration ${file} does not have the number after the previous one.`);
      return { version, name: words.join('-'), text: await readFile(`${FOLDER}${file}`, 'utf8') };
    }),
  );
}
