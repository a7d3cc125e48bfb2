import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Storage } from '../../src/application/ports/storage/storage.ts';
import type { Edb } from '../../src/domain/accounts/edb.ts';
import { onEveryEngine } from '../support/engines.ts';
import { ANY_OUTBOUND, MORNING, newAuditEntry, newEdb, newKey, newOutbound, newTenant, record } from './samples.ts';

/** More than the connections of both programs together by far: most of them wait for one, and for the tenant's lock. */
const TRANSACTIONS = 600;
const PAGE = { page: 1, pageSize: 500 };
const ANY_AUDIT = { keyId: null, docUid: null, since: null, until: null, limit: 1_000 };

async function countOf(storage: Storage, tenant: Edb): Promise<number> {
  return (await storage.outbound.list(tenant, ANY_OUTBOUND, PAGE)).totalCount;
}

onEveryEngine('transactions', (database) => {
  test('a transaction returns what its work returns, and throws what its work throws', async () => {
    const { storage } = database();
    assert.equal(await storage.transaction(async () => 'result'), 'result');
    const failure = new Error('of the work');
    await assert.rejects(
      storage.transaction(async () => {
        throw failure;
      }),
      (error) => error === failure,
    );
  });

  test('when the work fails nothing of it remains: document, history, list, counters, content, audit entry', async () => {
    const tenant = newEdb();
    const { storage, engine } = database();
    const lists = ['listing', 'listing_block', 'listing_count'];
    const tables = ['outbound', 'outbound_history', 'content', ...lists, 'audit'];
    await assert.rejects(
      storage.transaction(async (tx) => {
        const { docUid } = await tx.outbound.add(tenant, newOutbound(), MORNING);
        await tx.outbound.move(tenant, docUid, 10, 'prepare', record(MORNING));
        await tx.audit.append([newAuditEntry({ tenant })]);
        throw new Error('at the last moment');
      }),
      /at the last moment/,
    );
    for (const table of tables) {
      assert.deepEqual(await engine.all(`select * from ${table} where tenant = $1`, [tenant]), [], table);
    }
  });

  test('one that fails among many that arrive together is undone alone, whether it throws or breaks a rule', async () => {
    const { storage } = database();
    const tenants = Array.from({ length: 12 }, newEdb);
    const settled = await Promise.allSettled(
      tenants.map((tenant, index) =>
        storage.transaction(async (tx) => {
          const { docUid } = await tx.outbound.add(tenant, newOutbound(), MORNING);
          if (index === 3) throw new Error('unlucky');
          // A key of a tenant that does not exist: the database itself refuses the row.
          if (index === 7) await tx.keys.add(newKey(tenant), new Uint8Array(32));
          return docUid;
        }),
      ),
    );
    const failed = (index: number) => index === 3 || index === 7;
    for (const [index, tenant] of tenants.entries()) {
      assert.equal(settled[index]?.status, failed(index) ? 'rejected' : 'fulfilled');
      assert.equal(await countOf(storage, tenant), failed(index) ? 0 : 1);
    }
  });

  test('nothing is visible outside before the transaction is over, everything is visible after', async () => {
    const tenant = newEdb();
    const { storage, openAgain } = database();
    const other = (await openAgain()).storage;
    await storage.transaction(async (tx) => {
      await tx.outbound.add(tenant, newOutbound(), MORNING);
      assert.equal(await countOf(tx, tenant), 1);
      assert.equal(await countOf(storage, tenant), 0);
      assert.equal(await countOf(other, tenant), 0);
    });
    assert.equal(await countOf(storage, tenant), 1);
    assert.equal(await countOf(other, tenant), 1);
  });

  test('a transaction never sees what another one wrote and then undid', async () => {
    const tenant = newEdb();
    const { storage } = database();
    const seen = Array.from({ length: 30 }, (_, index) =>
      storage
        .transaction(async (tx) => {
          await tx.outbound.add(tenant, newOutbound(), MORNING);
          if (index % 2 === 0) throw new Error('undone');
          return countOf(tx, tenant);
        })
        .catch(() => 'undone'),
    );
    const counts = (await Promise.all(seen)).filter((count) => count !== 'undone');
    assert.deepEqual(new Set(counts), new Set(Array.from({ length: 15 }, (_, index) => index + 1)));
  });

  test('a transaction within a transaction is part of it: it sees its writes and shares its end', async () => {
    const [kept, undone] = [newEdb(), newEdb()];
    const { storage } = database();
    const nested = (tenant: Edb, fails: boolean) =>
      storage.transaction(async (tx) => {
        await tx.outbound.add(tenant, newOutbound(), MORNING);
        await tx.transaction(async (inner) => {
          assert.equal(await countOf(inner, tenant), 1);
          await inner.outbound.add(tenant, newOutbound(), MORNING);
        });
        assert.equal(await countOf(tx, tenant), 2);
        if (fails) throw new Error('the outer one');
      });
    await nested(kept, false);
    await assert.rejects(nested(undone, true), /the outer one/);
    assert.equal(await countOf(storage, kept), 2);
    assert.equal(await countOf(storage, undone), 0);
  });

  test('a failure leaves the next transaction unharmed', async () => {
    const tenant = newTenant();
    const { storage } = database();
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await assert.rejects(storage.transaction(() => Promise.reject(new Error('of the work'))));
      await assert.rejects(storage.transaction((tx) => tx.keys.add(newKey(newEdb()), new Uint8Array(1))));
    }
    assert.equal(await storage.transaction((tx) => tx.tenants.add(tenant, MORNING)), true);
    assert.deepEqual(await storage.tenants.find(tenant.edb), tenant);
  });

  test('a transaction that pauses in its work keeps out whoever would write between its steps', async () => {
    const tenant = newEdb();
    const { storage } = database();
    const pausing = () =>
      storage.transaction(async (tx) => {
        const { docUid } = await tx.outbound.add(tenant, newOutbound(), MORNING);
        await new Promise((resolve) => setImmediate(resolve));
        const next = await tx.outbound.add(tenant, newOutbound(), MORNING);
        const newest = (await tx.outbound.list(tenant, ANY_OUTBOUND, { page: 1, pageSize: 2 })).items;
        return newest[0]?.docUid === next.docUid && newest[1]?.docUid === docUid;
      });
    const undisturbed = await Promise.all(Array.from({ length: 40 }, pausing));
    assert.ok(undisturbed.every(Boolean));
    assert.equal(await countOf(storage, tenant), 80);
  });

  test('hundreds of transactions at once, by two programs, are all durable and counted exactly', async () => {
    const tenants = Array.from({ length: 5 }, newEdb);
    const { storage, openAgain } = database();
    const other = (await openAgain()).storage;
    const added = await Promise.all(
      Array.from({ length: TRANSACTIONS }, async (_, index) => {
        const tenant = tenants[index % tenants.length] ?? assert.fail();
        const program = index % 7 === 0 ? other : storage;
        return program.transaction(async (tx) => {
          const { docUid } = await tx.outbound.add(tenant, newOutbound(), MORNING + index);
          if (index % 3 === 0) await tx.outbound.move(tenant, docUid, 10, 'cancel', record(MORNING));
          await tx.audit.append([newAuditEntry({ tenant, docUid })]);
          return { tenant, docUid, status: index % 3 === 0 ? 60 : 10 };
        });
      }),
    );
    const fresh = (await openAgain()).storage;
    for (const { tenant, docUid, status } of added) {
      assert.equal((await fresh.outbound.find(tenant, docUid))?.status, status);
    }
    for (const tenant of tenants) {
      const mine = added.filter((one) => one.tenant === tenant);
      const cancelled = await fresh.outbound.list(tenant, { ...ANY_OUTBOUND, statuses: [60] }, PAGE);
      assert.equal(await countOf(fresh, tenant), mine.length);
      assert.equal(cancelled.totalCount, mine.filter(({ status }) => status === 60).length);
      assert.equal((await fresh.audit.read({ ...ANY_AUDIT, tenant })).length, mine.length);
    }
  });
});
