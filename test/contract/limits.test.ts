import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import type { NewOutbound } from '../../src/application/ports/storage/outbound-store.ts';
import type { OutboundStatus } from '../../src/domain/documents/outbound-status.ts';
import { addManyOutbound } from '../engines/add-many-outbound.ts';
import { startTestService } from '../support/service.ts';
import { clockAt } from '../support/test-clock.ts';
import { bytesOf } from '../support/ubl-samples.ts';
import { type Answer, clientFor, json } from './support/client.ts';
import { freshInvoice } from './support/documents.ts';
import { OUTBOUND_ITEM, readPage } from './support/fields.ts';
import { assertProblem } from './support/problem.ts';
import { newTenant, type TestTenant } from './support/tenant.ts';

const LIMIT_BYTES = 30_000;

const clock = clockAt(Date.now());
const service = await startTestService({ clock, variables: { MAX_DOCUMENT_BYTES: String(LIMIT_BYTES) } });
after(() => service.stop());

suite('limits: traffic per key', () => {
  test('demo-limited: five calls, then ERR-1006; one call more for every twelve seconds, at most five', async () => {
    const { get } = clientFor(service, 'demo-limited');
    const statuses = async (calls: number) => {
      const answers: number[] = [];
      for (let call = 0; call < calls; call += 1) answers.push((await get('/ping')).status);
      return answers;
    };
    assert.deepEqual(await statuses(6), [200, 200, 200, 200, 200, 429]);
    assert.equal((await get('/ping')).headers.get('retry-after'), '12');
    clock.advance(11_999);
    assert.equal((await get('/ping')).headers.get('retry-after'), '1');
    clock.advance(1);
    assert.deepEqual(await statuses(2), [200, 429]);
    clock.advance(3_600_000);
    assert.deepEqual(await statuses(6), [200, 200, 200, 200, 200, 429]);
  });

  for (const callsPerMinute of [1, 7, 59, 130]) {
    test(`Retry-After is whole seconds, at least one, and keeps its word: ${callsPerMinute} calls a minute`, async () => {
      const { get } = await (await newTenant(service)).withKey({ callsPerMinute });
      const answers = await Promise.all(Array.from({ length: callsPerMinute + 1 }, () => get('/ping')));
      const refused = answers.filter(({ status }) => status !== 200);
      assert.equal(refused.length, 1);
      assertProblem(refused[0] as Answer, 'ERR-1006');
      const seconds = refused[0]?.headers.get('retry-after') ?? '';
      assert.match(seconds, /^[1-9]\d*$/u);
      clock.advance(Number(seconds) * 1_000);
      assert.equal((await get('/ping')).status, 200);
    });
  }

  test('a key has 600 calls a minute where nothing else was ordered', async () => {
    const tenant = await newTenant(service);
    const { secret } = await service.operator.keys.issue({ tenant: tenant.edb, software: 'test' });
    const { headers } = await clientFor(service, secret).get('/ping');
    assert.equal(headers.get('ratelimit-policy'), '"minute";q=600;w=60');
  });

  test('RateLimit and RateLimit-Policy are on every answer to the key and count every call down', async () => {
    const { withKey } = await newTenant(service);
    const { get, post, submit } = await withKey({ callsPerMinute: 9 });
    const docUid = await (await withKey()).submitted();
    const calls = [
      () => get('/ping'),
      () => get('/outbound?page=0'),
      () => get('/outbound/x'),
      () => get(`/outbound/${docUid}/file`),
      () => get(`/outbound/${docUid}/file`, { 'If-None-Match': '*' }),
      () => submit(freshInvoice()),
      () => post('/inbound/x/ack', '{"tenant":1}'),
      () => get('/ping', { 'X-Software-Id': '' }),
      () => submit('no XML'),
      () => get('/ping'),
    ];
    const answers: Answer[] = [];
    for (const call of calls) answers.push(await call());
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 400, 404, 200, 304, 201, 400, 400, 400, 429],
    );
    assert.deepEqual(
      answers.map(({ headers }) => headers.get('ratelimit')?.replace(/;t=\d+$/u, '')),
      [8, 7, 6, 5, 4, 3, 2, 1, 0, 0].map((left) => `"minute";r=${left}`),
    );
    for (const { headers } of answers) assert.equal(headers.get('ratelimit-policy'), '"minute";q=9;w=60');
  });

  test('each key has a limit of its own, over all endpoints together', async () => {
    const { withKey } = await newTenant(service);
    const [one, two] = [await withKey({ callsPerMinute: 2 }), await withKey({ callsPerMinute: 2 })];
    await one.get('/outbound');
    await one.get('/inbound/x');
    for (const path of ['/ping', '/outbound', '/inbound', '/codelists/currencies']) {
      assertProblem(await one.get(path), 'ERR-1006');
    }
    assertProblem(await one.submit(freshInvoice()), 'ERR-1006');
    assert.equal((await two.get('/ping')).status, 200);
  });

  test('a document of a refused call is not stored', async () => {
    const { withKey, get } = await newTenant(service);
    const { submit } = await withKey({ callsPerMinute: 1 });
    assert.equal((await submit(freshInvoice())).status, 201);
    assertProblem(await submit(freshInvoice()), 'ERR-1006');
    assert.equal(readPage(OUTBOUND_ITEM, json(await get('/outbound'))).totalCount, 1);
  });
});

