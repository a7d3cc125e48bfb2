import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemHasher } from '../../src/adapters/platform/platform.ts';
import { expireAuditTrail } from '../../src/application/audit/expire-audit-trail.ts';
import { sealAuditTrail } from '../../src/application/audit/seal-audit-trail.ts';
import { watchClock } from '../../src/application/clocks/watch-clock.ts';
import { expireIdempotencyRecords } from '../../src/application/maintenance/expire-idempotency-records.ts';
import type { IdempotencyRecord, IdempotencyRecordKey } from '../../src/application/ports/storage/idempotency-store.ts';
import { nextDocUid } from '../../src/domain/documents/doc-uid.ts';
import { onEveryEngine } from '../support/engines.ts';
import { clockAt } from '../support/test-clock.ts';
import { fileOf, MORNING, newAuditEntry, newEdb, saveIdempotencyRecord } from './samples.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const LIMIT_MS = 5 * MINUTE;

/** The worker's clock, and what it makes of it beside that of an authority whose clock is right. */
function workerAt(now: number, rightTime: number | null) {
  const clock = clockAt(now);
  const authority = {
    ...({ name: 'authority', group: 'authority', limitMs: LIMIT_MS, clock } as const),
    time: async () => rightTime ?? Promise.reject(new Error('no answer')),
  };
  return { clock, clockWatch: watchClock({ references: [authority], onChange: () => undefined }) };
}

/** The worker's clock is set between the authority's answer and the deletion, in one direction or the other. */
function workerSetFrom(before: number, after: number, rightTime: number) {
  const clock = clockAt(before);
  const authority = {
    ...({ name: 'authority', group: 'authority', limitMs: LIMIT_MS, clock: { now: () => rightTime } } as const),
    async time() {
      clock.set(after);
      return rightTime;
    },
  };
  return { clock, clockWatch: watchClock({ references: [authority], onChange: () => undefined }) };
}

onEveryEngine('what is kept for a time', (database) => {
  const remember = (record: IdempotencyRecordKey & Omit<IdempotencyRecord, 'receivedAt'>) =>
    database().engine.transaction((sql) =>
      saveIdempotencyRecord(sql, { ...record, receivedAt: MORNING, expiresAt: MORNING + HOUR }, MORNING),
    );
  const expire = (now: number, rightTime: number | null) =>
    expireIdempotencyRecords({ storage: database().storage, ...workerAt(now, rightTime), marginMs: LIMIT_MS })();

  test('idempotency records are not deleted by a worker an hour ahead, nor before their hour is over by any clock that is an hour behind', async () => {
    const key = { tenant: newEdb(), software: 'ledger', idempotencyKey: fileOf('key').sha256 };
    const record = { contentSha256: fileOf('').sha256, docUid: nextDocUid(MORNING, null, new Uint8Array(10)) };
    await remember({ ...key, ...record });
    const isThere = async () => (await database().storage.idempotency.find(key, MORNING)) !== null;
    assert.equal(await expire(MORNING + 3 * HOUR, MORNING + MINUTE), 0, 'the worker is ahead');
    assert.equal(await expire(MORNING + 3 * HOUR, null), 0, 'nobody confirms its clock');
    // Where the process that took the document was an hour behind, it is only now an hour ago.
    const hourIsOver = MORNING + 2 * HOUR;
    assert.equal(await expire(hourIsOver + LIMIT_MS - 1, hourIsOver - 1), 0, 'ahead by as much as is tolerated');
    assert.equal(await isThere(), true);
    assert.equal(await expire(hourIsOver + LIMIT_MS, hourIsOver), 1);
    assert.equal(await isThere(), false);
  });

  test('a clock that is set while it is compared deletes nothing by the wrong one of its times', async () => {
    const { storage } = database();
    const key = { tenant: newEdb(), software: 'ledger', idempotencyKey: fileOf('step').sha256 };
    const record = { contentSha256: fileOf('').sha256, docUid: nextDocUid(MORNING, null, new Uint8Array(10)) };
    await remember({ ...key, ...record });
    await storage.transaction((tx) => tx.audit.append([newAuditEntry({ at: MORNING })]));
    await sealAuditTrail({ storage, hasher: systemHasher, clock: clockAt(MORNING) }).sealNow();
    const retentionDays = { recognised: 3_650, unrecognised: 30 };
    const far = MORNING + 4_000 * DAY;
    for (const [before, after] of [
      [MORNING, far],
      [far, MORNING],
    ] as const) {
      const worker = () => workerSetFrom(before, after, MORNING);
      assert.equal(await expireIdempotencyRecords({ storage, ...worker(), marginMs: LIMIT_MS })(), 0);
      assert.equal(await expireAuditTrail({ storage, ...worker(), retentionDays })(), 0);
    }
    assert.notEqual(await storage.idempotency.find(key, MORNING), null);
    assert.equal(await expireIdempotencyRecords({ storage, ...workerAt(far, far), marginMs: LIMIT_MS })(), 1);
    assert.ok((await expireAuditTrail({ storage, ...workerAt(far, far), retentionDays })()) >= 1);
  });

  test('the audit trail is not deleted by a worker that is years ahead', async () => {
    const { storage } = database();
    await storage.transaction((tx) => tx.audit.append([newAuditEntry({ at: MORNING })]));
    await sealAuditTrail({ storage, hasher: systemHasher, clock: clockAt(MORNING) }).sealNow();
    const retentionDays = { recognised: 3_650, unrecognised: 30 };
    const at = MORNING + 4_000 * DAY;
    const deletedBy = (rightTime: number | null) =>
      expireAuditTrail({ storage, ...workerAt(at, rightTime), retentionDays })();
    assert.deepEqual([await deletedBy(MORNING), await deletedBy(null)], [0, 0]);
    assert.equal(await deletedBy(at), 1);
  });
});
