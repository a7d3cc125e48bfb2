import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { startTestService } from '../support/service.ts';
import { clockAt } from '../support/test-clock.ts';
import { sampleInvoice } from '../support/ubl-samples.ts';
import { json } from './support/client.ts';
import { OUTBOUND_ITEM, readPage } from './support/fields.ts';
import { assertProblem } from './support/problem.ts';
import { newTenant, type TestTenant } from './support/tenant.ts';
import { WAY_TO, walk } from './support/walk.ts';

const START = '2026-11-02T08:00:00.000Z';
const clock = clockAt(START);
const service = await startTestService({ clock });
after(() => service.stop());

const listOf = async ({ get }: Pick<TestTenant, 'get'>, query = '') => {
  const answer = await get(`/outbound${query}`);
  assert.equal(answer.status, 200, answer.text);
  return readPage(OUTBOUND_ITEM, json(answer));
};

/** The numbers of the documents that match, in the order of the list. */
const numbersOf = async (tenant: Pick<TestTenant, 'get'>, query: string) => {
  const { items, totalCount } = await listOf(tenant, query);
  assert.equal(items.length, totalCount, 'one page holds them all');
  return items.map((item) => item.documentNumber).join(' ');
};

const OTHER_EDB = '4057026000100';

/** Six documents a to f, a minute apart from START on, to two recipients, in different statuses. */
const six = await newTenant(service);
for (const [index, number] of ['a', 'b', 'c', 'd', 'e', 'f'].entries()) {
  clock.set(new Date(START).getTime() + index * 60_000);
  const recipient = index % 2 === 0 ? {} : { taxNumber: OTHER_EDB };
  const docUid = await six.submitted(sampleInvoice({ number, recipient }));
  await walk(service, six.edb, docUid, Object.values(WAY_TO)[index] ?? []);
}

suite('GET /outbound: the page', () => {
  test('an empty result is HTTP 200 with totalCount 0', async () => {
    const empty = { items: [], totalCount: 0, page: 1, pageSize: 100, totalPages: 0 };
    assert.deepEqual(await listOf(await newTenant(service)), empty);
  });

  test('an item holds what the contract lists, and nothing else', async () => {
    const tenant = await newTenant(service);
    clock.set('2026-11-02T09:00:00.007Z');
    const docUid = await tenant.submitted(
      sampleInvoice({ number: 'N-1', amount: '10.50', recipient: { taxNumber: null } }),
    );
    const { items } = await listOf(tenant);
    const createdAt = '2026-11-02T09:00:00.007Z';
    const rest = { partnerEdb: null, documentNumber: 'N-1', amount: 10.5, currency: 'MKD' };
    assert.deepEqual(items, [{ docUid, status: 10, createdAt, ...rest }]);
  });

  test('newest first; equal times by docUid, descending; whatever the filter and the page size', async () => {
    const tenant = await newTenant(service);
    for (const time of ['09:00:00', '09:00:00', '09:00:00', '09:00:01', '09:00:01', '09:00:02']) {
      clock.set(`2026-11-02T${time}Z`);
      await tenant.submitted();
    }
    const { items } = await listOf(tenant);
    const keys = items.map((item) => `${item.createdAt} ${item.docUid}`);
    assert.deepEqual(keys, keys.toSorted().reverse());
    assert.deepEqual((await listOf(tenant, '?status=10&status=20')).items, items);
    assert.deepEqual((await listOf(tenant, '?partnerEdb=4080026000023')).items, items);
    const pages = [1, 2, 3, 4].map((page) => listOf(tenant, `?pageSize=2&page=${page}`));
    assert.deepEqual(
      (await Promise.all(pages)).flatMap((page) => page.items),
      items,
    );
    const filtered = [1, 2, 3].map((page) => listOf(tenant, `?pageSize=2&page=${page}&status=10`));
    assert.deepEqual(
      (await Promise.all(filtered)).flatMap((page) => page.items),
      items,
    );
  });

  test('a clock that steps back does not disturb the order', async () => {
    const tenant = await newTenant(service);
    clock.set('2026-11-02T10:00:00Z');
    const first = await tenant.submitted();
    clock.set('2026-11-02T09:59:00Z');
    const second = await tenant.submitted();
    assert.deepEqual(
      (await listOf(tenant)).items.map((item) => item.docUid),
      [second, first],
    );
  });

  test('totals are those of the filter across all pages', async () => {
    const page = await listOf(six, '?page=2&pageSize=4');
    assert.deepEqual([page.totalCount, page.page, page.pageSize, page.totalPages, page.items.length], [6, 2, 4, 2, 2]);
    const odd = await listOf(six, `?page=2&pageSize=2&partnerEdb=${OTHER_EDB}`);
    assert.deepEqual([odd.totalCount, odd.totalPages, odd.items.map((item) => item.documentNumber)], [3, 2, ['b']]);
  });

  test('a page past the end is empty and its counts are true', async () => {
    for (const query of [
      '?page=3&pageSize=3',
      '?page=2147483647&pageSize=500',
      '?page=9&status=10&status=20&status=30',
    ]) {
      const { items, totalCount } = await listOf(six, query);
      assert.deepEqual([items, totalCount], [[], query.includes('status') ? 3 : 6]);
    }
  });

  test('pageSize is 100 by default and may be 1 and 500; more is ERR-3005, which names the maximum', async () => {
    assert.equal((await listOf(six)).pageSize, 100);
    assert.equal((await listOf(six, '?pageSize=1')).items.length, 1);
    assert.equal((await listOf(six, '?pageSize=500')).pageSize, 500);
    for (const size of [501, 2_147_483_647]) {
      assert.match(assertProblem(await six.get(`/outbound?pageSize=${size}`), 'ERR-3005'), /\b500\b/u);
    }
  });
});

