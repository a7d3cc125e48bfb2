import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { placeMigratedSqlite } from '../../../support/migrated-sqlite.ts';
import { temporaryFolder } from '../../../support/process.ts';

/** What the shell counts the limit in. */
const BLOCK_BYTES = 512;

/** In a process whose files may not be larger than the backup. */
async function restoreWithinItsSize(backup: string, database: string): Promise<string> {
  const program = new URL('./restore-within-limit.ts', import.meta.url).pathname;
  const limited = `ulimit -f ${statSync(backup).size / BLOCK_BYTES} && exec "$0" "$@"`;
  const node = [process.execPath, '--disable-warning=ExperimentalWarning', program, backup, database];
  const { stdout } = await promisify(execFile)('/bin/sh', ['-c', limited, ...node]);
  return stdout;
}

test('a restore that cannot write all of the database into its file puts none in place', async () => {
  const [backup, database] = [join(temporaryFolder(), 'dostava.backup'), join(temporaryFolder(), 'dostava.sqlite')];
  await placeMigratedSqlite(backup);
  await placeMigratedSqlite(database);
  const former = readFileSync(database);
  const outcome = await restoreWithinItsSize(backup, database);
  assert.match(outcome, /dostava\.sqlite\.restoring could not be written to its end: its disk is full/u);
  assert.deepEqual(readdirSync(join(database, '..')), ['dostava.sqlite']);
  assert.deepEqual(readFileSync(database), former);
});
