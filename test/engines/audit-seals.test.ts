import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChainHead } from '../../src/application/audit/seal-audit-trail.ts';
import { inEnglish } from '../../src/domain/messages/render.ts';
import { onEveryEngine } from '../support/engines.ts';
import { clockAt } from '../support/test-clock.ts';
import { type Trail, trailOf } from './audit-trails.ts';
import { MORNING, newAuditEntry, newEdb } from './samples.ts';

const DAY_MS = 86_400_000;

/** What a check says of the trail while it is damaged by one statement; afterwards it is repaired by another. */
async function whileDamaged(trail: Trail, damage: () => Promise<unknown>, repair: () => Promise<unknown>) {
  assert.equal((await trail.check()).break, null);
  await damage();
  const { isIntact, break: found } = await trail.check();
  await repair();
  assert.equal((await trail.check()).break, null);
  assert.equal(isIntact, false);
  return found ?? assert.fail();
}

const COPY = `insert into audit (tenant, id, at, method, path, http_status, address, duration_ms, request_id, digest, block)
  select tenant, $1, at, method, path, http_status, address, duration_ms, request_id, digest, block from audit
  where tenant = $2 and request_id = $3`;

onEveryEngine('the seals of the audit trail', (database) => {
  const entries = (tenant: ReturnType<typeof newEdb> | null, ...names: string[]) =>
    names.map((requestId, index) => newAuditEntry({ tenant, requestId, at: MORNING + index }));

  async function idOf(trail: Trail, tenant: string, requestId: string): Promise<string> {
    const row = await trail.get<{ id: string }>('select id from audit where tenant = $1 and request_id = $2', [
      tenant,
      requestId,
    ]);
    return row?.id ?? assert.fail();
  }

  test('a trail without entries, with unsealed and with sealed ones is intact', async () => {
    const trail = trailOf(database());
    assert.deepEqual(await trail.check(), {
      isIntact: true,
      break: null,
      entries: 0,
      blocks: 0,
      waiting: 0,
      adoption: null,
      late: null,
      chains: [],
    });
    await trail.append(...entries(newEdb(), 'first-a', 'first-b'), ...entries(null, 'first-c'));
    assert.deepEqual([(await trail.check()).waiting, (await trail.check()).isIntact], [3, true]);
    assert.equal(await trail.sealDue(), 3);
    const { waiting, entries: sealed, blocks, isIntact } = await trail.check();
    assert.deepEqual({ waiting, sealed, blocks, isIntact }, { waiting: 0, sealed: 3, blocks: 2, isIntact: true });
  });

  test('entries are sealed at intervals, and at once when they are asked for', async () => {
    const trail = trailOf(database());
    trail.clock.advance(DAY_MS);
    await trail.append(newAuditEntry({ tenant: newEdb() }));
    assert.equal(await trail.sealDue(), 1);
    await trail.append(newAuditEntry({ tenant: newEdb() }));
    assert.equal(await trail.sealDue(), 0, 'a moment after the last one');
    trail.clock.advance(5_000);
    assert.equal(await trail.sealDue(), 1);
    await trail.append(newAuditEntry({ tenant: newEdb() }));
    const [head] = await trail.sealNow();
    assert.equal((await trail.check()).waiting, 0);
    assert.equal(head?.chain, 'recognised');
  });

  test('an entry that is changed, removed or inserted is named, sealed or not', async () => {
    const tenant = newEdb();
    const trail = trailOf(database());
    await trail.append(...entries(tenant, 'a', 'b', 'c'));
    await trail.sealNow();
    await trail.append(...entries(tenant, 'waiting'));
    for (const name of ['b', 'waiting']) {
      const set = (path: string) =>
        trail.run('update audit set path = $1 where tenant = $2 and request_id = $3', [path, tenant, name]);
      const found = await whileDamaged(
        trail,
        () => set('/other'),
        () => set('/api/integration/v1/ping'),
      );
      assert.deepEqual([found.kind, found.entry], ['changed', await idOf(trail, tenant, name)]);
      assert.match(inEnglish(found.said), /^The entry [0-9a-f-]{36} of 2026-11-16T08:00:00\.00\dZ was changed/u);
    }
    for (const name of ['b', 'waiting']) {
      const found = await whileDamaged(
        trail,
        () => trail.run(COPY, ['zzz', tenant, name]),
        () => trail.run("delete from audit where id = 'zzz'"),
      );
      assert.deepEqual([found.kind === 'inserted' || found.kind === 'changed', found.entry], [true, 'zzz']);
    }
    const byHand = `insert into audit (tenant, id, at, method, path, http_status, address, duration_ms, request_id)
      values ($1, 'by-hand', 1, 'GET', '/', 200, 'x', 1, 'x')`;
    const inserted = await whileDamaged(
      trail,
      async () => {
        await trail.run(byHand, [tenant]);
        await trail.sealNow();
      },
      () => trail.run("delete from audit where id = 'by-hand'"),
    );
    assert.deepEqual([inserted.kind, inserted.entry], ['inserted', 'by-hand']);
    const id = await idOf(trail, tenant, 'b');
    const move = (to: number) => trail.run('update audit set block = $1 where id = $2', [to, id]);
    const { block } =
      (await trail.get<{ block: number }>('select block from audit where id = $1', [id])) ?? assert.fail();
    const removed = await whileDamaged(
      trail,
      () => move(block + 1_000),
      () => move(block),
    );
    assert.deepEqual([removed.kind, removed.entry, removed.block], ['removed', id, block]);
    const moved = await whileDamaged(
      trail,
      () => move(0),
      () => move(block),
    );
    assert.deepEqual([moved.kind, moved.entry], ['seal-removed', id]);
  });

  test('a seal that is changed, removed or exchanged is named', async () => {
    const tenant = newEdb();
    const trail = trailOf(database());
    const blocks: number[] = [];
    for (const name of ['one', 'two', 'three']) {
      await trail.append(...entries(tenant, name));
      blocks.push((await trail.sealNow())[0]?.block ?? 0);
    }
    const [first = 0, second = 0, third = 0] = blocks;
    for (const column of ['total', 'sealed_at']) {
      const add = (amount: number) =>
        trail.run(`update audit_seal set ${column} = ${column} + $1 where block = $2`, [amount, second]);
      const found = await whileDamaged(
        trail,
        () => add(1),
        () => add(-1),
      );
      assert.deepEqual([found.kind, found.block], ['seal-changed', second], column);
    }
    const renumber = (from: number, to: number) =>
      trail.run('update audit_seal set block = $1 where block = $2', [to, from]);
    const gone = await whileDamaged(
      trail,
      () => renumber(second, -5),
      () => renumber(-5, second),
    );
    assert.deepEqual([gone.kind, gone.block], ['seal-changed', -5]);
    const exchange = async () => {
      await renumber(first, -1);
      await renumber(third, first);
      await renumber(-1, third);
    };
    const exchanged = await whileDamaged(trail, exchange, exchange);
    assert.deepEqual([exchanged.kind, exchanged.block], ['seal-changed', first]);
    const mark = (expired: number) =>
      trail.run('update audit_seal set expired = $1 where block = $2', [expired, second]);
    const marked = await whileDamaged(
      trail,
      () => mark(1),
      () => mark(0),
    );
    assert.deepEqual([marked.kind, marked.block], ['seal-changed', second]);
  });

  test('with an exported seal it is noticed that the end was cut off, or written anew', async () => {
    const { openAgain } = database();
    const trail = trailOf(await openAgain());
    const tenant = newEdb();
    await trail.append(...entries(tenant, 'kept'));
    const before = await trail.sealNow();
    await trail.append(...entries(tenant, 'cut'));
    const exported = await trail.sealNow();
    assert.equal((await trail.check(exported)).isIntact, true);
    assert.equal((await trail.check(before)).isIntact, true);
    const last = exported[0]?.block ?? 0;
    await trail.run('delete from audit where block = $1', [last]);
    await trail.run('delete from audit_seal where block = $1', [last]);
    assert.equal((await trail.check(before)).isIntact, true);
    assert.equal((await trail.check()).isIntact, true, 'nothing inside the database tells');
    const found = (await trail.check(exported)).break ?? assert.fail();
    assert.deepEqual([found.kind, found.block], ['cut-off', last]);
    await trail.append(...entries(tenant, 'instead'));
    assert.equal((await trail.sealNow())[0]?.block, last);
    const rewritten = (await trail.check(exported)).break ?? assert.fail();
    assert.deepEqual([rewritten.kind, rewritten.block], ['seal-changed', last]);
  });

  test('several processes seal one trail: every entry once, in one chain', async () => {
    const { openAgain } = database();
    const opened = [await openAgain(), await openAgain(), await openAgain()];
    const trails = opened.map((one) => trailOf(one));
    const tenants = [newEdb(), newEdb(), null];
    const before = (await trails[0]?.check()) ?? assert.fail();
    await Promise.all(
      trails.flatMap((trail, process) =>
        Array.from({ length: 20 }, async (_, round) => {
          const tenant = tenants[round % 3] ?? null;
          await trail.append(
            ...Array.from({ length: 5 }, (_, n) => newAuditEntry({ tenant, requestId: `p${process}-${round}-${n}` })),
          );
          await trail.sealNow();
        }),
      ),
    );
    await trails[0]?.sealNow();
    const after = (await trails[0]?.check()) ?? assert.fail();
    assert.deepEqual([after.break, after.waiting, after.entries - before.entries], [null, 0, 300]);
  });

  test('an entry that is written again, also with another outcome, stays as it was first', async () => {
    const tenant = newEdb();
    const trail = trailOf(database());
    const entry = newAuditEntry({ tenant, httpStatus: 201 });
    await trail.append(entry, entry);
    await trail.sealNow();
    await trail.append({ ...entry, httpStatus: 500, code: 'ERR-9000' });
    await trail.sealNow();
    const filter = { tenant, keyId: null, docUid: null, since: null, until: null, limit: 10 };
    assert.deepEqual(await database().storage.audit.read(filter), [entry]);
    assert.equal((await trail.check()).isIntact, true);
  });
});

