import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Edb } from '../../src/domain/edb.ts';
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
    const { placed } = await storage.transaction((tx) => tx.inbound.add(tenant, newInbound({ original }), MORNING));
    assert.equal((await storage.inbound.file(tenant, placed.docUid, 'original'))?.bytes.length, 0);
  });
});
