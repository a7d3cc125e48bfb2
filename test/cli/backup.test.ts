import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { lockDraft } from '../../src/adapters/sql/sqlite/exclusive-connection.ts';
import { openFoundation } from '../../src/app/foundation.ts';
import { readConfig } from '../../src/config.ts';
import { assertListIsTrue } from '../engines/recount.ts';
import { temporaryFolder, until } from '../support/process.ts';
import { PRODUCTION_VARIABLES } from '../support/production-variables.ts';
import { commandLine } from './command-line.ts';
import { commandsHere } from './commands-here.ts';
import { columnsOf, filledStore, LARGEST_BYTES, tablesOf } from './filled-store.ts';
import { type ServiceHere, serviceHere } from './service-here.ts';

const INVOICE = readFileSync(new URL('../../docs/examples/invoice.xml', import.meta.url), 'utf8');
const ALFA = '4030026000018';
const PAGE_BYTES = 4_096;

type Backup = { readonly sha256: string; readonly bytes: number; readonly outbound: number; readonly files: number };
type Restored = { readonly outbound: number; readonly hasChecksum: boolean; readonly setAside: string | null };

/** Submits one document after the other until it is told to stop. */
function load(service: ServiceHere) {
  const accepted: string[] = [];
  let isOver = false;
  async function submit(): Promise<void> {
    while (!isOver) {
      const headers = { 'X-Idempotency-Key': `load-${accepted.length}-${Math.random()}` };
      const answer = await service.call('demo-alfa', '/outbound', { method: 'POST', headers, body: INVOICE });
      if (answer.status === 201) accepted.push(((await answer.json()) as { docUid: string }).docUid);
    }
  }
  const submitting = Promise.all([submit(), submit()]);
  return {
    accepted,
    async stop() {
      isOver = true;
      await submitting;
    },
  };
}

test('backup and restore by other processes than that of the service', async (t) => {
  const variables = { DATA_DIR: temporaryFolder(), DELIVERY_HOLD_SECONDS: '86400' };
  const service = await serviceHere(t, variables);
  const file = join(temporaryFolder(), 'dostava.backup');
  const { json } = commandsHere(variables);

  await t.test(
    'a backup holds every document that was accepted before it began, whatever is written meanwhile',
    async (t) => {
      const submissions = load(service);
      await until('some documents', () => submissions.accepted.length >= 20);
      const before = [...submissions.accepted];
      // A process of its own, so that documents are submitted while it copies.
      const written = await commandLine(t, variables).json<Backup>('backup', '--to', file);
      await submissions.stop();
      assert.ok(submissions.accepted.length > before.length, 'there was load');
      const elsewhere = { DATA_DIR: temporaryFolder() };
      const restored = await commandsHere(elsewhere).json<Restored>('restore', '--from', file);
      assert.deepEqual([restored.outbound, restored.setAside, restored.hasChecksum], [written.outbound, null, true]);
      const { engine } = await openFoundation(readConfig(elsewhere));
      t.after(() => engine.close());
      const rows = await engine.all<{ id: string }>('select id from outbound where tenant = $1', [ALFA]);
      const kept = new Set(rows.map(({ id }) => id));
      assert.deepEqual(
        before.filter((docUid) => !kept.has(docUid)),
        [],
      );
      const known = new Set(submissions.accepted);
      const unanswered = [...kept].filter((docUid) => !known.has(docUid)).length;
      // The demo brings some of its own.
      assert.ok(unanswered < 50, `${unanswered}`);
      for (const list of ['outbound', 'inbound'] as const) await assertListIsTrue(engine, ALFA, list);
    },
  );

  await t.test('the database of a running service is never replaced', async (t) => {
    const { refusal } = commandLine(t, variables);
    assert.match((await refusal('restore', '--from', file))[1], /There is a database already: .* With --force/u);
    assert.match((await refusal('restore', '--from', file, '--force'))[1], /is in use: stop the service/u);
    assert.equal((await service.call('demo-alfa', '/ping')).status, 200);
  });

  await service.stop();
  await t.test('a database that nobody uses is replaced with --force, and set aside', async () => {
    const { setAside } = await json<Restored>('restore', '--from', file, '--force');
    assert.match(setAside ?? '', /dostava\.sqlite\.replaced-/u);
    assert.ok(statSync(setAside ?? '').size > 0);
    const database = join(variables.DATA_DIR, 'dostava.sqlite');
    writeFileSync(database, 'this is no database any more');
    writeFileSync(`${database}-wal`, 'nor is this its log');
    assert.notEqual((await json<Restored>('restore', '--from', file, '--force')).setAside, setAside);
    assert.ok((await json<readonly unknown[]>('tenant', 'list')).length > 0);
  });
});

