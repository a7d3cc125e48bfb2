import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { systemRandom } from '../../../../src/adapters/platform/platform.ts';
import { systemTimers } from '../../../../src/adapters/platform/timers.ts';
import { migrate } from '../../../../src/adapters/sql/migrate.ts';
import { openSqlite } from '../../../../src/adapters/sql/sqlite/open-sqlite.ts';
import { createStorage } from '../../../../src/adapters/sql/storage.ts';
import { assertListIsTrue } from '../../../engines/recount.ts';
import { ANY_OUTBOUND, edb } from '../../../engines/samples.ts';
import { startChild } from '../../../support/child-program.ts';
import { docUidOf } from '../../../support/doc-uid.ts';
import { temporaryFolder } from '../../../support/process.ts';

/**
 * Power loss below SQLite: writes that were not flushed are dropped, in part and in any order, sector by sector.
 *
 * A process stores documents and tells with each acknowledged one how long the write-ahead log was when its commit returned. As every
 * commit flushes the log, at that moment exactly so much of it is on the disk; what it wrote later, up to the next commit, may be there in
 * any part. So one run gives as many losses of power as it has commits. During a checkpoint the log is on the disk, and any part of the
 * pages that go to the database.
 *
 * What this shows: from any such remainder SQLite, with our settings and statements, restores all that was acknowledged and nothing in
 * halves. What it cannot show: that the operating system and the disk flush when SQLite asks them to, nor that it asks; for that the settings
 * are checked (synchronous = full), and that a log which ends a commit earlier does lose an acknowledged document.
 */
const IS_LONG = process.env['TEST_LONG'] === '1';
const LOSSES = IS_LONG ? 300 : 8;
const DOCUMENTS = IS_LONG ? 1_500 : 250;
const SECTOR_BYTES = 512;
const TENANT = edb('4030026000018');

type Acknowledged = { readonly docUid: string; readonly status: number; readonly walBytes: number };
type Recorded = {
  readonly acknowledged: readonly Acknowledged[];
  /** The lengths of the log after each commit. */
  readonly commits: readonly number[];
  readonly database: Buffer;
  readonly wal: Buffer;
};

test('whatever was acknowledged before a loss of power is there, whole, and counted', async (t) => {
  const recorded = await record();
  const { acknowledged, commits, database, wal } = recorded;
  t.diagnostic(`${acknowledged.length} acknowledged documents in ${commits.length} commits`);
  assert.ok(commits.length > LOSSES / 2);
  const until = (walBytes: number) => acknowledged.filter((one) => one.walBytes <= walBytes);

  await t.test('between two commits', async () => {
    for (let loss = 0; loss < LOSSES; loss += 1) {
      const number = Math.floor(Math.random() * (commits.length - 1));
      const [flushed = 0, next = 0] = commits.slice(number, number + 2);
      const left = Buffer.concat([wal.subarray(0, flushed), someSectors(wal.subarray(flushed, next))]);
      await assertThere(database, left, until(flushed));
    }
  });

  await t.test('during a checkpoint', async () => {
    const after = await checkpointed(database, wal);
    for (let loss = 0; loss < LOSSES; loss += 1) await assertThere(mixed(database, after), wal, acknowledged);
  });

  await t.test('a log that ends a commit earlier does lose what that commit acknowledged', async () => {
    const [earlier = 0, last = 0] = commits.slice(-2);
    await assert.rejects(assertThere(database, wal.subarray(0, earlier), until(last)));
  });
});

test('every commit is flushed to the disk before it returns', async () => {
  const engine = openSqlite(join(temporaryFolder(), 'test.sqlite'), systemTimers);
  const settings = await engine.transaction(async (sql) => [
    await sql.get('pragma synchronous', []),
    await sql.get('pragma journal_mode', []),
  ]);
  await engine.close();
  assert.deepEqual(JSON.parse(JSON.stringify(settings)), [{ synchronous: 2 }, { journal_mode: 'wal' }]);
});

/** Begins with tables that are in the database file and an empty log. */
async function record(): Promise<Recorded> {
  const path = join(temporaryFolder(), 'test.sqlite');
  const engine = openSqlite(path, systemTimers);
  await migrate(engine, systemTimers, Date.now());
  await engine.close();
  const child = startChild(new URL('./insert-until-killed.ts', import.meta.url), path, TENANT, 'growing');
  await child.printed(DOCUMENTS);
  child.process.kill('SIGKILL');
  await child.ended;
  const acknowledged = child.lines.map((line) => {
    const [docUid = '', status = '', walBytes = ''] = line.split(' ');
    return { docUid, status: Number(status), walBytes: Number(walBytes) };
  });
  const commits = [...new Set(acknowledged.map(({ walBytes }) => walBytes))];
  return { acknowledged, commits, database: readFileSync(path), wal: readFileSync(`${path}-wal`) };
}

/** Each sector as it was written, never written, or written with something else; after the last one nothing. */
function someSectors(unflushed: Buffer): Buffer {
  const left = Buffer.from(unflushed);
  for (let at = 0; at < left.length; at += SECTOR_BYTES) {
    const sector = left.subarray(at, at + SECTOR_BYTES);
    const fate = Math.random();
    if (fate < 0.3) sector.fill(0);
    else if (fate < 0.4) randomBytes(sector.length).copy(sector);
  }
  return Math.random() < 0.5 ? left : left.subarray(0, Math.floor(Math.random() * left.length));
}

/** Each sector as before or as after. */
function mixed(before: Buffer, after: Buffer): Buffer {
  const left = Buffer.alloc(after.length);
  for (let at = 0; at < after.length; at += SECTOR_BYTES) {
    const source = Math.random() < 0.5 ? before : after;
    source.subarray(at, at + SECTOR_BYTES).copy(left, at);
  }
  return left;
}

async function checkpointed(database: Buffer, wal: Buffer): Promise<Buffer> {
  const path = laidOut(database, wal);
  await openSqlite(path, systemTimers).close();
  return readFileSync(path);
}

function laidOut(database: Buffer, wal: Buffer): string {
  const path = join(temporaryFolder(), 'left.sqlite');
  writeFileSync(path, database);
  writeFileSync(`${path}-wal`, wal);
  return path;
}

async function assertThere(database: Buffer, wal: Buffer, acknowledged: readonly Acknowledged[]): Promise<void> {
  const engine = openSqlite(laidOut(database, wal), systemTimers);
  try {
    const { outbound, audit } = createStorage(engine, systemRandom);
    assert.deepEqual(await engine.all('pragma integrity_check', []), [{ __proto__: null, integrity_check: 'ok' }]);
    for (const { docUid, status } of acknowledged) {
      assert.equal((await outbound.find(TENANT, docUidOf(docUid)))?.status, status);
      assert.equal((await outbound.history(TENANT, docUidOf(docUid))).length, status === 60 ? 2 : 1);
      assert.notEqual(await outbound.file(TENANT, docUidOf(docUid), 'ubl'), null);
    }
    await assertListIsTrue(engine, TENANT, 'outbound');
    // What was not acknowledged may be there as well, but then whole.
    const { totalCount } = await outbound.list(TENANT, ANY_OUTBOUND, { page: 1, pageSize: 1 });
    const everything = { tenant: TENANT, keyId: null, docUid: null, since: null, until: null, limit: 1_000_000 };
    assert.equal((await audit.read(everything)).length, totalCount);
    assert.ok(totalCount >= acknowledged.length);
  } finally {
    await engine.close();
  }
}
