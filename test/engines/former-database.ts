import { readdir, readFile } from 'node:fs/promises';
import type { Engine } from '../../src/adapters/sql/engine.ts';
import { newEdb } from './samples.ts';

const MIGRATIONS = new URL('../../src/adapters/sql/migrations/', import.meta.url);
/** As the version before migration 6 writes it. */
export const FORMER_INSERT = `insert into audit (tenant, id, at, method, path, http_status, address, duration_ms, request_id)
  values ($1, $2, 1, 'GET', $3, 200, '127.0.0.1', 0.5, 'x')`;

/** The tables of an earlier version, by the number of its last migration. */
export async function formerTables(engine: Engine, version: number): Promise<void> {
  const files = (await readdir(MIGRATIONS)).toSorted().slice(0, version);
  await engine.transaction(async (sql) => {
    await engine.script(
      sql,
      'create table schema_migration (version integer primary key, name text not null, applied_at bigint not null)',
    );
    for (const [index, file] of files.entries()) {
      await engine.script(sql, await readFile(new URL(file, MIGRATIONS), 'utf8'));
      await sql.run('insert into schema_migration (version, name, applied_at) values ($1, $2, 0)', [index + 1, file]);
    }
  });
}

/** A database in use, with the tables of the version before the seals. */
export async function formerDatabase(engine: Engine, entries: number): Promise<void> {
  await formerTables(engine, 5);
  await engine.transaction(async (sql) => {
    const tenant = newEdb();
    await sql.run(
      `insert into tenant (edb, name, environment, outbound_enabled, created_at) values ($1, 'x', 'test', 1, 0)`,
      [tenant],
    );
    for (let index = 0; index < entries; index += 1) {
      await sql.run(FORMER_INSERT, [
        index % 2 === 0 ? tenant : '',
        `id-${index}`,
        index === 0 ? `/${'x'.repeat(5_000)}` : '/y',
      ]);
    }
  });
}
