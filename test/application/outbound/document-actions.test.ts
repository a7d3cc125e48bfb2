import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { systemHasher } from '../../../src/adapters/platform/platform.ts';
import { manageTenants } from '../../../src/application/accounts/manage-tenants.ts';
import { recordCommand } from '../../../src/application/audit/record-command.ts';
import { OperatorError } from '../../../src/application/errors/operator-error.ts';
import { Problem } from '../../../src/application/errors/problem.ts';
import type { ErrorCode } from '../../../src/application/errors/problem-catalogue.ts';
import { acknowledgeInbound } from '../../../src/application/inbound/acknowledge-inbound.ts';
import { expireIdempotencyRecords } from '../../../src/application/maintenance/expire-idempotency-records.ts';
import { cancelOutbound } from '../../../src/application/outbound/cancel-outbound.ts';
import { findOutboundTenant } from '../../../src/application/outbound/find-outbound-tenant.ts';
import { reopenOutbound } from '../../../src/application/outbound/reopen-outbound.ts';
import { requeueOutbound } from '../../../src/application/outbound/requeue-outbound.ts';
import type { Edb } from '../../../src/domain/accounts/edb.ts';
import type { DocUid } from '../../../src/domain/documents/doc-uid.ts';
import { firstDocUidAt } from '../../../src/domain/documents/doc-uid.ts';
import type { OutboundStatus } from '../../../src/domain/documents/outbound-status.ts';
import {
  addOutboundIn,
  MORNING,
  newEdb,
  newInbound,
  newOutbound,
  newTenant,
  record,
  recordTest,
  saveIdempotencyRecord,
} from '../../engines/samples.ts';
import { createTestDatabase, type TestDatabase } from '../../support/engines.ts';
import { clockAt } from '../../support/test-clock.ts';
import { callerOf } from '../accounts/callers.ts';

const UNKNOWN = firstDocUidAt(MORNING);
const HOUR = 3_600_000;
const ANY_AUDIT = { keyId: null, docUid: null, since: null, until: null, limit: 100 };

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.close());

/** A document that has come as far as the given status. */
async function documentIn(tenant: Edb, status: OutboundStatus, at = MORNING): Promise<DocUid> {
  const failure = { failureCode: 'CREDENTIALS' };
  const stored = await database.storage.transaction((tx) =>
    addOutboundIn(tx, tenant, status, newOutbound(), at, failure),
  );
  return stored.docUid;
}

function refusedWith(code: ErrorCode) {
  return (error: unknown) => error instanceof Problem && error.code === code;
}

describe('cancelling', () => {
  const cancel = () => cancelOutbound({ storage: database.storage, clock: clockAt() });

  for (const status of [10, 20, 55] as const) {
    test(`a document in status ${status} is cancelled, with its history and its audit entry`, async () => {
      const caller = callerOf();
      const { edb } = caller.tenant;
      const docUid = await documentIn(edb, status);
      assert.deepEqual(await cancel()(caller, docUid), { docUid, status: 60 });
      assert.deepEqual((await database.storage.outbound.history(edb, docUid)).at(-1), {
        status: 60,
        at: MORNING,
        failureCode: null,
      });
      const entries = await database.storage.audit.read({ ...ANY_AUDIT, tenant: edb });
      assert.deepEqual([entries.map((entry) => entry.docUid), caller.timesAudited()], [[docUid], 1]);
    });
  }

  for (const [status, code] of [
    [30, 'ERR-3003'],
    [40, 'ERR-3003'],
    [50, 'ERR-3003'],
    [60, 'ERR-3004'],
  ] as const) {
    test(`a document in status ${status} is not: ${code}, and nothing is written`, async () => {
      const caller = callerOf();
      const docUid = await documentIn(caller.tenant.edb, status);
      await assert.rejects(cancel()(caller, docUid), refusedWith(code));
      assert.equal((await database.storage.outbound.find(caller.tenant.edb, docUid))?.status, status);
      assert.deepEqual(await database.storage.audit.read({ ...ANY_AUDIT, tenant: caller.tenant.edb }), []);
      assert.equal(caller.timesAudited(), 0);
    });
  }

  async function race(cancelsBefore: number): Promise<void> {
    const { tenant } = callerOf();
    const docUid = await documentIn(tenant.edb, 20);
    const cancels = (count: number) => Array.from({ length: count }, () => cancel()(callerOf(tenant), docUid));
    const early = cancels(cancelsBefore);
    const send = database.storage.transaction((tx) =>
      tx.outbound.move(tenant.edb, docUid, 20, 'send', record(MORNING)),
    );
    const cancelled = await Promise.allSettled([...early, ...cancels(5 - cancelsBefore)]);
    const isSent = await send;
    const refusals = cancelled.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    assert.equal(refusals.length, isSent ? 5 : 4);
    assert.ok(refusals.every(refusedWith(isSent ? 'ERR-3003' : 'ERR-3004')));
    assert.equal((await database.storage.outbound.find(tenant.edb, docUid))?.status, isSent ? 30 : 60);
  }

  test('many cancels and a worker that sends the document at the same moment: exactly one wins, the rest see it', async () => {
    for (let cancelsBefore = 0; cancelsBefore <= 5; cancelsBefore += 1) await race(cancelsBefore);
  });

  test("an unknown document and another tenant's get one and the same answer", async () => {
    const foreign = await documentIn(newEdb(), 10);
    const answers = new Set<string>();
    for (const docUid of [UNKNOWN, foreign]) {
      const error = await cancel()(callerOf(), docUid).catch((refusal: unknown) => refusal as Problem);
      assert.ok(refusedWith('ERR-3001')(error));
      answers.add((error as Problem).detail);
    }
    assert.equal(answers.size, 1);
  });
});

