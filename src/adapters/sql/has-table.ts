import type { Sql } from './engine.ts';

const FIND_TABLE = `select 1 as one
/*postgres where to_regclass($1) is not null */
/*sqlite where exists (select 1 from sqlite_schema where name = $1) */`;

export async function hasTable(sql: Pick<Sql, 'get'>, name: string): Promise<boolean> {
  return (await sql.get<{ one: number }>(FIND_TABLE, [name])) !== null;
}
