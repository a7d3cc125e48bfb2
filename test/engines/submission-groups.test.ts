import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { systemHasher, systemRandom } from '../../src/adapters/platform/platform.ts';
import type { Engine } from '../../src/adapters/sql/engine.ts';
import { createStorage } from '../../src/adapters/sql/storage.ts';
import { lockTenant } from '../../src/adapters/sql/stores/tenant-lock.ts';
import { ServiceUnavailable } from '../../src/application/errors/service-unavailable.ts';
import { TenantChanged } from '../../src/application/errors/tenant-changed.ts';
import type { Edb } from '../../src/domain/accounts/edb.ts';
import { onEveryEngine } from '../support/engines.ts';
import { fail, gate, postgresEngines } from './postgres-engines.ts';
import { assertListIsTrue } from './recount.ts';
import { fileOf, MORNING, newEdb, newOutbound, newSubmission, newTenant } from './samples.ts';

const HOUR = 3_600_000;

/** How many rows of a tenant each table has that one submission writes one row to. */
async function rowsOf(engine: Engine, tenant: Edb): Promise<readonly number[]> {
  const tables = ['outbound', 'outbound_history', 'content', 'idempotency_record', 'audit', 'document_change'];
  const counts = tables.map((table) =>
    engine.get<{ count: number }>(`select count(*) as count from ${table} where tenant = $1`, [tenant]),
  );
  return (await Promise.all(counts)).map((row) => row?.count ?? 0);
}

const six = (count: number) => Array.from({ length: 6 }, () => count);

