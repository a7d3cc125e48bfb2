import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NewInbound } from '../../src/application/ports/storage/inbound-store.ts';
import type { Edb } from '../../src/domain/accounts/edb.ts';
import type { DocUid } from '../../src/domain/documents/doc-uid.ts';
import { nextDocUid } from '../../src/domain/documents/doc-uid.ts';
import { onEveryEngine } from '../support/engines.ts';
import { ANY_INBOUND, fileOf, MORNING, newEdb, newInbound, plain } from './samples.ts';

const UNKNOWN = nextDocUid(MORNING, null, new Uint8Array(10));
const FIRST_PAGE = { page: 1, pageSize: 100 };

onEveryEngine('inbound documents', (database) => {
  const add = (tenant: Edb, document: NewInbound, now = MORNING) =>
    database().storage.transaction((tx) => tx.inbound.add(tenant, document, now));
  const acknowledge = (tenant: Edb, docUid: DocUid, at: number) =>
    database().storage.transaction((tx) => tx.inbound.acknowledge(tenant, docUid, at));

  test('an arrival is found with every fact, not acknowledged', async () => {
    const tenant = newEdb();
    const arrival = newInbound();
    const { stored, isNew } = await add(tenant, arrival);
    assert.equal(isNew, true);
    assert.deepEqual(await database().storage.inbound.find(tenant, stored.docUid), {
      docUid: stored.docUid,
      receivedAt: MORNING,
      senderName: 'Beta',
      senderEdb: '4080026000023',
      ackedAt: null,
      documentNumber: arrival.documentNumber,
      amount: '59.00',
      currency: 'EUR',
      authorityStatus: null,
    });
  });

  test('an arrival of which nothing is known but its bytes is kept with nulls', async () => {
    const tenant = newEdb();
    const unknown = { documentNumber: null, amount: null, currency: null, authorityStatus: null };
    const nothing = { senderName: null, senderEdb: null, ...unknown };
    const { stored } = await add(tenant, newInbound(nothing));
    const { ackedAt, docUid, receivedAt, ...facts } =
      (await database().storage.inbound.find(tenant, stored.docUid)) ?? assert.fail();
    assert.deepEqual([ackedAt, docUid, receivedAt], [null, stored.docUid, MORNING]);
    assert.deepEqual(facts, nothing);
  });

  test('a file that came from the authority and is brought again is that document, and mends its bytes', async () => {
    const [tenant, other] = [newEdb(), newEdb()];
    const { storage, engine } = database();
    const original = fileOf(`{"document": "${tenant}"}`);
    const first = await add(tenant, newInbound({ deduplicationKey: 'euid:1', original }));
    const damaged = new Uint8Array(original.bytes.length);
    await engine.transaction((sql) => sql.run('update content set bytes = $2 where tenant = $1', [tenant, damaged]));
    const imported = newInbound({ deduplicationKey: 'sha256:of it', original });
    assert.deepEqual(await add(tenant, imported, MORNING + 1), { stored: first.stored, isNew: false });
    const file = await storage.inbound.file(tenant, first.stored.docUid, 'original');
    assert.deepEqual(plain(file?.bytes ?? damaged), original.bytes);
    assert.equal((await add(other, imported)).isNew, true);
    // The authority has registered both, whatever they say.
    assert.equal((await add(tenant, newInbound({ deduplicationKey: 'euid:2', original }))).isNew, true);
  });

  test('the same arrival again is the first document, untouched, and is listed once', async () => {
    const tenant = newEdb();
    const { storage } = database();
    const first = await add(tenant, newInbound({ deduplicationKey: 'sha256:1' }));
    const again = await add(
      tenant,
      newInbound({ deduplicationKey: 'sha256:1', senderName: 'Other' }),
      MORNING + 60_000,
    );
    assert.deepEqual(again, { stored: first.stored, isNew: false });
    const { items, totalCount } = await storage.inbound.list(tenant, ANY_INBOUND, FIRST_PAGE);
    assert.deepEqual([items.length, totalCount, items[0]?.senderName], [1, 1, 'Beta']);
  });

  test('the same arrival many times at the same moment, by two programs, is one document', async () => {
    const tenant = newEdb();
    const { storage, openAgain } = database();
    const other = (await openAgain()).storage;
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 === 0 ? storage : other).transaction((tx) =>
          tx.inbound.add(tenant, newInbound({ deduplicationKey: 'euid:same' }), MORNING),
        ),
      ),
    );
    assert.equal(results.filter(({ isNew }) => isNew).length, 1);
    assert.equal(new Set(results.map(({ stored }) => stored.docUid)).size, 1);
    assert.equal((await storage.inbound.list(tenant, ANY_INBOUND, FIRST_PAGE)).totalCount, 1);
  });

  test('the same arrival for two tenants is a document of each', async () => {
    const [one, two] = [newEdb(), newEdb()];
    const results = [
      await add(one, newInbound({ deduplicationKey: 'euid:7' })),
      await add(two, newInbound({ deduplicationKey: 'euid:7' })),
    ];
    assert.deepEqual(
      results.map(({ isNew }) => isNew),
      [true, true],
    );
  });

  test('a document exists in the shapes it arrived in, byte for byte, and in no other', async () => {
    const tenant = newEdb();
    const { inbound } = database().storage;
    const [original, ubl, pdf] = [fileOf('{"payload":1}'), fileOf('<Invoice/>'), fileOf('%PDF-1.4')];
    const complete = await add(tenant, newInbound({ original, ubl, pdf, fileName: 'фактура 1.json' }));
    for (const [format, file] of [['original', original] as const, ['ubl', ubl] as const, ['pdf', pdf] as const]) {
      const stored = await inbound.file(tenant, complete.stored.docUid, format);
      assert.deepEqual(plain(stored?.bytes ?? new Uint8Array()), file.bytes);
      assert.deepEqual(plain(stored?.sha256 ?? new Uint8Array()), file.sha256);
      assert.equal(stored?.fileName, 'фактура 1.json');
    }
    const bare = await add(tenant, newInbound());
    assert.notEqual(await inbound.file(tenant, bare.stored.docUid, 'original'), null);
    assert.equal(await inbound.file(tenant, bare.stored.docUid, 'ubl'), null);
    assert.equal(await inbound.file(tenant, bare.stored.docUid, 'pdf'), null);
  });

  test('the first acknowledgement counts; a repeat changes nothing and says so', async () => {
    const tenant = newEdb();
    const { storage } = database();
    const { stored } = await add(tenant, newInbound());
    assert.equal(await acknowledge(tenant, stored.docUid, MORNING + 1), true);
    assert.equal(await acknowledge(tenant, stored.docUid, MORNING + 2), false);
    assert.equal((await storage.inbound.find(tenant, stored.docUid))?.ackedAt, MORNING + 1);
  });

  test('no acknowledgement is earlier than the arrival, however far clocks are apart', async () => {
    const tenant = newEdb();
    const { storage } = database();
    const { stored } = await storage.transaction((tx) => tx.inbound.add(tenant, newInbound(), MORNING));
    await storage.transaction((tx) => tx.inbound.acknowledge(tenant, stored.docUid, MORNING - 3_600_000));
    assert.equal((await storage.inbound.find(tenant, stored.docUid))?.ackedAt, MORNING);
  });

  test('of many acknowledgements at the same moment exactly one is the first', async () => {
    const tenant = newEdb();
    const { stored } = await add(tenant, newInbound());
    const results = await Promise.all(
      Array.from({ length: 10 }, (_, index) => acknowledge(tenant, stored.docUid, MORNING + index)),
    );
    assert.equal(results.filter(Boolean).length, 1);
  });

  test('an acknowledged document leaves the list of those not imported and stays in the whole list', async () => {
    const tenant = newEdb();
    const { inbound } = database().storage;
    const older = (await add(tenant, newInbound())).stored.docUid;
    const newer = (await add(tenant, newInbound())).stored.docUid;
    await acknowledge(tenant, newer, MORNING + 5);
    const open = await inbound.list(tenant, { ...ANY_INBOUND, onlyNotImported: true }, FIRST_PAGE);
    assert.deepEqual([open.items.map(({ docUid }) => docUid), open.totalCount], [[older], 1]);
    const all = await inbound.list(tenant, ANY_INBOUND, FIRST_PAGE);
    assert.deepEqual(
      all.items.map(({ docUid, ackedAt }) => [docUid, ackedAt]),
      [
        [newer, MORNING + 5],
        [older, null],
      ],
    );
  });

  test("another tenant's document can be neither found, listed, read nor acknowledged", async () => {
    const [owner, stranger] = [newEdb(), newEdb()];
    const { inbound } = database().storage;
    const { docUid } = (await add(owner, newInbound())).stored;
    assert.equal(await inbound.find(stranger, docUid), null);
    assert.equal(await inbound.file(stranger, docUid, 'original'), null);
    assert.deepEqual(await inbound.list(stranger, ANY_INBOUND, FIRST_PAGE), { items: [], totalCount: 0 });
    assert.equal(await acknowledge(stranger, docUid, MORNING), false);
    assert.equal((await inbound.find(owner, docUid))?.ackedAt, null);
  });

  test('an unknown document can be neither found nor acknowledged', async () => {
    const tenant = newEdb();
    assert.equal(await database().storage.inbound.find(tenant, UNKNOWN), null);
    assert.equal(await acknowledge(tenant, UNKNOWN, MORNING), false);
  });
});
