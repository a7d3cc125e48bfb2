import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { temporaryFolder } from '../support/process.ts';
import { commandsHere } from './commands-here.ts';
import { filledStore } from './filled-store.ts';

const PAGE_BYTES = 4_096;
const FILES = 60;
const TENANT = '4030026000018';
/** A page has two of them. */
const FILE_BYTES = 1_800;
const DAMAGED_EXIT = 4;

type Named = { readonly tenant: string; readonly id: string };
type Damage = { readonly what: string; readonly documents: readonly string[] };
type Found = { readonly files: number; readonly payloads: number; readonly damage: readonly Damage[] };

const contentOf = (number: number) => Buffer.from(`file ${String(number).padStart(3, '0')} `.repeat(FILE_BYTES / 9));
const nameOf = (number: number) => `file ${hash('sha256', contentOf(number))}`;

/** A database with many files beside those that belong to documents. */
async function storeWithFiles(count = FILES): Promise<string> {
  const dataDir = await filledStore();
  const database = new DatabaseSync(join(dataDir, 'dostava.sqlite'));
  const insert = database.prepare(`insert into content (tenant, sha256, bytes) values ('${TENANT}', ?, ?)`);
  for (let number = 0; number < count; number += 1) {
    insert.run(hash('sha256', contentOf(number), 'buffer'), contentOf(number));
  }
  database.close();
  return dataDir;
}

/** Writes over the head of the pages that have these bytes. */
function breakPages(path: string, ...contents: readonly Buffer[]): void {
  const file = readFileSync(path);
  for (const content of contents) {
    const place = file.indexOf(content);
    assert.ok(place > 0, 'it is in the file');
    breakPage(file, place);
  }
  writeFileSync(path, file);
}

function breakPage(file: Buffer, place: number): void {
  const page = Math.floor(place / PAGE_BYTES) * PAGE_BYTES;
  file.fill(0xff, page, page + 8);
}

test('check says whether anything is damaged, by its exit code too', async () => {
  const dataDir = await filledStore();
  const { run } = commandsHere({ DATA_DIR: dataDir });
  const healthy = await run('check');
  assert.deepEqual([healthy.exitCode, healthy.stdout.includes('Nothing is damaged.')], [0, true], healthy.stdout);
  const database = new DatabaseSync(join(dataDir, 'dostava.sqlite'));
  database.exec("update content set bytes = x'00' where rowid = (select min(rowid) from content)");
  database.close();
  const damaged = await run('check');
  assert.equal(damaged.exitCode, 1);
  assert.match(damaged.stdout, /file [0-9a-f]{64} .*[0-9a-f-]{36}.*\n1 is DAMAGED\./su);
});

test('an archive that cannot be read is named and hides nothing that check found in the database', async () => {
  const dataDir = await filledStore();
  const database = new DatabaseSync(join(dataDir, 'dostava.sqlite'));
  database.exec("update content set bytes = x'00' where rowid = (select min(rowid) from content)");
  database.close();
  const archive = join(dataDir, 'a-file');
  writeFileSync(archive, 'no folder');
  const { exitCode, stdout } = await commandsHere({ DATA_DIR: dataDir, ARCHIVE_DIR: archive }).run('check', '--json');
  const found = (JSON.parse(stdout) as Found).damage.map(({ what }) => what);
  assert.equal(exitCode, 1);
  assert.ok(
    found.some((what) => /^file [0-9a-f]{64}$/u.test(what)),
    found.join(),
  );
  assert.ok(
    found.some((what) => what.startsWith(`The archive ${archive} cannot be read: ENOTDIR`)),
    found.join(),
  );
});