test('a restored database equals the one that was backed up, table by table, and sha256sum confirms the backup', async () => {
  const dataDir = await filledStore({ largestBytes: LARGEST_BYTES });
  const folder = temporaryFolder();
  const file = join(folder, 'dostava.backup');
  const { run, refusal } = commandsHere({ DATA_DIR: dataDir });
  const { exitCode, stdout } = await run('backup', '--to', file);
  assert.equal(exitCode, 0);
  assert.match(stdout, /4 outbound and 2 inbound documents/u);
  assert.match(stdout, /CREDENTIALS_KEY is not in it/u);
  assert.deepEqual(readdirSync(folder).toSorted(), ['dostava.backup', 'dostava.backup.sha256']);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.equal(spawnSync('sha256sum', ['-c', 'dostava.backup.sha256'], { cwd: folder }).status, 0);
  assert.match((await refusal('backup', '--to', file))[1], /is there already/u);

  const target = join(temporaryFolder(), 'new');
  assert.equal((await commandsHere({ DATA_DIR: target }).run('restore', '--from', file)).exitCode, 0);
  const [restored, original] = [contentOf(target), contentOf(dataDir)];
  const added = restored['audit']?.filter((row) => !original['audit']?.includes(row)) ?? [];
  assert.equal(added.length, 1);
  assert.match(added[0] ?? '', /\|COMMAND\|restore [0-9a-f]{64} from /u);
  assert.deepEqual({ ...restored, audit: restored['audit']?.filter((row) => !added.includes(row)) }, original);
  const { isIntact, waiting } = await commandsHere({ DATA_DIR: target }).json<{ isIntact: boolean; waiting: number }>(
    ...['audit', 'verify'],
  );
  assert.deepEqual([isIntact, waiting], [true, 1], 'the seals hold for the restored database');
});

function contentOf(dataDir: string): Record<string, readonly string[]> {
  const database = new DatabaseSync(join(dataDir, 'dostava.sqlite'), { readOnly: true });
  const rows = (table: string) =>
    database.prepare(`select ${columnsOf(database, table).join(', ')} from ${table}`).all();
  const text = (row: Record<string, unknown>) =>
    Object.values(row)
      .map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value)))
      .join('|');
  const content = Object.fromEntries(
    tablesOf(database).map((table) => [
      table,
      rows(table)
        .map((row) => text(row))
        .toSorted(),
    ]),
  );
  database.close();
  return content;
}

test('what one run writes, a backup or a restored database, no other one takes from it', async () => {
  const { json, refusal } = commandsHere({ DATA_DIR: await filledStore() });
  const [folder, target] = [temporaryFolder(), temporaryFolder()];
  const file = join(folder, 'dostava.backup');
  const elsewhere = commandsHere({ DATA_DIR: target });
  const underWay =
    /^Another run is writing .*\. Start this one again when that has ended; where there is none, the file system has no locks, .*\.$/mu;
  {
    using _lock = lockDraft(`${file}.part`);
    writeFileSync(`${file}.part`, 'of the first');
    assert.match((await refusal('backup', '--to', file))[1], underWay);
    assert.equal(readFileSync(`${file}.part`, 'utf8'), 'of the first');
  }
  await json('backup', '--to', file);
  {
    using _lock = lockDraft(join(target, 'dostava.sqlite.restoring'));
    assert.match((await elsewhere.refusal('restore', '--from', file))[1], underWay);
  }
  await elsewhere.json('restore', '--from', file);
  assert.deepEqual(readdirSync(folder).toSorted(), ['dostava.backup', 'dostava.backup.sha256']);
  assert.deepEqual(readdirSync(target), ['dostava.sqlite']);
});

