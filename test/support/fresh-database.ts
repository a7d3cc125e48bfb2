import { postgresServer } from './postgres.ts';
import { temporaryFolder } from './process.ts';

/** The engine that the suites which know nothing of engines run on this time: `npm test` runs them once on each. */
const IS_POSTGRES = process.env['TEST_DATABASE'] === 'postgres';

/**
 * The variables by which the service finds a database without rows. On PostgreSQL the tables are there, which takes the longest;
 * tests of the production setup start on a database without them.
 */
export async function freshDatabase(): Promise<Readonly<Record<string, string>>> {
  const folder = { DATA_DIR: temporaryFolder() };
  return IS_POSTGRES ? { ...folder, DATABASE_URL: await (await postgresServer()).createMigratedDatabase() } : folder;
}