describe('acknowledging', () => {
  test('the first time counts and is on record; a repeat returns it and records nothing', async () => {
    const { tenant } = callerOf();
    const clock = clockAt();
    const acknowledge = acknowledgeInbound({ storage: database.storage, clock });
    const { stored } = await database.storage.transaction((tx) => tx.inbound.add(tenant.edb, newInbound(), MORNING));
    const [first, second] = [callerOf(tenant), callerOf(tenant)];
    assert.deepEqual(await acknowledge(first, stored.docUid), { docUid: stored.docUid, ackedAt: MORNING });
    clock.advance(5_000);
    assert.deepEqual(await acknowledge(second, stored.docUid), { docUid: stored.docUid, ackedAt: MORNING });
    assert.deepEqual([first.timesAudited(), second.timesAudited()], [1, 0]);
    assert.equal((await database.storage.audit.read({ ...ANY_AUDIT, tenant: tenant.edb })).length, 1);
  });

  test("an unknown document and another tenant's are not found", async () => {
    const acknowledge = acknowledgeInbound({ storage: database.storage, clock: clockAt() });
    const { stored } = await database.storage.transaction((tx) => tx.inbound.add(newEdb(), newInbound(), MORNING));
    for (const docUid of [UNKNOWN, stored.docUid]) {
      await assert.rejects(acknowledge(callerOf(), docUid), refusedWith('ERR-3001'));
    }
  });
});