onEveryEngine('submissions that come together', (database) => {
  test('are all stored, in lists and a log without gaps, by two programs at once', async () => {
    const programs = [database().storage, (await database().openAgain()).storage];
    const tenants = [newEdb(), newEdb(), newEdb()];
    // One partner has two spellings that an engine may store as the same.
    const partners = ['4080026000023', null, 'A\0', 'A\uFFFD', 'B\uD800'];
    const stored = await Promise.all(
      Array.from({ length: 90 }, (_, index) => {
        const document = newOutbound({ partnerEdb: partners[index % 5] ?? null });
        const submission = newSubmission(tenants[index % 3] ?? assert.fail(), { document });
        return programs[index % 2]?.storeSubmission(submission) ?? assert.fail();
      }),
    );
    assert.equal(new Set(stored.map((one) => one?.docUid)).size, 90);
    for (const tenant of tenants) {
      assert.deepEqual(await rowsOf(database().engine, tenant), six(30));
      await assertListIsTrue(database().engine, tenant, 'outbound');
      const changes = await database().engine.all<{ number: number }>(
        'select number from document_change where tenant = $1 order by number',
        [tenant],
      );
      assert.deepEqual(
        changes.map(({ number }) => number),
        Array.from({ length: 30 }, (_, index) => index + 1),
      );
    }
  });

  test('under one key leave one document, and the others of the group are stored', async () => {
    const { storage, engine } = database();
    const tenant = newEdb();
    const { key } = newSubmission(tenant);
    const same = Array.from({ length: 6 }, () => newSubmission(tenant, { key }));
    const others = Array.from({ length: 6 }, () => newSubmission(tenant));
    const stored = await Promise.all(
      [...others.slice(0, 3), ...same, ...others.slice(3)].map((submission) => storage.storeSubmission(submission)),
    );
    assert.equal(stored.filter((one) => one === null).length, 5);
    assert.deepEqual(await rowsOf(engine, tenant), six(7));
    assert.equal(await storage.storeSubmission(newSubmission(tenant, { key })), null);
    await assertListIsTrue(engine, tenant, 'outbound');
  });

  test('are not stored where their tenant was moved or switched off meanwhile, and the others of the group are', async () => {
    const { storage, engine } = database();
    const changes = [{ environment: 'production' }, { outboundEnabled: false }, {}] as const;
    const tenants = changes.map((change) => newTenant({ environment: 'test', ...change }));
    await storage.transaction(async (tx) => {
      for (const tenant of tenants) await tx.tenants.add(tenant, MORNING);
    });
    const large = newOutbound({ ubl: fileOf('x'.repeat(300_000)) });
    const submissions = tenants.flatMap(({ edb }) => [newSubmission(edb), newSubmission(edb, { document: large })]);
    const outcomes = await Promise.all(
      submissions.map((submission) =>
        storage.storeSubmission(submission).then(
          (stored) => (stored === null ? 'key taken' : 'stored'),
          (error: unknown) => (error instanceof TenantChanged ? error.change : assert.fail(String(error))),
        ),
      ),
    );
    const expected = ['environment', 'outbound-off', 'stored'];
    assert.deepEqual(
      outcomes,
      expected.flatMap((one) => [one, one]),
    );
    const counts = tenants.map(async ({ edb }) => (await rowsOf(engine, edb))[0]);
    assert.deepEqual(await Promise.all(counts), [0, 0, 2]);
    await assert.rejects(
      storage.transaction((tx) => tx.storeSubmission(submissions[0] ?? assert.fail())),
      TenantChanged,
    );
  });

  test('take a key again when its record has expired', async () => {
    const { storage } = database();
    const tenant = newEdb();
    const first = newSubmission(tenant);
    await Promise.all([newSubmission(tenant), first].map((submission) => storage.storeSubmission(submission)));
    const later = Array.from({ length: 3 }, () => newSubmission(tenant, { now: MORNING + HOUR }));
    const again = { ...newSubmission(tenant), key: first.key, now: MORNING + HOUR };
    const stored = await Promise.all([...later, again].map((submission) => storage.storeSubmission(submission)));
    assert.ok(stored.every((one) => one !== null));
  });

  test('store the same bytes once', async () => {
    const { storage, engine } = database();
    const tenant = newEdb();
    const { ubl } = newOutbound();
    const document = { ...newOutbound(), ubl, pdf: ubl };
    const submissions = Array.from({ length: 8 }, () => newSubmission(tenant, { document }));
    await Promise.all(submissions.map((submission) => storage.storeSubmission(submission)));
    assert.deepEqual(await rowsOf(engine, tenant), [8, 8, 1, 8, 8, 8]);
  });

  test('fail alone when one of them fails for a reason of its own', async () => {
    const { storage, engine } = database();
    const [tenant, other] = [newEdb(), newEdb()];
    const auditEntry = { ...newSubmission(tenant).auditEntry, path: undefined as never };
    const submissions = Array.from({ length: 12 }, (_, index) =>
      newSubmission(index % 2 === 0 ? tenant : other, index === 6 ? { auditEntry } : {}),
    );
    const results = await Promise.allSettled(submissions.map((submission) => storage.storeSubmission(submission)));
    const failed = results.flatMap((result, index) => (result.status === 'rejected' ? [[index, result.reason]] : []));
    assert.deepEqual(
      failed.map(([index, reason]) => [index, (reason as Error).message]),
      [[6, "Cannot read properties of undefined (reading 'isWellFormed')"]],
    );
    assert.deepEqual(await rowsOf(engine, tenant), six(5));
    assert.deepEqual(await rowsOf(engine, other), six(6));
    await assertListIsTrue(engine, tenant, 'outbound');
  });
});

const open = postgresEngines();

/** An engine that counts its transactions. */
function counting(engine: Engine): { readonly engine: Engine; readonly transactions: () => number } {
  let transactions = 0;
  const transaction: Engine['transaction'] = (work) => {
    transactions += 1;
    return engine.transaction(work);
  };
  return { engine: { ...engine, transaction }, transactions: () => transactions };
}

test('on PostgreSQL they share transactions, those of a tenant all but the first', async () => {
  const { engine, transactions } = counting(open());
  const storage = createStorage(engine, systemRandom);
  const tenant = newEdb();
  await Promise.all(Array.from({ length: 40 }, () => storage.storeSubmission(newSubmission(tenant))));
  assert.equal(transactions(), 2);
  assert.deepEqual(await rowsOf(engine, tenant), six(40));
});

test('repetitions of a key cost one transaction each, and none of the others', async () => {
  const { engine, transactions } = counting(open());
  const storage = createStorage(engine, systemRandom);
  const tenant = newEdb();
  const { key } = newSubmission(tenant);
  const submissions = Array.from({ length: 12 }, (_, index) => newSubmission(tenant, index % 4 === 1 ? { key } : {}));
  const stored = await Promise.all(submissions.map((submission) => storage.storeSubmission(submission)));
  assert.equal(stored.filter((one) => one === null).length, 2);
  assert.equal(transactions(), 4);
});

