import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { temporaryFolder } from '../support/process.ts';
import { PRODUCTION_VARIABLES } from '../support/production-variables.ts';
import { commandsHere } from './commands-here.ts';

const ALFA = '4030026000018';
const BETA = '4080026000023';

/** A backup of a database with one taxpayer. */
async function backupWith(edb: string): Promise<string> {
  const { json } = commandsHere({ ...PRODUCTION_VARIABLES, DATA_DIR: temporaryFolder() });
  await json('init');
  await json('tenant', 'add', '--edb', edb, '--name', edb, '--environment', 'production');
  const file = join(temporaryFolder(), 'dostava.backup');
  await json('backup', '--to', file);
  return file;
}

/** What a process leaves that is killed while it writes to its copy of a backup: the copy, and its write-ahead log. */
function leaveDraft(file: string, draft: string): void {
  copyFileSync(file, draft);
  const killed = new DatabaseSync(draft);
  killed.exec("pragma journal_mode = wal; update tenant set name = 'of another backup'");
  for (const suffix of ['', '-wal', '-shm']) copyFileSync(`${draft}${suffix}`, `${draft}.kept${suffix}`);
  killed.close();
  for (const suffix of ['', '-wal', '-shm']) copyFileSync(`${draft}.kept${suffix}`, `${draft}${suffix}`);
}

test('a restore takes nothing over from one that was killed', async () => {
  const [earlier, later] = [await backupWith(ALFA), await backupWith(BETA)];
  const dataDir = temporaryFolder();
  leaveDraft(earlier, join(dataDir, 'dostava.sqlite.restoring'));
  const { json } = commandsHere({ ...PRODUCTION_VARIABLES, DATA_DIR: dataDir });
  await json('restore', '--from', later);
  const tenants = await json<readonly { readonly edb: string; readonly name: string }[]>('tenant', 'list');
  assert.deepEqual(
    tenants.map(({ edb, name }) => [edb, name]),
    [[BETA, BETA]],
  );
});

test('what a killed restore has left is not restored from, and not removed either', async () => {
  const dataDir = temporaryFolder();
  const draft = join(dataDir, 'dostava.sqlite.restoring');
  const copied = await backupWith(ALFA);
  copyFileSync(copied, draft);
  const link = join(temporaryFolder(), 'dostava.backup');
  symlinkSync(draft, link);
  const { refusal } = commandsHere({ ...PRODUCTION_VARIABLES, DATA_DIR: dataDir });
  for (const file of [draft, link]) {
    assert.match(
      (await refusal('restore', '--from', file))[1],
      /restore that was broken off .* copy it elsewhere first/u,
    );
    assert.deepEqual(readFileSync(draft), readFileSync(copied));
  }
});