describe('requeueing by the operator', () => {
  const requeue = () => requeueOutbound({ storage: database.storage, clock: clockAt(), record: recordTest });

  test('a failed document waits for its turn again, without its failure', async () => {
    const tenant = newEdb();
    const docUid = await documentIn(tenant, 55);
    assert.equal((await database.storage.outbound.find(tenant, docUid))?.failureCode, 'CREDENTIALS');
    assert.equal(await requeue()(tenant, docUid), 'requeued');
    const found = await database.storage.outbound.find(tenant, docUid);
    assert.deepEqual([found?.status, found?.failureCode], [20, null]);
    assert.equal(await requeue()(tenant, docUid), 'not-failed');
  });

  for (const status of [10, 20, 30, 40, 50, 60] as const) {
    test(`a document in status ${status} did not fail and stays where it is`, async () => {
      const tenant = newEdb();
      const docUid = await documentIn(tenant, status);
      assert.equal(await requeue()(tenant, docUid), 'not-failed');
      assert.equal((await database.storage.outbound.find(tenant, docUid))?.status, status);
    });
  }

  describe('after the environment of its tenant was changed', () => {
    const reopen = () => reopenOutbound({ storage: database.storage, clock: clockAt(), record: recordTest });

    /** A tenant whose environment was changed an hour after the morning. */
    async function movedTenant(
      status: OutboundStatus,
      submittedAt = MORNING,
    ): Promise<{ readonly edb: Edb; readonly docUid: DocUid }> {
      const tenant = newTenant();
      const clock = clockAt();
      const recordOwn = recordCommand({ operator: 'ana', clock, newId: () => crypto.randomUUID() });
      const tenants = manageTenants({ storage: database.storage, clock, record: recordOwn });
      await tenants.add(tenant);
      const docUid = await documentIn(tenant.edb, status, submittedAt);
      clock.advance(HOUR);
      await tenants.set(tenant.edb, { name: 'Renamed', environment: 'production' });
      return { edb: tenant.edb, docUid };
    }

    test('a failed document of before is not sent to the other one', async () => {
      const { edb, docUid } = await movedTenant(55);
      assert.equal(await requeue()(edb, docUid), 'former-environment');
      assert.equal((await database.storage.outbound.find(edb, docUid))?.status, 55);
    });

    test('a rejected document of before is neither looked up there nor sent', async () => {
      const { edb, docUid } = await movedTenant(50);
      assert.equal(await reopen()(edb, docUid), 'former-environment');
      assert.equal((await database.storage.outbound.find(edb, docUid))?.status, 50);
    });

    test('one of before is not either where the clock was ahead that it came by', async () => {
      const failed = await movedTenant(55, MORNING + 2 * HOUR);
      assert.equal(await requeue()(failed.edb, failed.docUid), 'former-environment');
      const rejected = await movedTenant(50, MORNING + 2 * HOUR);
      assert.equal(await reopen()(rejected.edb, rejected.docUid), 'former-environment');
    });

    test('one that was submitted later is', async () => {
      const { edb } = await movedTenant(55);
      const later = MORNING + 2 * HOUR;
      const { docUid } = await database.storage.transaction((tx) => addOutboundIn(tx, edb, 55, newOutbound(), later));
      assert.equal(await requeue()(edb, docUid), 'requeued');
    });

    test('a change while it is being retried is seen too', async () => {
      const tenant = newTenant();
      await database.storage.transaction((tx) => tx.tenants.add(tenant, MORNING));
      const docUid = await documentIn(tenant.edb, 55);
      const before = { environment: 'production', changedAt: null } as const;
      assert.equal(await requeue()(tenant.edb, docUid, async () => before), 'former-environment');
    });
  });

  test('what is not there is not found', async () => {
    const foreign = await documentIn(newEdb(), 55);
    for (const docUid of [UNKNOWN, foreign]) assert.equal(await requeue()(newEdb(), docUid), 'not-found');
  });
});

describe('the owner of a document', () => {
  test('is found by the docUid alone; a document nobody has is not found', async () => {
    const tenant = newTenant();
    await database.storage.transaction(async (tx) => {
      await tx.tenants.add(newTenant(), MORNING);
      await tx.tenants.add(tenant, MORNING);
    });
    const docUid = await documentIn(tenant.edb, 10);
    const find = findOutboundTenant({ storage: database.storage });
    assert.equal(await find(docUid), tenant.edb);
    await assert.rejects(find(UNKNOWN), (error) => error instanceof OperatorError && error.kind === 'not-found');
  });
});

describe('expiring idempotency records', () => {
  test('clears away everything that is over, however much it is, and nothing that is not', async () => {
    const tenant = newEdb();
    const clock = clockAt();
    const forget = expireIdempotencyRecords({
      ...{ storage: database.storage, clock, marginMs: 0 },
      clockWatch: { check: async () => 'right' },
    });
    await database.engine.transaction(async (sql) => {
      for (let index = 0; index < 2_500; index += 1) {
        const key = { tenant, software: 'ledger', idempotencyKey: systemHasher.sha256(String(index)) };
        const submission = { contentSha256: new Uint8Array(32), docUid: UNKNOWN, receivedAt: MORNING };
        const expiresAt = MORNING + (index < 2_100 ? 1_000 : 2_000);
        await saveIdempotencyRecord(sql, { ...key, ...submission, expiresAt }, MORNING);
      }
    });
    assert.equal(await forget(), 0);
    // For processes whose clocks are an hour behind they stay so much longer.
    clock.advance(HOUR + 1_000);
    assert.equal(await forget(), 2_100);
    assert.equal(await forget(), 0);
    clock.advance(1_000);
    assert.equal(await forget(), 400);
  });
});
