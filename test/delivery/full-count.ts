const IS_POSTGRES = process.env['TEST_DATABASE'] === 'postgres';
const IS_LONG = process.env['TEST_LONG'] === '1';

/**
 * How often chance is given a chance. The decisions under test are the same code and the same statements on both engines, and
 * what only an engine decides (locks, first writes) is tested in test/engines: on PostgreSQL, where every statement is a way
 * to another process and back, the smaller count is enough, unless time does not matter.
 */
export function fullCount(count: number, onPostgres: number): number {
  return IS_POSTGRES && !IS_LONG ? onPostgres : count;
}