test('check goes on behind pages that cannot be read, and names all that is damaged', async () => {
  const dataDir = await storeWithFiles();
  const { run } = commandsHere({ DATA_DIR: dataDir });
  const path = join(dataDir, 'dostava.sqlite');
  const whole = JSON.parse((await run('check', '--json')).stdout) as Found;
  assert.deepEqual(whole.damage, []);

  const database = new DatabaseSync(path);
  database.exec("update outbound_payload set text = 'other', text_sha256 = zeroblob(32)");
  database.close();
  breakPages(path, contentOf(5), contentOf(40));
  const { exitCode, stdout } = await run('check', '--json');
  const found = JSON.parse(stdout) as Found;
  const named = found.damage.map(({ what }) => what);
  assert.equal(exitCode, 1);
  assert.ok(named.includes(nameOf(5)) && named.includes(nameOf(40)), stdout);
  assert.ok(named.includes('payload'), 'what comes after the damaged pages is read too');
  assert.equal(named.filter((what) => what.startsWith('file ')).length, 4, 'nothing else on other pages is named');
  assert.deepEqual([found.files, found.payloads], [whole.files, whole.payloads]);
});

test('where the list of files is damaged too, check reads it from both ends and says what lies between', async () => {
  const many = 400;
  const dataDir = await storeWithFiles(many);
  const keys = Array.from({ length: many }, (_, number) => hash('sha256', contentOf(number), 'buffer'));
  const middle = keys.toSorted(Buffer.compare)[many / 2] ?? assert.fail();
  // In the index the key follows the tenant, as in the table; the index has been filled in random order, and the table comes first.
  const path = join(dataDir, 'dostava.sqlite');
  const place = Buffer.concat([Buffer.from(TENANT), middle]);
  const bytes = readFileSync(path);
  const inIndex = [bytes.indexOf(place), bytes.lastIndexOf(place)].find(
    (at) => !bytes.subarray(at + place.length, at + place.length + 4).equals(Buffer.from('file')),
  );
  breakPage(bytes, inIndex ?? assert.fail('no index'));
  writeFileSync(path, bytes);
  const { files, damage } = JSON.parse(
    (await commandsHere({ DATA_DIR: dataDir }).run('check', '--json')).stdout,
  ) as Found;
  assert.ok(files > many / 2 && files < many, `${files} of ${many}`);
  const gap = /^the list of files, from \d{13} [0-9a-f]{64} to \d{13} [0-9a-f]{64}, cannot be read$/u;
  assert.equal(damage.filter(({ what }) => gap.test(what)).length, 1, JSON.stringify(damage));
});

test('a damaged file keeps no other document from the archive: it is named, and the exit code tells', async () => {
  const dataDir = await filledStore();
  const database = new DatabaseSync(join(dataDir, 'dostava.sqlite'));
  const { id } = database.prepare('select id from outbound where status = 40 limit 1').get() as { id: string };
  database
    .prepare("update content set bytes = x'00' where sha256 = (select pdf_sha256 from outbound where id = ?)")
    .run(id);
  database.close();
  const archive = ['archive', '--before', new Date().toISOString(), '--to', join(temporaryFolder(), 'archive')];
  const { exitCode, stdout } = await commandsHere({ DATA_DIR: dataDir }).run(...archive);
  assert.equal(exitCode, DAMAGED_EXIT, stdout);
  assert.match(stdout, new RegExp(`file [0-9a-f]{64} .*${id}`, 'u'));
  assert.match(stdout, /1 document was written, .*1 document was left out, because stored bytes are DAMAGED/su);
});

