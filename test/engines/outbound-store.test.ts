import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NewOutbound } from '../../src/application/ports/storage/outbound-store.ts';
import type { Edb } from '../../src/domain/accounts/edb.ts';
import { nextDocUid } from '../../src/domain/documents/doc-uid.ts';
import type { AuthorityAnswer } from '../../src/domain/documents/outbound-document.ts';
import { onEveryEngine } from '../support/engines.ts';
import { ANY_OUTBOUND, fileOf, MORNING, newEdb, newOutbound, plain, record } from './samples.ts';

const UNKNOWN = nextDocUid(MORNING, null, new Uint8Array(10));
const FIRST_PAGE = { page: 1, pageSize: 100 };

const ANSWER: AuthorityAnswer = {
  accepted: true,
  euid: UNKNOWN,
  qrLink: 'https://authority.example/euid',
  registeredAt: '2026-11-16T08:00:00Z',
  statusCode: '01',
  statusName: 'Испратена (Нова)',
  message: null,
  errors: [{ code: 'W1', message: 'на внимание' }],
};

onEveryEngine('outbound documents', (database) => {
  const add = (tenant: Edb, document: NewOutbound, now = MORNING) =>
    database().storage.transaction((tx) => tx.outbound.add(tenant, document, now));

  test('an added document is found with every fact, in status 10, without failure or answer', async () => {
    const tenant = newEdb();
    const document = newOutbound();
    const { docUid, at } = await add(tenant, document);
    assert.equal(at, MORNING);
    assert.deepEqual(await database().storage.outbound.find(tenant, docUid), {
      docUid,
      status: 10,
      createdAt: MORNING,
      partnerEdb: '4080026000023',
      documentNumber: document.facts.documentNumber,
      amount: '118.00',
      currency: 'MKD',
      kind: 'Invoice',
      failureCode: null,
      failureMessage: null,
      failureSentences: null,
      ujp: null,
      warnings: [],
      software: 'ledger',
    });
  });

  test('what a document does not say stays null', async () => {
    const tenant = newEdb();
    const nobody = { name: null, taxNumber: null, country: null };
    const facts = {
      kind: 'CreditNote' as const,
      documentNumber: null,
      typeCode: null,
      amount: null,
      currency: null,
      issueDate: null,
      supplier: nobody,
      recipient: nobody,
    };
    const { docUid } = await add(tenant, newOutbound({ facts, partnerEdb: null }));
    const found = await database().storage.outbound.find(tenant, docUid);
    assert.deepEqual(
      [found?.kind, found?.documentNumber, found?.amount, found?.currency, found?.partnerEdb],
      ['CreditNote', null, null, null, null],
    );
  });

  test('amounts and texts come back letter for letter', async () => {
    const tenant = newEdb();
    const facts = { ...newOutbound().facts, amount: '-00123456789012345678.90', documentNumber: 'Ф-1/\'"; drop 😀' };
    const { docUid } = await add(tenant, newOutbound({ facts }));
    const found = await database().storage.outbound.find(tenant, docUid);
    assert.equal(found?.amount, facts.amount);
    assert.equal(found?.documentNumber, facts.documentNumber);
  });

  test('files come back byte for byte with their hash; one that was not given does not exist', async () => {
    const tenant = newEdb();
    const { outbound } = database().storage;
    const ubl = fileOf(Uint8Array.from({ length: 70_000 }, (_, index) => index % 256));
    const pdf = fileOf('%PDF-1.7 …');
    const document = newOutbound({ ubl, pdf });
    const { docUid } = await add(tenant, document);
    for (const [format, file] of [['ubl', ubl] as const, ['pdf', pdf] as const]) {
      const stored = await outbound.file(tenant, docUid, format);
      assert.deepEqual(plain(stored?.bytes ?? new Uint8Array()), file.bytes);
      assert.deepEqual(plain(stored?.sha256 ?? new Uint8Array()), file.sha256);
      assert.equal(stored?.documentNumber, document.facts.documentNumber);
    }
    assert.equal(await outbound.file(tenant, docUid, 'ujp'), null);
    const { docUid: withoutPdf } = await add(tenant, newOutbound());
    assert.equal(await outbound.file(tenant, withoutPdf, 'pdf'), null);
  });

  test('the history begins with the receipt and gains one row per move, in their order, failures included', async () => {
    const tenant = newEdb();
    const { storage } = database();
    const { docUid } = await add(tenant, newOutbound());
    const failure = { failureCode: 'AUTHORITY-TIMEOUT', failureMessage: 'No answer.' };
    await storage.transaction(async ({ outbound }) => {
      assert.ok(await outbound.move(tenant, docUid, 10, 'prepare', record(MORNING + 1)));
      assert.ok(await outbound.move(tenant, docUid, 20, 'send', record(MORNING + 2)));
      // The clock may step back: the order of the moves counts, and no row is earlier than the one before it.
      assert.ok(await outbound.move(tenant, docUid, 30, 'try-again', record(MORNING - 5, failure)));
      assert.ok(await outbound.move(tenant, docUid, 20, 'send', record(MORNING + 4)));
    });
    assert.deepEqual(await storage.outbound.history(tenant, docUid), [
      { status: 10, at: MORNING, failureCode: null },
      { status: 20, at: MORNING + 1, failureCode: null },
      { status: 30, at: MORNING + 2, failureCode: null },
      { status: 20, at: MORNING + 2, failureCode: 'AUTHORITY-TIMEOUT' },
      { status: 30, at: MORNING + 4, failureCode: null },
    ]);
  });

  test('no row of the history is earlier than the one before it, however far clocks are apart', async () => {
    const tenant = newEdb();
    const { docUid } = await add(tenant, newOutbound());
    const HOUR = 3_600_000;
    await database().storage.transaction(async ({ outbound }) => {
      assert.ok(await outbound.move(tenant, docUid, 10, ['prepare', 'send'], record(MORNING - HOUR)));
      assert.ok(await outbound.move(tenant, docUid, 30, 'try-again', record(MORNING + HOUR)));
      assert.ok(await outbound.move(tenant, docUid, 20, 'cancel', record(MORNING + 5)));
    });
    const history = await database().storage.outbound.history(tenant, docUid);
    assert.deepEqual(
      history.map(({ status, at }) => [status, at - MORNING]),
      [
        [10, 0],
        [20, 0],
        [30, 0],
        [20, HOUR],
        [60, HOUR],
      ],
    );
  });

  test("a move sets and clears the failure, and keeps the authority's answer until it is replaced", async () => {
    const tenant = newEdb();
    const { storage } = database();
    const { docUid } = await add(tenant, newOutbound());
    const failure = { failureCode: 'UJP-E1020', failureMessage: 'Refused.', ujp: { ...ANSWER, accepted: false } };
    await storage.transaction(async ({ outbound }) => {
      await outbound.move(tenant, docUid, 10, 'prepare', record(MORNING));
      await outbound.move(tenant, docUid, 20, 'send', record(MORNING));
      await outbound.move(tenant, docUid, 30, 'give-up', record(MORNING, failure));
    });
    const failed = await storage.outbound.find(tenant, docUid);
    assert.deepEqual(
      [failed?.status, failed?.failureCode, failed?.failureMessage, failed?.ujp],
      [55, 'UJP-E1020', 'Refused.', failure.ujp],
    );
    await storage.transaction(({ outbound }) => outbound.move(tenant, docUid, 55, 'requeue', record(MORNING)));
    const requeued = await storage.outbound.find(tenant, docUid);
    assert.deepEqual(
      [requeued?.status, requeued?.failureCode, requeued?.failureMessage, requeued?.ujp],
      [20, null, null, failure.ujp],
    );
    await storage.transaction(async ({ outbound }) => {
      await outbound.move(tenant, docUid, 20, 'send', record(MORNING));
      await outbound.move(tenant, docUid, 30, 'accept', record(MORNING, { ujp: ANSWER }));
    });
    const accepted = await storage.outbound.find(tenant, docUid);
    assert.deepEqual([accepted?.status, accepted?.failureCode, accepted?.ujp], [40, null, ANSWER]);
  });

  test('a move from a status the document has left changes nothing and says so', async () => {
    const tenant = newEdb();
    const { storage } = database();
    const { docUid } = await add(tenant, newOutbound());
    await storage.transaction(({ outbound }) => outbound.move(tenant, docUid, 10, 'cancel', record(MORNING)));
    const late = storage.transaction(({ outbound }) => outbound.move(tenant, docUid, 10, 'prepare', record(MORNING)));
    assert.equal(await late, false);
    assert.equal((await storage.outbound.find(tenant, docUid))?.status, 60);
    assert.equal((await storage.outbound.history(tenant, docUid)).length, 2);
  });

  test('of many who move a document at the same moment exactly one wins', async () => {
    const tenant = newEdb();
    const { storage, openAgain } = database();
    const other = (await openAgain()).storage;
    const { docUid } = await add(tenant, newOutbound());
    await storage.transaction(({ outbound }) => outbound.move(tenant, docUid, 10, 'prepare', record(MORNING)));
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 === 0 ? storage : other).transaction(({ outbound }) =>
          outbound.move(tenant, docUid, 20, index % 4 < 2 ? 'send' : 'cancel', record(MORNING)),
        ),
      ),
    );
    assert.equal(results.filter(Boolean).length, 1);
    assert.equal((await storage.outbound.history(tenant, docUid)).length, 3);
  });

  test('a move that the table of statuses does not allow is refused and changes nothing', async () => {
    const tenant = newEdb();
    const { storage } = database();
    const { docUid } = await add(tenant, newOutbound());
    await assert.rejects(
      storage.transaction(({ outbound }) => outbound.move(tenant, docUid, 10, 'accept', record(MORNING))),
    );
    assert.equal((await storage.outbound.find(tenant, docUid))?.status, 10);
  });

  test("another tenant's document can be neither found, listed, read, followed nor moved", async () => {
    const [owner, stranger] = [newEdb(), newEdb()];
    const { storage } = database();
    const { docUid } = await add(owner, newOutbound());
    assert.equal(await storage.outbound.find(stranger, docUid), null);
    assert.equal(await storage.outbound.file(stranger, docUid, 'ubl'), null);
    assert.deepEqual(await storage.outbound.history(stranger, docUid), []);
    assert.deepEqual(await storage.outbound.list(stranger, ANY_OUTBOUND, FIRST_PAGE), { items: [], totalCount: 0 });
    const moved = storage.transaction(({ outbound }) => outbound.move(stranger, docUid, 10, 'cancel', record(MORNING)));
    assert.equal(await moved, false);
    assert.equal((await storage.outbound.find(owner, docUid))?.status, 10);
  });

  test('an unknown document is nowhere', async () => {
    const tenant = newEdb();
    const { storage } = database();
    assert.equal(await storage.outbound.find(tenant, UNKNOWN), null);
    assert.equal(await storage.outbound.file(tenant, UNKNOWN, 'ubl'), null);
    assert.deepEqual(await storage.outbound.history(tenant, UNKNOWN), []);
    assert.equal(
      await storage.transaction(({ outbound }) => outbound.move(tenant, UNKNOWN, 10, 'cancel', record(MORNING))),
      false,
    );
  });
});