suite('GET /outbound: filters', () => {
  const FILTERS: Readonly<Record<string, string>> = {
    '': 'f e d c b a',
    'status=10': 'a',
    'status=10&status=30&status=55': 'f c a',
    'status=20&status=20': 'b',
    'status=40&status=50': 'e d',
    'status=10&status=20&status=30&status=40&status=50&status=55': 'f e d c b a',
    'status=60': '',
    'status=11': '',
    'status=11&status=10': 'a',
    'status=-10': '',
    'status=2147483647': '',
    'partnerEdb=4080026000023': 'e c a',
    [`partnerEdb=${OTHER_EDB}`]: 'f d b',
    [`partnerEdb=MK${OTHER_EDB}`]: 'f d b',
    [`partnerEdb=%D0%9C%D0%9A%20${OTHER_EDB}`]: 'f d b',
    'partnerEdb=4080026000024': '',
    'partnerEdb=%25': '',
    [`partnerEdb=${OTHER_EDB}&status=20&status=10`]: 'b',
    'dateFrom=2026-11-02T08:02:00Z': 'f e d c',
    'dateTo=2026-11-02T08:02:00Z': 'c b a',
    'dateFrom=2026-11-02T08:02:00Z&dateTo=2026-11-02T08:02:00Z': 'c',
    'dateFrom=2026-11-02T08:02:00.001Z&dateTo=2026-11-02T08:02:59.999Z': '',
    'dateFrom=2026-11-02T08:04:00Z&dateTo=2026-11-02T08:01:00Z': '',
    'dateFrom=2026-11-02T08:01:00Z&dateTo=2026-11-02T08:04:00Z&status=20&status=40&partnerEdb=4057026000100': 'd b',
    'dateFrom=2026-11-02T08:01:00Z&status=10': '',
    'dateTo=2026-11-02T08:04:00Z&partnerEdb=4080026000023&status=30': 'c',
  };
  for (const [query, expected] of Object.entries(FILTERS)) {
    test(`${query || 'no filter'} gives ${expected || 'nothing'}`, async () => {
      assert.equal(await numbersOf(six, `?${query}`), expected);
    });
  }

  const BOUNDS: Readonly<Record<string, string>> = {
    'dateFrom=2026-11-02T08:05:00.000000001Z': '',
    'dateFrom=2026-11-02T08:04:59.999999999Z': 'f',
    'dateTo=2026-11-02T08:00:00.000000001Z': 'a',
    'dateTo=2026-11-02T07:59:59.999999999Z': '',
    'dateTo=2026-11-02T08:00:00.000000000000000Z': 'a',
    'dateFrom=2026-11-02T10:05:00%2B02:00': 'f',
    'dateFrom=2026-11-02T10:05:00+02:00': 'f',
    'dateTo=2026-11-02T03:00:00-05:00': 'a',
    'dateFrom=2026-11-02T08:05:00': 'f',
    'dateFrom=2026-11-02t08:05:00z': 'f',
    'dateFrom=2026-11-02': 'f e d c b a',
    'dateTo=2026-11-02': 'f e d c b a',
    'dateTo=2026-11-01': '',
    'dateFrom=2026-11-03': '',
    'dateTo=2026-11-03': 'f e d c b a',
    'dateFrom=0001-01-01&dateTo=9999-12-31T23:59:59Z': 'f e d c b a',
    'dateTo=1969-12-31T23:59:59Z': '',
    'dateFrom=9999-12-31T23:59:59Z': '',
  };
  for (const [query, expected] of Object.entries(BOUNDS)) {
    test(`both bounds are inclusive and exact: ${query} gives ${expected || 'nothing'}`, async () => {
      assert.equal(await numbersOf(six, `?${query}`), expected);
    });
  }

  test('a recipient abroad is found by the number as it was given', async () => {
    const tenant = await newTenant(service);
    await tenant.submitted(sampleInvoice({ number: 'x', recipient: { taxNumber: 'DE129273398', country: 'DE' } }));
    assert.equal(await numbersOf(tenant, '?partnerEdb=DE129273398'), 'x');
  });

  test('cancelling moves a document from one status filter to another', async () => {
    const tenant = await newTenant(service);
    const docUid = await tenant.submitted(sampleInvoice({ number: 'x' }));
    await tenant.post(`/outbound/${docUid}/cancel`);
    assert.equal(await numbersOf(tenant, '?status=10'), '');
    assert.equal(await numbersOf(tenant, '?status=60&partnerEdb=4080026000023'), 'x');
  });
});

