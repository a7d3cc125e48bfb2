import { renameSync, writeSync } from 'node:fs';
import { replaceDatabase } from '../../../../src/adapters/sql/sqlite/replace-database.ts';

/** A program of its own for the tests: replaces a database where no file may grow, and tells what it heard. */
const [database = '', draft = ''] = process.argv.slice(2);
const outcome = await replaceDatabase(database, 0, async () => renameSync(draft, database)).catch(
  ({ message }: Error) => message,
);
writeSync(1, String(outcome));
