import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { startTestService } from '../support/service.ts';
import { clockAt } from '../support/test-clock.ts';
import { ALFA_EDB, bytesOf, SAMPLE_PDF, sampleInvoice } from '../support/ubl-samples.ts';
import { clientFor, json } from './support/client.ts';
import { INBOUND_ITEM, readPage } from './support/fields.ts';
import { assertProblem } from './support/problem.ts';
import { newTenant, type TestTenant } from './support/tenant.ts';

const START = '2026-11-02T08:00:00.000Z';
const OTHER_EDB = '4057026000100';

const clock = clockAt(START);
const service = await startTestService({ clock });
after(() => service.stop());

const arrive = async ({ edb }: TestTenant, content: string, fileName = 'file') =>
  (await service.operator.importInbound(edb, fileName, bytesOf(content))).docUid;

const listOf = async ({ get }: Pick<TestTenant, 'get'>, query = '') => {
  const answer = await get(`/inbound${query}`);
  assert.equal(answer.status, 200, answer.text);
  return readPage(INBOUND_ITEM, json(answer));
};

/** Six documents a to f, a minute apart from START on, from two senders and from nobody known; a and d acknowledged. */
const six = await newTenant(service);
const letterOf = new Map<string, string>();
for (const [index, letter] of ['a', 'b', 'c', 'd', 'e', 'f'].entries()) {
  clock.set(new Date(START).getTime() + index * 60_000);
  const supplier = index % 3 === 0 ? { taxNumber: OTHER_EDB } : {};
  const docUid = await arrive(
    six,
    index % 3 === 2 ? `${SAMPLE_PDF}${index}` : sampleInvoice({ number: letter, supplier }),
  );
  letterOf.set(docUid, letter);
  if (index % 3 === 0) await six.post(`/inbound/${docUid}/ack`);
}

const lettersOf = async (query: string) => {
  const { items, totalCount } = await listOf(six, `?${query}`);
  assert.equal(items.length, totalCount, 'one page holds them all');
  return items.map((item) => letterOf.get(item.docUid)).join(' ');
};

suite('GET /inbound: the page', () => {
  test('an empty result is HTTP 200 with totalCount 0', async () => {
    const empty = { items: [], totalCount: 0, page: 1, pageSize: 100, totalPages: 0 };
    assert.deepEqual(await listOf(await newTenant(service)), empty);
  });

  test('an item holds what the contract lists: of a UBL document its sender, of another file nothing but its arrival', async () => {
    const tenant = await newTenant(service);
    clock.set('2026-11-02T09:00:00.007Z');
    const receivedAt = '2026-11-02T09:00:00.007Z';
    const invoice = await arrive(tenant, sampleInvoice({ supplier: { name: 'Гама ДОО' } }));
    const other = await arrive(tenant, 'a;b;c', 'list.csv');
    assert.deepEqual((await listOf(tenant)).items, [
      { docUid: other, receivedAt, senderName: null, senderEdb: null, ackedAt: null },
      { docUid: invoice, receivedAt, senderName: 'Гама ДОО', senderEdb: ALFA_EDB, ackedAt: null },
    ]);
  });

  test('newest first; equal times by docUid, descending; on pages of every size', async () => {
    const tenant = await newTenant(service);
    for (const [index, time] of ['10:00:00', '10:00:00', '10:00:01', '10:00:01', '10:00:01'].entries()) {
      clock.set(`2026-11-02T${time}Z`);
      await arrive(tenant, `${index}`);
    }
    const { items } = await listOf(tenant);
    const keys = items.map((item) => `${item.receivedAt} ${item.docUid}`);
    assert.deepEqual(keys, keys.toSorted().reverse());
    for (const filter of ['', '&onlyNotImported=true']) {
      const pages = [1, 2, 3].map((page) => listOf(tenant, `?pageSize=2&page=${page}${filter}`));
      assert.deepEqual(
        (await Promise.all(pages)).flatMap((page) => page.items),
        items,
      );
    }
  });

  test('totals are those of the filter; a page past the end is empty and its counts are true', async () => {
    const page = await listOf(six, '?page=2&pageSize=3&onlyNotImported=true');
    assert.deepEqual([page.totalCount, page.page, page.pageSize, page.totalPages, page.items.length], [4, 2, 3, 2, 1]);
    const past = await listOf(six, '?page=2147483647&pageSize=500');
    assert.deepEqual([past.items, past.totalCount, past.totalPages], [[], 6, 1]);
  });

  test('pageSize is 100 by default and may be 500; more is ERR-3005, which names the maximum', async () => {
    assert.equal((await listOf(six)).pageSize, 100);
    assert.equal((await listOf(six, '?pageSize=500')).pageSize, 500);
    assert.match(assertProblem(await six.get('/inbound?pageSize=501'), 'ERR-3005'), /\b500\b/u);
  });

  test('the same file for the same tenant twice is one document', async () => {
    const tenant = await newTenant(service);
    assert.equal(await arrive(tenant, 'once'), await arrive(tenant, 'once', 'renamed'));
    assert.equal((await listOf(tenant)).totalCount, 1);
  });

  test('the demo tenant has documents of every shape', async () => {
    assert.ok((await listOf(clientFor(service, 'demo-alfa'))).totalCount >= 4);
  });
});