test('a group is bounded in members and in bytes', async () => {
  const { engine, transactions } = counting(open());
  const storage = createStorage(engine, systemRandom);
  const many = newEdb();
  await Promise.all(Array.from({ length: 1 + 64 + 1 }, () => storage.storeSubmission(newSubmission(many))));
  assert.equal(transactions(), 3);
  const big = newEdb();
  const bytes = () => {
    const content = randomBytes(250_000);
    return { bytes: content, sha256: systemHasher.sha256(content) };
  };
  const submissions = Array.from({ length: 1 + 4 + 4 }, () =>
    newSubmission(big, { document: newOutbound({ ubl: bytes() }) }),
  );
  await Promise.all(submissions.map((submission) => storage.storeSubmission(submission)));
  assert.equal(transactions(), 3 + 3);
});

test('a tenant whose lock another holds waits alone, and its submissions follow when the lock is free', async () => {
  const storage = createStorage(open(), systemRandom);
  const [blocked, other] = [newEdb(), newEdb()];
  const holding = gate();
  const held = gate();
  const holder = open().transaction(async (sql) => {
    lockTenant(sql, blocked, 'outbound');
    await sql.get('select 1 as one', []);
    held.open();
    await holding.opened;
  });
  await held.opened;
  let isStored = false;
  // While two groups are under way, the next one gathers both tenants.
  const first = [newEdb(), newEdb()].map((tenant) => storage.storeSubmission(newSubmission(tenant)));
  const waiting = Array.from({ length: 5 }, () =>
    storage.storeSubmission(newSubmission(blocked)).then(() => {
      isStored = true;
    }),
  );
  for (let round = 0; round < 3; round += 1) {
    await Promise.all([1, 2, 3].map(() => storage.storeSubmission(newSubmission(other))));
    waiting.push(storage.storeSubmission(newSubmission(blocked)).then(() => undefined));
  }
  await Promise.all(first);
  assert.equal(isStored, false);
  holding.open();
  await Promise.all([holder, ...waiting]);
  assert.deepEqual(await rowsOf(open(), blocked), six(8));
});

test('a failure of the database is that of the whole group, which is stored when it is sent again', async () => {
  const engine = open();
  let isFailing = true;
  const transaction: Engine['transaction'] = (work) =>
    engine.transaction(async (sql) => {
      const result = await work(sql);
      if (isFailing) await fail(sql, '53100');
      return result;
    });
  const storage = createStorage({ ...engine, transaction }, systemRandom);
  const tenant = newEdb();
  const submissions = Array.from({ length: 6 }, () => newSubmission(tenant));
  const store = () => Promise.allSettled(submissions.map((submission) => storage.storeSubmission(submission)));
  const refused = await store();
  assert.ok(refused.every((result) => result.status === 'rejected' && result.reason instanceof ServiceUnavailable));
  assert.deepEqual(await rowsOf(engine, tenant), six(0));
  isFailing = false;
  assert.ok((await store()).every((result) => result.status === 'fulfilled' && result.value !== null));
  assert.deepEqual(await rowsOf(engine, tenant), six(6));
});

test('whoever waits through the failure of a whole group shares it, and does not wait for another', async () => {
  const attempts: ReturnType<typeof gate>[] = [];
  const transaction: Engine['transaction'] = async () => {
    const attempt = gate();
    attempts.push(attempt);
    await attempt.opened;
    throw new ServiceUnavailable('The database hangs.');
  };
  const storage = createStorage({ ...open(), transaction }, systemRandom);
  const tenant = newEdb();
  const failed: string[] = [];
  const store = (name: string) =>
    storage.storeSubmission(newSubmission(tenant)).catch((error: unknown) => {
      assert.ok(error instanceof ServiceUnavailable);
      failed.push(name);
    });
  const first = store('first');
  const others = Array.from({ length: 64 }, () => store('of the second group'));
  void store('behind it');
  await setImmediate();
  attempts[0]?.open();
  await first;
  await setImmediate();
  const later = store('later');
  attempts[1]?.open();
  await Promise.all(others);
  await setImmediate();
  assert.deepEqual([failed.length, attempts.length], [1 + 64 + 1, 3], 'the one that came later is tried');
  attempts[2]?.open();
  await later;
});
