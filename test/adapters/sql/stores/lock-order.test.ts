import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Sql } from '../../../../src/adapters/sql/engine.ts';
import { deliveryStore } from '../../../../src/adapters/sql/stores/outbound/delivery-store.ts';
import { voidStore } from '../../../../src/adapters/sql/stores/outbound/void-store.ts';
import type { DocUid } from '../../../../src/domain/documents/doc-uid.ts';
import { MORNING, newEdb } from '../../../engines/samples.ts';

const LEASE = { token: 'worker', until: MORNING };
const SENT = { docTypeCode: '100', docNumber: '7-ST', docDate: '2026-11-16', docId: 'V', text: '{}' };
const FAILED = { state: 'requested', dueAt: MORNING, failures: 1, failureCode: null, failureMessage: null } as const;

/** Writes down what is locked and changed, in that order. */
function noting(calls: string[]): Sql {
  return {
    lock: (name: string) => void calls.push(name),
    async run() {
      calls.push('row');
      return 1;
    },
  } as unknown as Sql;
}

// Whoever requests the void once more has the lock and waits for the row: with the row first, each would wait for the other.
test('a worker takes the lock of the tenant before it changes the row of a void', async () => {
  const edb = newEdb();
  const calls: string[] = [];
  const { beginSend, settle } = voidStore(noting(calls));
  await beginSend(edb, 'document' as DocUid, LEASE, { ...SENT, requestTimestamp: '2026-11-16T09:00:00' }, MORNING);
  await settle(edb, 'document' as DocUid, LEASE.token, FAILED);
  assert.deepEqual(calls, [`outbound ${edb}`, 'row', `outbound ${edb}`, 'row']);
});

// Whoever cancels it has the lock and waits for the row, and the worker takes the lock for the record of its attempt.
test('a worker takes the lock of the tenant before it releases a document', async () => {
  const edb = newEdb();
  const calls: string[] = [];
  await deliveryStore(noting(calls)).release(edb, 'document' as DocUid, LEASE.token, { dueAt: MORNING });
  assert.deepEqual(calls, [`outbound ${edb}`, 'row']);
});
