import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceUnavailable } from '../../src/application/errors/service-unavailable.ts';
import type { Edb } from '../../src/domain/accounts/edb.ts';
import { onEveryEngine } from '../support/engines.ts';
import { fileOf, MORNING, newEdb, newInbound, newOutbound, plain } from './samples.ts';

onEveryEngine('the bytes of documents', (database) => {
  async function contents(tenant: Edb): Promise<number> {
    const row = await database().engine.get<{ files: number }>(
      'select count(*) as files from content where tenant = $1',
      [tenant],
    );
    return Number(row?.files);
  }

  test('the same bytes submitted twice are two documents and one stored file', async () => {
    const tenant = newEdb();
    const { storage } = database();
    const ubl = fileOf('<Invoice>twice</Invoice>');
    const add = () => storage.transaction((tx) => tx.outbound.add(tenant, newOutbound({ ubl }), MORNING));
    const [one, two] = [await add(), await add()];
    assert.notEqual(one.docUid, two.docUid);
    assert.equal(await contents(tenant), 1);
    for (const { docUid } of [one, two]) {
      const file = await storage.outbound.file(tenant, docUid, 'ubl');
      assert.deepEqual(plain(file?.bytes ?? new Uint8Array()), ubl.bytes);
    }
  });

  test('an attachment that many documents carry is stored once', async () => {
    const tenant = newEdb();
    const pdf = fileOf('%PDF-1.7 general terms');
    await database().storage.transaction(async (tx) => {
      for (let index = 0; index < 10; index += 1) await tx.outbound.add(tenant, newOutbound({ pdf }), MORNING);
    });
    assert.equal(await contents(tenant), 11);
  });

  test('a file that is the original and the UBL of an arrival is stored once', async () => {
    const tenant = newEdb();
    const original = fileOf('<Invoice>arrived</Invoice>');
    await database().storage.transaction((tx) =>
      tx.inbound.add(tenant, newInbound({ original, ubl: original }), MORNING),
    );
    assert.equal(await contents(tenant), 1);
  });

  test('the same bytes of two tenants are stored for each', async () => {
    const [one, two] = [newEdb(), newEdb()];
    const ubl = fileOf('<Invoice>shared</Invoice>');
    for (const tenant of [one, two]) {
      await database().storage.transaction((tx) => tx.outbound.add(tenant, newOutbound({ ubl }), MORNING));
    }
    assert.deepEqual([await contents(one), await contents(two)], [1, 1]);
  });

  test('an empty file is a file', async () => {
    const tenant = newEdb();
    const { storage } = database();
    const original = fileOf(new Uint8Array());
    const { stored } = await storage.transaction((tx) => tx.inbound.add(tenant, newInbound({ original }), MORNING));
    assert.equal((await storage.inbound.file(tenant, stored.docUid, 'original'))?.bytes.length, 0);
  });

  /** Too large to be stored while others wait; its bytes change hands, so each time anew. */
  const large = () => fileOf(new Uint8Array(1_000_000).fill(7));

  test('a large file is stored ahead, and the document that comes to refer to it has it', async () => {
    const tenant = newEdb();
    const { storage } = database();
    for (const contentsAfter of [1, 1]) {
      const ubl = await storage.storeLargeFile(tenant, large());
      assert.equal(ubl.bytes, null);
      assert.equal(await contents(tenant), contentsAfter);
      const { docUid } = await storage.transaction((tx) => tx.outbound.add(tenant, newOutbound({ ubl }), MORNING));
      const file = await storage.outbound.file(tenant, docUid, 'ubl');
      assert.deepEqual(plain(file?.bytes ?? new Uint8Array()), large().bytes);
    }
  });

  test('a small file waits for its document', async () => {
    const tenant = newEdb();
    const small = fileOf('<Invoice>small</Invoice>');
    assert.equal(await database().storage.storeLargeFile(tenant, small), small);
    assert.equal(await contents(tenant), 0);
  });

  test('nothing refers to a file that was stored ahead and is gone', async () => {
    const tenant = newEdb();
    const { storage, engine } = database();
    const ubl = await storage.storeLargeFile(tenant, large());
    await engine.transaction((sql) => sql.run('delete from content where tenant = $1', [tenant]));
    const adding = storage.transaction((tx) => tx.outbound.add(tenant, newOutbound({ ubl }), MORNING));
    await assert.rejects(adding, ServiceUnavailable);
    assert.equal(await engine.get('select 1 from outbound where tenant = $1', [tenant]), null);
  });

  test('a large file and many small ones at the same time are all stored', async () => {
    const tenant = newEdb();
    const { storage } = database();
    const small = Array.from({ length: 50 }, (_, index) => fileOf(`<Invoice>${index}</Invoice>`));
    await Promise.all([
      storage.storeLargeFile(tenant, large()),
      ...small.map((ubl) => storage.transaction((tx) => tx.outbound.add(tenant, newOutbound({ ubl }), MORNING))),
    ]);
    assert.equal(await contents(tenant), 51);
  });
});
