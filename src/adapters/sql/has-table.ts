import { OperatorError } from '../../application/errors/operator-error.ts';
import type { Sql } from './engine.ts';

const FIND_TABLE = `select 1 as one
/*postgres where to_regclass($1) is not null */
/*sqlite where exists (select 1 from sqlite_schema where name = $1) */`;

const FIRST_TABLE = 'schema_migration';

/** Schemas without the right to use them, and those beyond the search path, are as if they were not there; the catalogue has them. */
const FIND_UNSEEN = `select
/*postgres string_agg(cast(relnamespace as regnamespace)::text, ', ' order by relnamespace) as names from pg_class where relname = $1 */
/*sqlite null as names where $1 is not null */`;

export async function hasTable(sql: Pick<Sql, 'get'>, name: string): Promise<boolean> {
  return (await sql.get<{ one: number }>(FIND_TABLE, [name])) !== null;
}

/** An empty place is more often the wrong one than the first start; and where tables are only out of sight, `init` would not bring them back. */
export async function refuseWithoutTables(sql: Pick<Sql, 'get'>, variable: string): Promise<void> {
  if (await hasTable(sql, FIRST_TABLE)) return;
  const unseen = (await sql.get<{ names: string | null }>(FIND_UNSEEN, [FIRST_TABLE]))?.names ?? null;
  throw unseen === null
    ? new OperatorError(
        'not-found',
        `The database of ${variable} has no tables. Is it the right one? "dostava init" makes them.`,
      )
    : new OperatorError(
        'refused',
        `The role of ${variable} does not see the tables of the database, which are in the schema ${unseen}: it needs the right of usage on the schema, and the schema in its search_path. Only for an installation of its own, "dostava init" makes others.`,
      );
}
