import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { systemRandom } from '../../../../src/adapters/platform/platform.ts';
import { BLOCK_SIZE, readListHeads } from '../../../../src/adapters/sql/list-index/list-index.ts';
import { createStorage } from '../../../../src/adapters/sql/storage.ts';
import { createPlacing, storeOutbound } from '../../../../src/adapters/sql/stores/outbound/add-outbound.ts';
import type { Storage } from '../../../../src/application/ports/storage/storage.ts';
import type { Edb } from '../../../../src/domain/accounts/edb.ts';
import { AUDIT_CHAINS } from '../../../../src/domain/audit/audit-seal.ts';
import { type DocUid, parseDocUid } from '../../../../src/domain/documents/doc-uid.ts';
import { ANY_OUTBOUND, fileOf, MORNING, newAuditEntry, newEdb, newOutbound, record } from '../../../engines/samples.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/engines.ts';
import { assertNothingIsScanned, logStatements, type Statement } from './statement-log.ts';

const MANY = 20_000;
/** However long the list: a few look-ups, one read per status, one for the documents of the page. */
const STATEMENTS_OF_A_PAGE = 20;
const PARTNER = '4080026000023';
const PAGE_SIZE = 100;
const UBL = fileOf('<Invoice/>');

describe('work at scale', () => {
  const large = newEdb();
  let database: TestDatabase;
  let storage: Storage;
  let take: () => readonly Statement[];

  before(async () => {
    database = await createTestDatabase();
    const log = logStatements(database.engine);
    storage = createStorage(log.engine, systemRandom);
    take = log.take;
    await fill(large, MANY);
  });
  after(() => database.close());

  async function fill(tenant: Edb, count: number): Promise<void> {
    for (let start = 0; start < count; start += 1_000) {
      const docUids = await addTogether(tenant, start, Math.min(start + 1_000, count));
      const moved = docUids.filter((_, place) => (start + place) % 5 === 0);
      await database.storage.transaction(async ({ outbound }) => {
        for (const docUid of moved) await outbound.move(tenant, docUid, 10, 'cancel', record(MORNING));
      });
    }
  }

  /** By the statements of documents that are stored together, the list heads read once: one by one takes twice as long. */
  async function addTogether(tenant: Edb, from: number, to: number): Promise<readonly DocUid[]> {
    const places = [PARTNER, null].map((partner) => ({ tenant, partner }));
    return database.engine.transaction(async (sql) => {
      const heads = await readListHeads(sql, 'outbound', places);
      const place = createPlacing(systemRandom, heads, MORNING + from);
      const placed = Array.from({ length: to - from }, (_, index) => {
        const partnerEdb = (from + index) % 2 === 0 ? PARTNER : null;
        return place({ tenant, document: newOutbound({ partnerEdb, ubl: UBL }) });
      });
      await storeOutbound(sql, heads, placed, MORNING + from);
      return placed.map(({ docUid }) => docUid);
    });
  }

  const filters = {
    'no filter': ANY_OUTBOUND,
    'a status': { ...ANY_OUTBOUND, statuses: [60 as const] },
    'several statuses': { ...ANY_OUTBOUND, statuses: [10 as const, 55 as const, 60 as const] },
    'a partner': { ...ANY_OUTBOUND, partnerEdb: PARTNER },
    'a partner and a status': { ...ANY_OUTBOUND, partnerEdb: PARTNER, statuses: [60 as const] },
    'dates and a status': {
      ...ANY_OUTBOUND,
      created: { from: MORNING + 7, to: MORNING + MANY },
      statuses: [10 as const],
    },
    'a status nobody is in': { ...ANY_OUTBOUND, statuses: [50 as const] },
  };

  async function readPage(
    tenant: Edb,
    filter: (typeof filters)[keyof typeof filters],
    where: 'first' | 'middle' | 'last',
  ) {
    const { totalCount } = await storage.outbound.list(tenant, filter, { page: 1, pageSize: 1 });
    const last = Math.max(1, Math.ceil(totalCount / PAGE_SIZE));
    const page = where === 'first' ? 1 : where === 'last' ? last : Math.ceil(last / 2);
    take();
    const { items } = await storage.outbound.list(tenant, filter, { page, pageSize: PAGE_SIZE });
    assert.equal(items.length > 0, totalCount > 0);
    return take();
  }

  /** How many documents lie between the two docUids that bound a counting statement. */
  async function span({ parameters }: Statement): Promise<number> {
    const [tenant, list, scope] = parameters as [string, string, string];
    const bounds = parameters.filter(
      (value): value is string => typeof value === 'string' && parseDocUid(value) !== null,
    );
    assert.equal(bounds.length, 2, 'a count is bounded on both sides');
    const row = await database.engine.get<{ documents: number }>(
      'select count(*) as documents from listing where tenant = $1 and list = $2 and scope = $3 and doc_uid between $4 and $5',
      [tenant, list, scope, bounds[0] ?? '', bounds[1] ?? ''],
    );
    return row?.documents ?? 0;
  }

  for (const [name, filter] of Object.entries(filters)) {
    for (const where of ['first', 'middle', 'last'] as const) {
      test(`the ${where} page with ${name} reads no table from end to end and no more than a few blocks`, async () => {
        const statements = await readPage(large, filter, where);
        assert.ok(statements.length <= STATEMENTS_OF_A_PAGE, `${statements.length} statements`);
        for (const statement of statements) {
          await assertNothingIsScanned(database.engine, statement);
          assert.ok(statement.rows <= BLOCK_SIZE + PAGE_SIZE + 1, `${statement.rows} rows from: ${statement.text}`);
          if (statement.text.includes('count(*)')) assert.ok((await span(statement)) <= 2 * BLOCK_SIZE);
          if (statement.text.includes('offset')) assert.ok(Number(statement.parameters.at(-1)) <= BLOCK_SIZE);
        }
      });
    }
  }

  test('storing and moving a document takes the same statements however many there are, none of them a scan', async () => {
    const texts: string[][] = [];
    for (const tenant of [newEdb(), large]) {
      // In an empty list the first document opens a block; the second one is the ordinary case.
      await storage.transaction((tx) => tx.outbound.add(tenant, newOutbound(), MORNING));
      take();
      await storage.transaction(async (tx) => {
        const { docUid } = await tx.outbound.add(tenant, newOutbound(), MORNING);
        await tx.outbound.move(tenant, docUid, 10, 'cancel', record(MORNING));
      });
      const statements = take();
      for (const statement of statements) await assertNothingIsScanned(database.engine, statement);
      texts.push(statements.map(({ text }) => text));
    }
    assert.deepEqual(texts[1], texts[0]);
  });

  test('a document, its history, its file, a submission, a key and the trail of a tenant are found by an index', async () => {
    const { items } = await storage.outbound.list(large, ANY_OUTBOUND, { page: 1, pageSize: 1 });
    const docUid = items[0]?.docUid ?? assert.fail();
    const key = { tenant: large, software: 'x', idempotencyKey: new Uint8Array(32) };
    take();
    await storage.outbound.find(large, docUid);
    await storage.outbound.history(large, docUid);
    await storage.outbound.file(large, docUid, 'ubl');
    await storage.idempotency.find(key, MORNING);
    await storage.keys.findBySecret(new Uint8Array(32));
    await storage.keys.find('key-1');
    await storage.audit.read({ tenant: large, keyId: null, docUid: null, since: MORNING, until: null, limit: 10 });
    await storage.transaction(async (tx) => {
      await tx.idempotency.deleteExpired(MORNING + 1, 1_000);
      await tx.audit.append([newAuditEntry({ tenant: large })]);
    });
    const statements = take();
    assert.equal(statements.length, 9);
    for (const statement of statements) await assertNothingIsScanned(database.engine, statement);
  });

  test('what waits to be sealed is found without a look at what is sealed', async () => {
    for (const chain of AUDIT_CHAINS) {
      take();
      await storage.transaction((tx) => tx.auditSeals.assign(chain, 1, 10));
      const [assign] = take();
      const text = `explain query plan ${assign?.text}`;
      const plan = await database.engine.all<{ detail: string }>(text, assign?.parameters ?? []);
      assert.ok(plan.some(({ detail }) => detail.includes('audit_by_block (block=?)')));
    }
  });

  test('the look at the plans can fail: a search without an index is noticed', async () => {
    const statement = { text: 'select * from listing where seq = $1', parameters: [1], rows: 1 };
    await assert.rejects(assertNothingIsScanned(database.engine, statement), /SCAN listing/);
    const byTime =
      'select * from listing where tenant = $1 and list = $2 and scope = $3 and doc_uid > $4 and +state = $5';
    const rare = { text: byTime, parameters: ['', '', '', '', 1], rows: 1 };
    await assert.rejects(assertNothingIsScanned(database.engine, rare), /not part of the search/);
  });
});
