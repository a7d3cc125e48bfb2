import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemHasher } from '../../src/adapters/platform/platform.ts';
import type { IdempotencyRecord, IdempotencyRecordKey } from '../../src/application/ports/storage/idempotency-store.ts';
import type { Edb } from '../../src/domain/accounts/edb.ts';
import { nextDocUid } from '../../src/domain/documents/doc-uid.ts';
import { type OpenDatabase, onEveryEngine } from '../support/engines.ts';
import { MORNING, newEdb, plain, saveIdempotencyRecord } from './samples.ts';

const HOUR_MS = 3_600_000;

function keyOf(tenant: Edb, text: string, software = 'ledger'): IdempotencyRecordKey {
  return { tenant, software, idempotencyKey: systemHasher.sha256(text) };
}

function submissionAt(time: number): IdempotencyRecord {
  return {
    contentSha256: plain(systemHasher.sha256(String(time))),
    docUid: nextDocUid(time, null, new Uint8Array(10)),
    receivedAt: time,
  };
}

function rememberBy({ engine }: OpenDatabase, key: IdempotencyRecordKey, submission: IdempotencyRecord) {
  const { receivedAt } = submission;
  const record = { ...key, ...submission, expiresAt: receivedAt + HOUR_MS };
  return engine.transaction((sql) => saveIdempotencyRecord(sql, record, receivedAt));
}

onEveryEngine('idempotency records', (database) => {
  const remember = (key: IdempotencyRecordKey, submission: IdempotencyRecord) =>
    rememberBy(database(), key, submission);
  const find = async (key: IdempotencyRecordKey, now: number) => {
    const found = await database().storage.idempotency.find(key, now);
    return found === null ? null : { ...found, contentSha256: plain(found.contentSha256) };
  };
  const forget = (now: number, limit: number) =>
    database().storage.transaction((tx) => tx.idempotency.deleteExpired(now, limit));

  test('a submission is remembered until its hour is over, and not a millisecond longer', async () => {
    const key = keyOf(newEdb(), 'one');
    const submission = submissionAt(MORNING);
    assert.equal(await find(key, MORNING), null);
    assert.equal(await remember(key, submission), true);
    assert.deepEqual(await find(key, MORNING + HOUR_MS - 1), submission);
    assert.equal(await find(key, MORNING + HOUR_MS), null);
  });

  test('a key that is still remembered cannot be taken, and keeps its first submission', async () => {
    const key = keyOf(newEdb(), 'one');
    const first = submissionAt(MORNING);
    await remember(key, first);
    assert.equal(await remember(key, submissionAt(MORNING + HOUR_MS - 1)), false);
    assert.deepEqual(await find(key, MORNING + 1), first);
  });

  test('a key whose hour is over can be taken by another submission, even before it is cleared away', async () => {
    const key = keyOf(newEdb(), 'one');
    const second = submissionAt(MORNING + HOUR_MS);
    await remember(key, submissionAt(MORNING));
    assert.equal(await remember(key, second), true);
    assert.deepEqual(await find(key, MORNING + HOUR_MS), second);
    assert.deepEqual(await find(key, MORNING + 2 * HOUR_MS - 1), second);
  });

  test('a key belongs to one tenant and one software', async () => {
    const [one, two] = [newEdb(), newEdb()];
    await remember(keyOf(one, 'same'), submissionAt(MORNING));
    assert.equal(await find(keyOf(two, 'same'), MORNING), null);
    assert.equal(await find(keyOf(one, 'same', 'shop'), MORNING), null);
    assert.equal(await find(keyOf(one, 'other'), MORNING), null);
    assert.equal(await remember(keyOf(two, 'same'), submissionAt(MORNING)), true);
    assert.equal(await remember(keyOf(one, 'same', 'shop'), submissionAt(MORNING)), true);
  });

  test('of many who take a free key at the same moment, by two programs, exactly one gets it', async () => {
    const key = keyOf(newEdb(), 'contested');
    const other = await database().openAgain();
    const taken = await Promise.all(
      Array.from({ length: 30 }, (_, index) => {
        const submission = submissionAt(MORNING + index);
        return rememberBy(index % 2 === 0 ? database() : other, key, submission);
      }),
    );
    assert.equal(taken.filter(Boolean).length, 1);
    const winner = submissionAt(MORNING + taken.indexOf(true));
    assert.deepEqual(await find(key, MORNING + 100), winner);
  });

  test('clearing away takes the expired ones, oldest first and no more than asked, and leaves the rest', async () => {
    const tenant = newEdb();
    // Whatever other tests left behind goes first.
    await forget(MORNING + 100 * HOUR_MS, 1_000);
    const keys = Array.from({ length: 5 }, (_, index) => keyOf(tenant, `key ${index}`));
    for (const [index, key] of keys.entries()) await remember(key, submissionAt(MORNING + index));
    const now = MORNING + HOUR_MS + 2;
    assert.equal(await forget(now, 2), 2);
    assert.equal(await forget(now, 2), 1);
    assert.equal(await forget(now, 2), 0);
    const before = MORNING + HOUR_MS - 1;
    const kept = await Promise.all(keys.map(async (key) => (await find(key, before)) !== null));
    assert.deepEqual(kept, [false, false, false, true, true]);
  });
});
