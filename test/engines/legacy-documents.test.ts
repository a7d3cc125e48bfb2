import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Edb } from '../../src/domain/accounts/edb.ts';
import type { DocUid } from '../../src/domain/documents/doc-uid.ts';
import { docUidTime, nextDocUid } from '../../src/domain/documents/doc-uid.ts';
import { onEveryEngine } from '../support/engines.ts';
import { ANY_INBOUND, ANY_OUTBOUND, fileOf, MORNING, newEdb, newInbound, newOutbound, record } from './samples.ts';

const FIRST_PAGE = { page: 1, pageSize: 100 };

onEveryEngine('documents from before the integration interface, which have no docUid', (database) => {
  /** An id that would pass for a docUid: only the missing docUid tells the row apart. */
  const legacyId = (time: number) =>
    nextDocUid(
      time,
      null,
      Uint8Array.from({ length: 10 }, (_, byte) => byte),
    );

  async function legacyOutbound(tenant: Edb, time: number): Promise<DocUid> {
    const id = legacyId(time);
    const file = fileOf(`<Invoice>old ${time}</Invoice>`);
    await database().engine.transaction(async (sql) => {
      await sql.run('insert into content (tenant, sha256, bytes) values ($1, $2, $3)', [
        tenant,
        file.sha256,
        file.bytes,
      ]);
      await sql.run(
        `insert into outbound (tenant, id, doc_uid, status, kind, partner_edb, ubl_sha256, created_at)
         values ($1, $2, null, 10, 'Invoice', '4080026000023', $3, $4)`,
        [tenant, id, file.sha256, time],
      );
    });
    return id;
  }

  async function legacyInbound(tenant: Edb, time: number): Promise<DocUid> {
    const id = legacyId(time);
    const file = fileOf(`<Invoice>old ${time}</Invoice>`);
    await database().engine.transaction(async (sql) => {
      await sql.run('insert into content (tenant, sha256, bytes) values ($1, $2, $3)', [
        tenant,
        file.sha256,
        file.bytes,
      ]);
      await sql.run(
        `insert into inbound (tenant, id, doc_uid, same_as, sender_edb, original_sha256, received_at)
         values ($1, $2, null, $3, '4080026000023', $4, $5)`,
        [tenant, id, `legacy:${id}`, file.sha256, time],
      );
    });
    return id;
  }

  test('outbound: neither found, read, listed, counted nor moved', async () => {
    const tenant = newEdb();
    const { storage } = database();
    const old = await legacyOutbound(tenant, MORNING);
    const { docUid } = await storage.transaction((tx) => tx.outbound.add(tenant, newOutbound(), MORNING + 1));
    await legacyOutbound(tenant, MORNING + 2);
    assert.equal(await storage.outbound.find(tenant, old), null);
    assert.equal(await storage.outbound.file(tenant, old, 'ubl'), null);
    assert.deepEqual(await storage.outbound.history(tenant, old), []);
    const moved = storage.transaction((tx) => tx.outbound.move(tenant, old, 10, 'cancel', record(MORNING)));
    assert.equal(await moved, false);
    const filters = [
      ANY_OUTBOUND,
      { ...ANY_OUTBOUND, statuses: [10 as const] },
      { ...ANY_OUTBOUND, partnerEdb: '4080026000023' },
      { ...ANY_OUTBOUND, created: { from: MORNING, to: MORNING + 2 } },
    ];
    for (const filter of filters) {
      const { items, totalCount } = await storage.outbound.list(tenant, filter, FIRST_PAGE);
      assert.deepEqual([items.map((item) => item.docUid), totalCount], [[docUid], 1]);
    }
  });

  test('inbound: neither found, read, listed, counted nor acknowledged', async () => {
    const tenant = newEdb();
    const { storage } = database();
    const old = await legacyInbound(tenant, MORNING);
    const { stored } = await storage.transaction((tx) => tx.inbound.add(tenant, newInbound(), MORNING + 1));
    await legacyInbound(tenant, MORNING + 2);
    assert.equal(await storage.inbound.find(tenant, old), null);
    assert.equal(await storage.inbound.file(tenant, old, 'original'), null);
    assert.equal(await storage.transaction((tx) => tx.inbound.acknowledge(tenant, old, MORNING)), false);
    const filters = [
      ANY_INBOUND,
      { ...ANY_INBOUND, onlyNotImported: true },
      { ...ANY_INBOUND, senderEdb: '4080026000023' },
      { ...ANY_INBOUND, received: { from: MORNING, to: MORNING + 2 } },
    ];
    for (const filter of filters) {
      const { items, totalCount } = await storage.inbound.list(tenant, filter, FIRST_PAGE);
      assert.deepEqual([items.map((item) => item.docUid), totalCount], [[stored.docUid], 1]);
    }
  });

  test('they do not hold back the clock of new documents', async () => {
    const tenant = newEdb();
    await legacyOutbound(tenant, MORNING + 3_600_000);
    const { docUid } = await database().storage.transaction((tx) => tx.outbound.add(tenant, newOutbound(), MORNING));
    assert.equal(docUidTime(docUid), MORNING);
  });
});