onEveryEngine('the retention of the audit trail', (database) => {
  test('each chain is kept for its own time; what is left can be verified, and earlier exported seals still serve', async () => {
    const trail = trailOf(database());
    const tenant = newEdb();
    const exported: (readonly ChainHead[])[] = [];
    for (let day = 0; day < 5; day += 1) {
      await trail.append(newAuditEntry({ tenant }), newAuditEntry({}), newAuditEntry({ operator: 'alice' }));
      exported.push(await trail.sealNow());
      trail.clock.advance(DAY_MS);
    }
    assert.equal(await trail.expire(), 0);
    trail.clock.set(MORNING + 32 * DAY_MS);
    assert.equal(await trail.expire(), 3, 'unrecognised calls of three days');
    assert.equal(await trail.expire(), 0);
    for (const seals of exported) assert.equal((await trail.check(seals)).break, null);
    const { chains, entries } = await trail.check();
    assert.deepEqual(
      [entries, chains.map(({ chain, expired, total }) => [chain, expired, total])],
      [
        12,
        [
          ['recognised', 0, 10],
          ['unrecognised', 3, 5],
        ],
      ],
    );
    assert.deepEqual(new Set((await trail.progress()).map(String)), new Set(['12,12']), 'of all that is left');
    const { count } =
      (await trail.get<{ count: number }>("select count(*) as count from audit_seal where chain = 'unrecognised'")) ??
      assert.fail();
    assert.equal(count, 3, 'the last expired seal and two others');
  });

  test('everything may expire; the chain goes on from the seal that is left', async () => {
    const trail = trailOf(database());
    trail.clock.set(MORNING + 4_000 * DAY_MS);
    await trail.expire();
    assert.equal((await trail.get<{ count: number }>('select count(*) as count from audit'))?.count, 0);
    assert.equal((await trail.check()).isIntact, true);
    await trail.append(newAuditEntry({ tenant: newEdb() }));
    const [head] = await trail.sealNow();
    assert.equal(head?.total, 11);
    assert.equal((await trail.check()).isIntact, true);
  });

  test('entries that are removed as if they had expired are named', async () => {
    const trail = trailOf(database(), clockAt(MORNING + 4_000 * DAY_MS));
    await trail.append(newAuditEntry({ tenant: newEdb() }));
    const [head] = await trail.sealNow();
    await trail.run('delete from audit where block < $1', [head?.block ?? 0]);
    assert.equal((await trail.check()).break?.kind, 'removed');
    await trail.run('delete from audit_seal where block < $1', [head?.block ?? 0]);
    const found = (await trail.check()).break ?? assert.fail();
    assert.equal(found.kind, 'seal-removed');
    assert.match(inEnglish(found.said), /the beginning of its chain is missing/u);
  });
});
