import { join } from 'node:path';
import { DATABASE_FILE } from '../../src/app/foundation.ts';
import { placeMigratedSqlite } from './migrated-sqlite.ts';
import { postgresServer } from './postgres.ts';
import { temporaryFolder } from './process.ts';

/** The engine that the suites which know nothing of engines run on this time: `npm test` runs them once on each. */
const IS_POSTGRES = process.env['TEST_DATABASE'] === 'postgres';

/**
 * The variables by which the service finds a database without rows. The tables are there, which take the longest; tests of the
 * production setup start on a database without them.
 */
export async function freshDatabase(): Promise<Readonly<Record<string, string>>> {
  const folder = temporaryFolder();
  if (IS_POSTGRES) return { DATA_DIR: folder, DATABASE_URL: await (await postgresServer()).createMigratedDatabase() };
  await placeMigratedSqlite(join(folder, DATABASE_FILE));
  return { DATA_DIR: folder };
}