// On the way to the attempts of another document SQLite reads those that stand beside them.
for (const [part, leftOut, columns] of [
  ['attempts', 2, 'outbound_attempt (tenant, doc_uid, ordinal, act, started_at, answer)'],
  ['payload', 1, 'outbound_payload (tenant, doc_uid, doc_type_code, doc_number, doc_date, doc_id, warnings, text)'],
] as const) {
  test(`nor does one with its ${part} on a page that cannot be read`, async () => {
    const dataDir = await filledStore();
    const path = join(dataDir, 'dostava.sqlite');
    const database = new DatabaseSync(path);
    const { tenant, id } = database.prepare('select tenant, id from outbound where status = 40 limit 1').get() as Named;
    const given = columns.split(', ').slice(2, -1);
    const mark = Buffer.from(`the middle of the ${part}`);
    const long = `${'.'.repeat(2 * PAGE_BYTES)}${mark}${'.'.repeat(2 * PAGE_BYTES)}`;
    database.exec(`delete from ${columns.split(' ', 1)[0]}`);
    database.prepare(`insert into ${columns} values (?, ?, ${given.map(() => '1').join()}, ?)`).run(tenant, id, long);
    database.close();
    breakPages(path, mark);
    const archive = ['archive', '--before', new Date().toISOString(), '--to', join(temporaryFolder(), 'archive')];
    const { exitCode, stdout } = await commandsHere({ DATA_DIR: dataDir }).run(...archive);
    assert.equal(exitCode, DAMAGED_EXIT, stdout);
    assert.match(stdout, new RegExp(`${part} cannot be read .*${id}`, 'u'));
    const [written] = /^\d+(?= documents? w)/mu.exec(stdout) ?? [];
    assert.deepEqual([Number(written), stdout.split('cannot be read').length - 1], [2 - leftOut, leftOut], stdout);
  });
}

test('a damaged file does not prevent a backup: it is named, the exit code tells, and everything else is restored', async () => {
  const dataDir = await storeWithFiles();
  const database = new DatabaseSync(join(dataDir, 'dostava.sqlite'));
  const { id } = database.prepare('select id from outbound where archived_at is null limit 1').get() as { id: string };
  database
    .prepare("update content set bytes = x'00' where sha256 = (select ubl_sha256 from outbound where id = ?)")
    .run(id);
  database.close();
  const file = join(temporaryFolder(), 'dostava.backup');
  const written = await commandsHere({ DATA_DIR: dataDir }).run('backup', '--to', file);
  assert.equal(written.exitCode, DAMAGED_EXIT);
  assert.match(written.stdout, new RegExp(`file [0-9a-f]{64} .*${id}`, 'u'));
  assert.match(written.stdout, /1 is DAMAGED in the database, and so in this backup\. Keep older backups/u);

  const target = temporaryFolder();
  const { refusal, json, run } = commandsHere({ DATA_DIR: target });
  const [exitCode, stderr] = await refusal('restore', '--from', file);
  assert.equal(exitCode, 1);
  assert.match(
    stderr,
    /is damaged: file [0-9a-f]{64} of \d{13}\. An older backup may be whole\. With --accept-damage/u,
  );
  const restored = await run('restore', '--from', file, '--accept-damage', '--json');
  assert.equal(restored.exitCode, DAMAGED_EXIT);
  assert.deepEqual((JSON.parse(restored.stdout) as Found).damage[0]?.documents, [id]);
  assert.ok((await json<readonly unknown[]>('tenant', 'list')).length > 0);
});

test('pages that cannot be read do not prevent a backup either; one that was changed afterwards is never restored', async () => {
  const dataDir = await storeWithFiles();
  breakPages(join(dataDir, 'dostava.sqlite'), contentOf(5), contentOf(40));
  const file = join(temporaryFolder(), 'dostava.backup');
  const written = await commandsHere({ DATA_DIR: dataDir }).run('backup', '--to', file, '--json');
  const { damage } = JSON.parse(written.stdout) as Found;
  assert.equal(written.exitCode, DAMAGED_EXIT);
  for (const number of [5, 40]) assert.ok(damage.some(({ what }) => what === nameOf(number)));

  const { run, refusal } = commandsHere({ DATA_DIR: temporaryFolder() });
  const whole = readFileSync(file);
  breakPages(file, contentOf(20));
  const [, stderr] = await refusal('restore', '--from', file, '--accept-damage');
  assert.match(stderr, /is not what was backed up/u);
  rmSync(file);
  writeFileSync(file, whole);
  assert.equal((await run('restore', '--from', file, '--accept-damage')).exitCode, DAMAGED_EXIT);
});
