import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { systemTimers } from '../../src/adapters/platform/timers.ts';
import { contentSweep } from '../../src/adapters/sql/stores/content-sweep.ts';
import { ServiceUnavailable } from '../../src/application/errors/service-unavailable.ts';
import { collectStoredAhead } from '../../src/application/maintenance/collect-stored-ahead.ts';
import type { FileToStore } from '../../src/application/ports/stored-file.ts';
import type { Edb } from '../../src/domain/accounts/edb.ts';
import { onEveryEngine } from '../support/engines.ts';
import { addManyOutbound } from './add-many-outbound.ts';
import { addOutboundIn, fileOf, MORNING, newEdb, newInbound, newOutbound, plain } from './samples.ts';

const LARGE_BYTES = 300_000;
const DAY_MS = 86_400_000;

onEveryEngine('files that are stored ahead of their documents', (database) => {
  const large = () => fileOf(new Uint8Array(randomBytes(LARGE_BYTES)));
  const collect = (nextTurn = systemTimers.nextTurn) =>
    collectStoredAhead({ contents: contentSweep(database().engine, nextTurn) })();
  const store = (tenant: Edb, bytes: Uint8Array) => database().storage.storeLargeFile(tenant, fileOf(plain(bytes)));
  const submit = (tenant: Edb, ubl: FileToStore) =>
    database().storage.transaction((tx) => tx.outbound.add(tenant, newOutbound({ ubl }), MORNING));

  async function count(table: string, tenant: Edb): Promise<number> {
    const text = `select count(*) as found from ${table} where tenant = $1`;
    return Number((await database().engine.get<{ found: number }>(text, [tenant]))?.found);
  }
  const files = (tenant: Edb) => count('content', tenant);

  /** As if they had been stored so much earlier. */
  const age = (tenant: Edb, ms: number) =>
    database().engine.transaction((sql) =>
      sql.run('update stored_ahead set stored_at = stored_at - $2 where tenant = $1', [tenant, ms]),
    );

  test('are collected a day later when nothing refers to them', async () => {
    const tenant = newEdb();
    await store(tenant, large().bytes);
    await collect();
    await age(tenant, DAY_MS - 60_000);
    await collect();
    assert.equal(await files(tenant), 1, 'not before');
    await age(tenant, 60_000);
    assert.ok((await collect()) >= 1);
    assert.deepEqual([await files(tenant), await count('stored_ahead', tenant)], [0, 0]);
  });

  test('are looked for among many documents without holding up anything else', async () => {
    const tenant = newEdb();
    const document = newOutbound();
    const many = Array.from({ length: 3_000 }, (_, index) => ({ document, at: MORNING + index, status: 10 as const }));
    await addManyOutbound(database().engine, tenant, many);
    await store(tenant, large().bytes);
    await age(tenant, DAY_MS);
    let turns = 0;
    await collect(async () => {
      turns += 1;
    });
    assert.ok(turns >= 3, `${turns} turns of others beside three pages`);
    assert.equal(await count('stored_ahead', tenant), 0);
  });

  test('stay when a document refers to them, whichever of its files they are', async () => {
    const tenant = newEdb();
    const { storage } = database();
    const bytes = large().bytes;
    const { docUid } = await submit(tenant, await store(tenant, bytes));
    const pdf = await store(tenant, large().bytes);
    const original = await store(tenant, large().bytes);
    const container = await store(tenant, large().bytes);
    await storage.transaction(async (tx) => {
      await tx.outbound.add(tenant, newOutbound({ pdf }), MORNING);
      await tx.inbound.add(tenant, newInbound({ original }), MORNING);
      const registered = await addOutboundIn(tx, tenant, 40, newOutbound(), MORNING);
      await tx.deliveries.storeContainer(tenant, registered.docUid, container, MORNING);
    });
    assert.equal(await count('stored_ahead', tenant), 0);
    // Another submission of the same bytes was stored ahead, and its process died.
    await store(tenant, bytes);
    await age(tenant, 2 * DAY_MS);
    const before = await files(tenant);
    await collect();
    assert.deepEqual([await files(tenant), await count('stored_ahead', tenant)], [before, 0]);
    assert.deepEqual(plain((await storage.outbound.file(tenant, docUid, 'ubl'))?.bytes ?? large().bytes), plain(bytes));
  });

  test('are kept for another day when the same bytes are stored again', async () => {
    const tenant = newEdb();
    const { bytes } = large();
    await store(tenant, bytes);
    await age(tenant, 2 * DAY_MS);
    const file = await store(tenant, bytes);
    await collect();
    assert.equal(await files(tenant), 1);
    const { docUid } = await submit(tenant, file);
    assert.notEqual(await database().storage.outbound.file(tenant, docUid, 'ubl'), null);
  });

  test('stay when a transaction stores the same bytes by itself', async () => {
    const tenant = newEdb();
    const { bytes } = large();
    await store(tenant, bytes);
    await age(tenant, 2 * DAY_MS);
    await submit(tenant, fileOf(plain(bytes)));
    await collect();
    assert.equal(await files(tenant), 1);
  });

  test('of a reference and a collection at the same moment, the reference finds its file or is told to come again', async () => {
    const tenant = newEdb();
    const { storage } = database();
    for (let round = 0; round < 12; round += 1) {
      const { bytes } = large();
      const file = await store(tenant, bytes);
      await age(tenant, 2 * DAY_MS);
      const [submission] = await Promise.allSettled([submit(tenant, file), collect()]);
      if (submission.status === 'rejected') {
        assert.ok(submission.reason instanceof ServiceUnavailable, String(submission.reason));
      } else {
        const found = await storage.outbound.file(tenant, submission.value.docUid, 'ubl');
        assert.deepEqual(plain(found?.bytes ?? new Uint8Array()), plain(bytes));
      }
      const again = await submit(tenant, await store(tenant, bytes));
      assert.notEqual(await storage.outbound.file(tenant, again.docUid, 'ubl'), null);
    }
  });
});