suite('GET /outbound: documents from before the interface existed', () => {
  const OLD = '01890a5d-ac96-774b-bcce-b302099a8057';

  test('they carry no docUid and are neither returned nor counted nor readable', async () => {
    const tenant = await newTenant(service);
    const docUid = await tenant.submitted();
    await service.foundation.engine.transaction(async (sql) => {
      for (const id of [OLD, 'legacy-7', 'f47ac10b-58cc-4372-a567-0e02b2c3d479']) {
        await sql.run(
          `insert into outbound (tenant, id, doc_uid, status, kind, document_number, partner_edb, created_at)
           values ($1, $2, null, 10, 'Invoice', 'old', '4080026000023', $3)`,
          [tenant.edb, id, clock.now()],
        );
      }
    });
    for (const query of ['', '?status=10', '?partnerEdb=4080026000023', '?dateFrom=2000-01-01', '?pageSize=1']) {
      const { items, totalCount } = await listOf(tenant, query);
      assert.deepEqual([items.map((item) => item.docUid), totalCount], [[docUid], 1], query);
    }
    for (const action of ['', '/history', '/file']) {
      assertProblem(await tenant.get(`/outbound/${OLD}${action}`), 'ERR-3001');
    }
    assertProblem(await tenant.post(`/outbound/${OLD}/cancel`), 'ERR-3001');
  });
});