test('a damaged backup is refused and nothing is written', async () => {
  const dataDir = await filledStore({ largestBytes: 2_000_000 });
  const file = join(temporaryFolder(), 'dostava.backup');
  await commandsHere({ DATA_DIR: dataDir }).json('backup', '--to', file);
  const target = temporaryFolder();
  const { refusal, json } = commandsHere({ DATA_DIR: target });
  const whole = readFileSync(file);
  const broken = Buffer.from(whole);
  // In the middle of a page in the middle of two large documents, where no structure of the database notices it.
  const place = Math.floor(whole.length / 2 / PAGE_BYTES) * PAGE_BYTES + PAGE_BYTES / 2;
  broken.writeUInt8(broken.readUInt8(place) ^ 1, place);
  writeFileSync(file, broken);
  assert.match((await refusal('restore', '--from', file))[1], /not what was backed up/u);
  rmSync(`${file}.sha256`);
  assert.match((await refusal('restore', '--from', file))[1], /is damaged: file [0-9a-f]{64} of \d{13}\./u);
  writeFileSync(file, whole.subarray(0, 1_000_000));
  assert.match((await refusal('restore', '--from', file))[1], /damaged|cannot be read/u);
  writeFileSync(file, 'no database');
  assert.match((await refusal('restore', '--from', file))[1], /dostava\.backup cannot be read as a database/u);
  // As a copy for which there was no room.
  writeFileSync(file, '');
  assert.match((await refusal('restore', '--from', file))[1], /dostava\.backup has no tables of Dostava: it is empty/u);
  assert.equal((await refusal('restore', '--from', `${file}-of-yesterday`))[0], 3);
  const folder = temporaryFolder();
  const [, what] = await refusal('restore', '--from', folder);
  assert.equal(what, `${folder} is not a file.\n`);
  // Others of its kind have no end, and would fill the disk.
  assert.equal((await refusal('restore', '--from', '/dev/null'))[1], '/dev/null is not a file.\n');
  assert.deepEqual(readdirSync(target), []);
  writeFileSync(file, whole);
  assert.equal((await json<Restored>('restore', '--from', file)).hasChecksum, false);
});

test('a database that was not closed is no backup: what is in its log would be missing', async () => {
  const dataDir = await filledStore();
  const [saved, target] = [join(temporaryFolder(), 'dostava.sqlite'), join(temporaryFolder(), 'new')];
  const writer = new DatabaseSync(join(dataDir, 'dostava.sqlite'));
  writer.exec(`pragma wal_checkpoint(truncate); update tenant set name = 'as it is in the log'`);
  // As on a machine that has died: nobody has closed it.
  for (const suffix of ['', '-wal']) copyFileSync(join(dataDir, `dostava.sqlite${suffix}`), `${saved}${suffix}`);
  writer.close();
  const linked = join(temporaryFolder(), 'saved');
  symlinkSync(saved, linked);
  for (const from of [saved, linked]) {
    const [exitCode, said] = await commandsHere({ DATA_DIR: target }).refusal('restore', '--from', from);
    assert.equal(exitCode, 1);
    assert.match(
      said,
      /its last changes are in .*dostava\.sqlite-wal, and would be missing\. .* backup --to <file>\./u,
    );
  }
  assert.equal(existsSync(target), false);

  // What it advises.
  const backup = join(temporaryFolder(), 'dostava.backup');
  await commandsHere({ DATA_DIR: dirname(saved) }).json('backup', '--to', backup);
  const { run, json } = commandsHere({ DATA_DIR: target });
  assert.equal((await run('restore', '--from', backup)).exitCode, 0);
  const [tenant] = await json<readonly { readonly name: string }[]>('tenant', 'list');
  assert.equal(tenant?.name, 'as it is in the log');
});