suite('GET /inbound: filters', () => {
  const FILTERS: Readonly<Record<string, string>> = {
    '': 'f e d c b a',
    'onlyNotImported=false': 'f e d c b a',
    'onlyNotImported=true': 'f e c b',
    'onlyNotImported=TRUE': 'f e c b',
    [`senderEdb=${ALFA_EDB}`]: 'e b',
    [`senderEdb=MK%20${OTHER_EDB}`]: 'd a',
    'senderEdb=4080026000024': '',
    [`senderEdb=${OTHER_EDB}&onlyNotImported=true`]: '',
    [`senderEdb=${ALFA_EDB}&onlyNotImported=true`]: 'e b',
    'dateFrom=2026-11-02T08:02:00Z': 'f e d c',
    'dateTo=2026-11-02T08:02:00Z': 'c b a',
    'dateFrom=2026-11-02T08:02:00Z&dateTo=2026-11-02T08:02:00Z': 'c',
    'dateFrom=2026-11-02T08:02:00.0001Z&dateTo=2026-11-02T10:03:00.9999%2B02:00': 'd',
    'dateFrom=2026-11-02&dateTo=2026-11-03': 'f e d c b a',
    'dateTo=2026-11-02': 'f e d c b a',
    'dateTo=2026-11-01': '',
    [`dateFrom=2026-11-02T08:01:00Z&dateTo=2026-11-02T08:03:00Z&senderEdb=${ALFA_EDB}&onlyNotImported=true`]: 'b',
    'dateFrom=2026-11-02T08:01:00Z&dateTo=2026-11-02T08:03:00Z&onlyNotImported=true': 'c b',
  };
  for (const [query, expected] of Object.entries(FILTERS)) {
    test(`${query || 'no filter'} gives ${expected || 'nothing'}`, async () => {
      assert.equal(await lettersOf(query), expected);
    });
  }

  test('without onlyNotImported acknowledged documents come with their ackedAt', async () => {
    const { items } = await listOf(six);
    const acked = items.map((item) => [letterOf.get(item.docUid), item.ackedAt]);
    assert.deepEqual(Object.fromEntries(acked), {
      a: '2026-11-02T08:00:00.000Z',
      b: null,
      c: null,
      d: '2026-11-02T08:03:00.000Z',
      e: null,
      f: null,
    });
  });
});

suite('GET /inbound: documents from before the interface existed', () => {
  const OLD = '01890a5d-ac96-774b-bcce-b302099a8057';

  test('they carry no docUid and are neither returned nor counted nor readable', async () => {
    const tenant = await newTenant(service);
    const docUid = await arrive(tenant, 'new');
    await service.foundation.engine.transaction(async (sql) => {
      await sql.run(
        `insert into inbound (tenant, id, doc_uid, same_as, original_sha256, received_at)
         select tenant, $2, null, 'old', original_sha256, received_at from inbound where tenant = $1`,
        [tenant.edb, OLD],
      );
    });
    for (const query of ['', '?onlyNotImported=true', '?dateFrom=2000-01-01', '?pageSize=1']) {
      const { items, totalCount } = await listOf(tenant, query);
      assert.deepEqual([items.map((item) => item.docUid), totalCount], [[docUid], 1], query);
    }
    for (const action of ['', '/file']) assertProblem(await tenant.get(`/inbound/${OLD}${action}`), 'ERR-3001');
    assertProblem(await tenant.post(`/inbound/${OLD}/ack`), 'ERR-3001');
  });
});
