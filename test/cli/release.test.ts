import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { temporaryFolder } from '../support/process.ts';
import { commandsHere } from './commands-here.ts';

const HELD = ['4030026000018', '4080026000023'];
const NOT_ASKED =
  'The authority was not asked what it has registered since the backup: that may be registered a second time.';
const RECONCILE = '"dostava reconcile --since <time of the backup>"';
const FREE = '4001026000034';
const NONE = { taxpayersReleased: [], taxpayersHeld: [] };

async function databaseHere(held: readonly string[]) {
  const dataDir = temporaryFolder();
  const commands = commandsHere({ DATA_DIR: dataDir });
  await commands.json('init');
  const database = new DatabaseSync(join(dataDir, 'dostava.sqlite'));
  const add = database.prepare('insert into uncompared_tenant (tenant, restored_since, restored_at) values (?, 1, 1)');
  for (const tenant of held) add.run(tenant);
  database.close();
  const released = async () => (await commands.run('release')).stdout;
  return { ...commands, released };
}

test('release says whose documents are held still, and a second one whose it sends without a comparison', async () => {
  const { json, released } = await databaseHere(HELD);
  await json('hold', '--reason', 'maintenance');
  assert.equal(
    await released(),
    `Documents are sent again, but for taxpayers that were not compared when the others were, after the restore: ${HELD.join(', ')}. Nothing is sent for them until they have an account and ${RECONCILE} has compared them; another "release" would end it without a comparison.\n`,
  );
  assert.equal(
    await released(),
    `Documents of taxpayers that were held by themselves are sent again where they have an account: ${HELD.join(', ')}. ${NOT_ASKED}\n`,
  );
  assert.equal(await released(), 'Nothing was held.\n');
});

test('release says the same in JSON', async () => {
  const { json } = await databaseHere(HELD);
  await json('hold', '--reason', 'maintenance');
  const first = { isReleased: true, stillHeld: null, isWithoutComparison: false };
  assert.deepEqual(await json('release'), { ...first, ...NONE, taxpayersHeld: HELD });
  const second = { ...first, isWithoutComparison: true };
  assert.deepEqual(await json('release'), { ...second, ...NONE, taxpayersReleased: HELD });
});

test('release that ends the hold after a restore names the taxpayers that another one left held', async () => {
  const { json, released } = await databaseHere(HELD);
  await json('hold', '--restored');
  await json('hold', '--reason', 'maintenance');
  assert.equal(
    await released(),
    `Nothing is sent still: restored, not reconciled. ${RECONCILE} ends that; another "release" would end it without a comparison. So it is for taxpayers that are held by themselves after an earlier restore: ${HELD.join(', ')}.\n`,
  );
  assert.equal(
    await released(),
    `Documents are sent again. So are those of taxpayers that were held by themselves, where they have an account: ${HELD.join(', ')}. ${NOT_ASKED}\n`,
  );
});

test('release of one taxpayer ends the hold of that one alone, and no other', async () => {
  const [alone = '', other = ''] = HELD;
  const { json, run } = await databaseHere(HELD);
  const releaseOf = (edb: string) => run('release', '--tenant', edb);
  assert.deepEqual(await releaseOf(alone), { exitCode: 3, stdout: '', stderr: `There is no tenant ${alone}.\n` });
  for (const edb of [alone, other, FREE]) await json('tenant', 'add', '--edb', edb, '--name', 'Alfa');
  assert.equal((await releaseOf(FREE)).stdout, `${FREE} is not held by itself.\n`);
  assert.equal((await releaseOf(alone)).stdout, `Documents of ${alone} are sent again. ${NOT_ASKED}\n`);
  await json('hold', '--reason', 'maintenance');
  const still = 'Nothing is sent still: maintenance.';
  assert.equal((await releaseOf(alone)).stdout, `${alone} is not held by itself. ${still}\n`);
  const told = await json('release', '--tenant', other);
  const ended = { isReleased: false, stillHeld: 'maintenance', isWithoutComparison: true };
  const left = HELD.filter((edb) => edb !== alone && edb !== other);
  assert.deepEqual(told, { ...ended, taxpayersReleased: [other], taxpayersHeld: left });
  const entries = await json<readonly { readonly path: string; readonly tenant: string | null }[]>('audit');
  assert.deepEqual(
    entries.filter(({ path }) => path === 'release restored, not reconciled').map(({ tenant }) => tenant),
    [other, alone],
  );
});

test('release names ten taxpayers, and says how many more there are', async () => {
  const many = Array.from({ length: 12 }, (_, index) => String(4_030_026_000_018 + index));
  const { json, released } = await databaseHere(many);
  await json('hold', '--reason', 'maintenance');
  assert.match(await released(), new RegExp(`restore: ${many.slice(0, 10).join(', ')} and 2 more\\.`, 'u'));
});

test('release of what an operator held says no more than that documents are sent again', async () => {
  const { json, released } = await databaseHere([]);
  await json('hold', '--reason', 'maintenance');
  assert.equal(await released(), 'Documents are sent again.\n');
  await json('hold', '--restored');
  assert.equal(await released(), `Documents are sent again. ${NOT_ASKED}\n`);
});