suite('limits: size of a document', () => {
  const sized = (bytes: number) => bytesOf(freshInvoice().padEnd(bytes - byteExcess(), ' '));

  test('a document of exactly the limit is accepted, one byte more is ERR-2012, which names the limit', async () => {
    const { submit, get } = await newTenant(service);
    assert.equal((await submit(sized(LIMIT_BYTES))).status, 201);
    assert.match(
      assertProblem(await submit(sized(LIMIT_BYTES + 1)), 'ERR-2012'),
      new RegExp(`\\b${LIMIT_BYTES}\\b`, 'u'),
    );
    assert.equal(readPage(OUTBOUND_ITEM, json(await get('/outbound'))).totalCount, 1);
  });

  test('the limit is kept for a body whose length is not told beforehand', async () => {
    const { headers } = await newTenant(service);
    const stream = async (bytes: Uint8Array<ArrayBuffer>, idempotencyKey: string) =>
      fetch(`${service.api}/outbound`, {
        method: 'POST',
        headers: { ...headers, 'X-Idempotency-Key': idempotencyKey },
        body: new Blob([bytes]).stream(),
        duplex: 'half',
      });
    assert.equal((await stream(sized(LIMIT_BYTES), 'a')).status, 201);
    assert.equal((await stream(sized(LIMIT_BYTES + 1), 'b')).status, 413);
  });

  /** How many more bytes than characters a fresh invoice has. */
  function byteExcess(): number {
    const xml = freshInvoice();
    return Buffer.byteLength(xml) - xml.length;
  }
});

/** Enough to fill several of the blocks in which the lists are counted; test/engines goes further on both engines. */
const DOCUMENTS = process.env['TEST_DATABASE'] === 'postgres' ? 1_100 : 2_300;
const START = Date.UTC(2026, 0, 1);
const PARTNERS = ['4080026000023', '4057026000100', null] as const;

type Listed = {
  readonly docUid: string;
  readonly at: number;
  readonly partner: string | null;
  readonly status: OutboundStatus;
};

/** No worker takes them while their list is read: they begin a year before the clock of this file. */
const HOLD_MS = 10 * 365 * 86_400_000;

const bytes = Buffer.from('<Invoice/>');
const ubl = { bytes, sha256: createHash('sha256').update(bytes).digest() };
const nobody = { name: null, taxNumber: null, country: null };

function newDocument(partnerEdb: string | null): NewOutbound {
  const nothing = { documentNumber: null, typeCode: null, amount: null, currency: null, issueDate: null };
  const facts = { kind: 'Invoice', ...nothing, supplier: nobody, recipient: nobody } as const;
  return { facts, partnerEdb, ubl, pdf: null, software: 'test', holdMs: HOLD_MS };
}