test('after a restore nothing is sent until somebody says so; a backup of a newer program is refused', async () => {
  const dataDir = await filledStore();
  const file = join(temporaryFolder(), 'backup');
  await commandsHere({ DATA_DIR: dataDir }).json('backup', '--to', file);
  const restored = commandsHere({ DATA_DIR: temporaryFolder() });
  await restored.json('restore', '--from', file);
  await restored.json('hold', '--reason', 'maintenance');
  const stillHeld = 'restored, not reconciled';
  const told = { isWithoutComparison: false, taxpayersReleased: [], taxpayersHeld: [] };
  const original = new DatabaseSync(join(dataDir, 'dostava.sqlite'), { readOnly: true });
  const apart = original
    .prepare('select tenant from uncompared_tenant')
    .all()
    .map(({ tenant }) => tenant);
  original.close();
  assert.equal(apart.length, 1);
  const first = { isReleased: false, stillHeld, ...told, taxpayersHeld: apart };
  assert.deepEqual(await restored.json('release'), first, 'only the other one is ended');
  const second = { isReleased: true, stillHeld: null, ...told, isWithoutComparison: true, taxpayersReleased: apart };
  assert.deepEqual(await restored.json('release'), second);
  assert.deepEqual(await restored.json('release'), { isReleased: false, stillHeld: null, ...told });
  assert.equal((await restored.json<{ readonly reason: string }>('hold', '--restored')).reason, stillHeld);
  assert.equal((await restored.refusal('hold'))[0], 2);
  assert.match((await restored.refusal('reconcile', '--since', '2999-01-01'))[1], /lies in the future/u);

  const newer = new DatabaseSync(file);
  newer.exec("insert into schema_migration (version, name, applied_at) values (9999, 'later', 0)");
  newer.close();
  rmSync(`${file}.sha256`);
  const elsewhere = commandsHere({ DATA_DIR: temporaryFolder() });
  assert.match((await elsewhere.refusal('restore', '--from', file))[1], /version 9999, newer than this program/u);
  assert.equal((await elsewhere.refusal('tenant', 'list'))[0], 3, 'nothing was put in place');
});

test("on PostgreSQL backup and restore name the command of the server's own tools that does it, without the password", async () => {
  const { refusal } = commandsHere({ DATABASE_URL: 'postgres://dostava:secret@db.internal/dostava' });
  const [backedUp, restored] = await Promise.all([
    refusal('backup', '--to', 'x'),
    refusal('restore', '--from', 'x', '--force'),
  ]);
  assert.deepEqual([backedUp[0], restored[0]], [1, 1]);
  assert.match(backedUp[1], /\n {2}pg_dump --format=custom --file=dostava.dump "\$DATABASE_URL"\n/u);
  assert.match(restored[1], /\n {2}pg_restore .*--dbname="\$DATABASE_URL" dostava.dump\n/u);
  assert.doesNotMatch(`${backedUp[1]}${restored[1]}`, /secret/u);
});

test('a backup of one environment is not restored into the other', async () => {
  const dataDir = await filledStore();
  const file = join(temporaryFolder(), 'dostava.backup');
  await commandsHere({ DATA_DIR: dataDir }).json('backup', '--to', file);
  const target = temporaryFolder();
  const production = commandsHere({ ...PRODUCTION_VARIABLES, DATA_DIR: target });
  const refused = async () => {
    const [exitCode, stderr] = await production.refusal('restore', '--from', file, '--json');
    assert.equal(exitCode, 1);
    assert.match(stderr, /belongs to the environment demo, and ENVIRONMENT is production/u);
    assert.deepEqual(readdirSync(target), []);
  };
  await refused();
  // A backup of an older version has no table for it, but the demo's own key.
  const older = new DatabaseSync(file);
  older.exec('drop table store_environment');
  const secret = hash('sha256', 'demo-alfa', 'buffer');
  older.prepare('update api_key set secret_sha256 = ? where key_id = (select min(key_id) from api_key)').run(secret);
  older.exec('update api_key set created_at = 1');
  older.close();
  rmSync(`${file}.sha256`);
  await refused();
});

test('a restore does not replace the database of the other environment, but one that cannot be read', async () => {
  const file = join(temporaryFolder(), 'dostava.backup');
  await commandsHere({ DATA_DIR: await filledStore() }).json('backup', '--to', file);
  const dataDir = temporaryFolder();
  const production = commandsHere({ ...PRODUCTION_VARIABLES, DATA_DIR: dataDir });
  await production.json('init');
  await production.json('tenant', 'add', '--edb', ALFA, '--name', 'Alfa', '--environment', 'production');
  const forgotten = commandsHere({ DATA_DIR: dataDir });
  const [exitCode, stderr] = await forgotten.refusal('restore', '--from', file, '--force');
  assert.equal(exitCode, 1);
  assert.match(stderr, /dostava\.sqlite belongs to the environment production, and ENVIRONMENT is demo/u);
  assert.deepEqual(readdirSync(dataDir), ['dostava.sqlite']);
  assert.equal((await production.json<readonly unknown[]>('tenant', 'list')).length, 1);

  writeFileSync(join(dataDir, 'dostava.sqlite'), 'no database');
  const { setAside } = await forgotten.json<Restored>('restore', '--from', file, '--force');
  assert.equal(readFileSync(setAside ?? '', 'utf8'), 'no database');
});
