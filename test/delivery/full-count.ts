const IS_POSTGRES = process.env['TEST_DATABASE'] === 'postgres';
const IS_LONG = process.env['TEST_LONG'] === '1';

/** How often a random test is repeated: in long mode, in a normal run on SQLite, and in a normal run on PostgreSQL. */
export type Counts = { readonly long: number; readonly sqlite: number; readonly postgres: number };

/**
 * The decisions under test are the same code and the same statements on both engines, and what only an engine decides (locks,
 * first writes) is tested in test/engines. On PostgreSQL every statement is a round trip to another process.
 */
export function fullCount({ long, sqlite, postgres }: Counts): number {
  if (IS_LONG) return long;
  return IS_POSTGRES ? postgres : sqlite;
}
