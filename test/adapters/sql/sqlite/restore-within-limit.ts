import { writeSync } from 'node:fs';
import { systemClock } from '../../../../src/adapters/platform/platform.ts';
import { systemTimers } from '../../../../src/adapters/platform/timers.ts';
import { sqliteBackupFiles } from '../../../../src/adapters/sql/sqlite/backup-files.ts';
import { restoreDatabase } from '../../../../src/application/maintenance/restore-database.ts';
import { newAuditEntry } from '../../../engines/samples.ts';

/** A program of its own for the tests: restores a backup where no file may grow, and tells what it heard. */
const [backup = '', database = ''] = process.argv.slice(2);
const needs = { clock: systemClock, timers: systemTimers };
const restore = restoreDatabase({
  files: sqliteBackupFiles(database, needs),
  database,
  environment: 'production',
  // Larger than what is free within the pages that there are, as are the tables of a newer version.
  entryOf: () => newAuditEntry({ path: 'x'.repeat(100_000) }),
  clock: systemClock,
});
const outcome = await restore(backup, { force: true, acceptDamage: false }, () => undefined).then(
  () => 'restored',
  (error: Error) => error.message,
);
writeSync(1, outcome);