/** What the service holds, oldest first, as the test knows it. */
const model: Listed[] = [];

async function fill({ edb }: TestTenant): Promise<void> {
  const added = Array.from({ length: DOCUMENTS }, (_, index) => {
    const partner = PARTNERS[(index * 7) % 3] ?? null;
    const status: OutboundStatus = index % 5 === 0 ? 10 : index % 5 > 2 ? 30 : 20;
    // Two documents share each millisecond.
    return { document: newDocument(partner), at: START + Math.floor(index / 2), status };
  });
  const stored = await addManyOutbound(service.foundation.engine, edb, added);
  for (const [index, { document, status }] of added.entries()) {
    const { docUid, at } = stored[index] ?? assert.fail();
    model.push({ docUid, at, partner: document.partnerEdb, status });
  }
}

type Filter = {
  readonly from?: number;
  readonly to?: number;
  readonly status?: readonly number[];
  readonly partner?: string;
};

function expected({ from = 0, to = DOCUMENTS, status, partner }: Filter): readonly string[] {
  return model
    .filter(({ at }) => at >= START + from && at <= START + to)
    .filter((document) => status?.includes(document.status) ?? true)
    .filter((document) => partner === undefined || document.partner === partner)
    .map(({ docUid }) => docUid)
    .reverse();
}

function queryOf({ from, to, status, partner }: Filter): string {
  const parts = (status ?? []).map((value) => `status=${value}`);
  if (from !== undefined) parts.push(`dateFrom=${new Date(START + from).toISOString()}`);
  if (to !== undefined) parts.push(`dateTo=${new Date(START + to).toISOString()}`);
  if (partner !== undefined) parts.push(`partnerEdb=${partner}`);
  return parts.join('&');
}

suite('limits: pages of a list of thousands', () => {
  let tenant: TestTenant;
  before(async () => {
    tenant = await newTenant(service);
    await fill(tenant);
  });

  const partner = PARTNERS[0];
  const FILTERS: readonly Filter[] = [
    {},
    { status: [10] },
    { status: [20, 30] },
    { status: [30, 10, 20] },
    { status: [60] },
    { partner },
    { partner, status: [30] },
    { from: 40 },
    { to: 1_100 },
    { from: 341, to: 1_030, status: [20] },
    { from: 300, to: 1_100, status: [10, 30], partner },
    { from: 700, to: 700 },
    { from: 2, to: 690, status: [30] },
  ];
  for (const filter of FILTERS) {
    const query = queryOf(filter);
    test(`every page and the totals are exact: ${query || 'no filter'}`, async () => {
      const wanted = expected(filter);
      for (const pageSize of filter.status?.length === 1 ? [500, 333] : [500]) {
        const pages = Math.ceil(wanted.length / pageSize);
        for (let page = 1; page <= pages + 1; page += 1) {
          const found = readPage(
            OUTBOUND_ITEM,
            json(await tenant.get(`/outbound?page=${page}&pageSize=${pageSize}&${query}`)),
          );
          assert.deepEqual([found.totalCount, found.totalPages], [wanted.length, pages]);
          assert.deepEqual(
            found.items.map(({ docUid }) => docUid),
            wanted.slice((page - 1) * pageSize, page * pageSize),
          );
        }
      }
    });
  }

  test('small pages far back are as exact', async () => {
    for (const filter of [{}, { status: [10] }, { status: [20, 30] }]) {
      const wanted = expected(filter);
      for (const page of [1, 100, 137, 200, 300, Math.ceil(wanted.length / 7)]) {
        const found = readPage(
          OUTBOUND_ITEM,
          json(await tenant.get(`/outbound?pageSize=7&page=${page}&${queryOf(filter)}`)),
        );
        assert.deepEqual(
          found.items.map(({ docUid }) => docUid),
          wanted.slice((page - 1) * 7, page * 7),
          `page ${page}`,
        );
      }
    }
  });
});
