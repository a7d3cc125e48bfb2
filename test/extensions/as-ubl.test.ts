import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, suite, test } from 'node:test';
import { readEdb } from '../../src/application/accounts/manage-tenants.ts';
import { API_ROOT } from '../../src/http/api.ts';
import { EXTENSIONS_ROOT } from '../../src/http/extensions.ts';
import { outcomeOn } from '../adapters/ubl/judging/judging.ts';
import { checkBySchema } from '../adapters/ujp/document-schema/check-by-schema.ts';
import { type Answer, json, request } from '../contract/support/client.ts';
import { assertPlainProblem, assertProblem } from '../contract/support/problem.ts';
import { newTenant } from '../contract/support/tenant.ts';
import { sampleDocument } from '../simulator/sample-document.ts';
import { until } from '../support/process.ts';
import { as, startTestService, WITH_BACKGROUND } from '../support/service.ts';
import {
  BETA_EDB,
  bytesOf,
  PDF_ATTACHMENT,
  SAMPLE_PDF,
  sampleCreditNote,
  sampleInvoice,
} from '../support/ubl-samples.ts';

const service = await startTestService({ variables: { ...WITH_BACKGROUND, DELIVERY_HOLD_SECONDS: '0' } });
after(() => service.stop());
const tenant = await newTenant(service);
const { secret } = await tenant.withKey();
/** However long a slow machine takes to collect, its arrivals may be looked at again and again. */
const ofBeta = await service.operator.keys.issue({
  tenant: readEdb(BETA_EDB),
  software: 'test',
  callsPerMinute: 100_000,
});

const get = (path: string, key = secret, more: Readonly<Record<string, string>> = {}) =>
  request(`${service.url}${path}`, { headers: as(key, more) });
const original = (docUid: string, format = 'original', key = secret) =>
  get(`${API_ROOT}/inbound/${docUid}/file?format=${format}`, key);
const asUbl = (docUid: string, key = secret, more: Readonly<Record<string, string>> = {}) =>
  get(`${EXTENSIONS_ROOT}/inbound/${docUid}/as-ubl`, key, more);
const shapeOf = ({ headers }: Answer) => headers.get('x-document-shape');

async function arrive(content: string | Uint8Array<ArrayBuffer>): Promise<string> {
  const bytes = typeof content === 'string' ? bytesOf(content) : content;
  return (await service.operator.importInbound(tenant.edb, null, bytes)).docUid;
}

async function submit(xml: string): Promise<string> {
  const headers = as('demo-alfa', { 'X-Idempotency-Key': createHash('sha256').update(xml).digest('hex') });
  const answer = await request(`${service.api}/outbound`, { method: 'POST', headers, body: xml });
  return (json(answer) as { readonly docUid: string }).docUid;
}

type Original = { readonly docUid: string; readonly file: Answer; readonly docNumber: string };

/** What Beta has received from the authority, once these are among it. */
async function arrived(numbers: readonly string[]): Promise<readonly Original[]> {
  let found: readonly Original[] = [];
  await until('they have arrived', async () => {
    const { items } = json(await get(`${API_ROOT}/inbound`, ofBeta.secret)) as { items: readonly { docUid: string }[] };
    found = await Promise.all(
      items.map(async ({ docUid }) => {
        const file = await original(docUid, 'original', ofBeta.secret);
        const { document } = json(file) as { readonly document: { readonly header: { readonly docNumber: string } } };
        return { docUid, file, docNumber: document.header.docNumber };
      }),
    );
    return numbers.every((number) => found.some(({ docNumber }) => docNumber === number));
  });
  return found;
}

suite('what arrives from the authority', () => {
  test('says that it is its document, fits its schema, and can be had as valid UBL', async () => {
    const sent = [
      sampleInvoice({ number: 'as-ubl-1', supplier: { taxNumber: '4030026000018' }, attachments: [PDF_ATTACHMENT] }),
      sampleCreditNote({ number: 'as-ubl-2', supplier: { taxNumber: '4030026000018' } }),
    ];
    const [docUid = ''] = await Promise.all(sent.map(submit));
    for (const { docUid: received, file, docNumber } of await arrived(['as-ubl-1', 'as-ubl-2'])) {
      assert.equal(shapeOf(file), 'ujp-document-v1');
      checkBySchema(json(file));
      const ubl = await asUbl(received, ofBeta.secret);
      assert.deepEqual([ubl.status, shapeOf(ubl), ubl.headers.get('x-left-out')], [200, 'ubl-2.1', '0'], ubl.text);
      assert.equal(outcomeOn(ubl.text), 'document');
      assert.ok(ubl.text.includes(`<cbc:ID>${docNumber}</cbc:ID>`));
      const { document } = json(file) as { readonly document: ReturnType<typeof sampleDocument> };
      const { docFinalAmount } = document['docTotals'] as { readonly docFinalAmount: number };
      assert.ok(ubl.text.includes(`>${docFinalAmount.toFixed(2)}</cbc:PayableAmount>`));
      assert.equal(shapeOf(await original(received, 'pdf', ofBeta.secret)), 'pdf');
    }
    const ofOutbound = async (format: string) =>
      get(`${API_ROOT}/outbound/${docUid}/file?format=${format}`, 'demo-alfa');
    await until('its container', async () => (await ofOutbound('ujp')).status === 200);
    const shapes = await Promise.all(['ubl', 'pdf', 'ujp'].map(async (format) => shapeOf(await ofOutbound(format))));
    assert.deepEqual(shapes, ['ubl-2.1', 'pdf', 'asic']);
  });
});

suite('GET /inbound/{docUid}/as-ubl', () => {
  test('is made of the original, the same bytes each time, and cached by its own ETag', async () => {
    const docUid = await arrive(JSON.stringify({ document: sampleDocument({ docNumber: 'Ф 7/1' }) }));
    const [one, other] = [await asUbl(docUid), await asUbl(docUid)];
    assert.equal(one.status, 200, one.text);
    assert.equal(one.text, other.text);
    const digest = createHash('sha256').update(one.bytes).digest();
    assert.equal(one.headers.get('etag'), `"${digest.toString('hex')}"`);
    assert.equal(one.headers.get('repr-digest'), `sha-256=:${digest.toString('base64')}:`);
    assert.match(one.headers.get('content-disposition') ?? '', /\.xml"/u);
    const cached = await asUbl(docUid, secret, { 'If-None-Match': one.headers.get('etag') ?? '' });
    assert.deepEqual([cached.status, cached.bytes.length, shapeOf(cached)], [304, 0, 'ubl-2.1']);
  });

  test('gives a document that arrived as UBL as it is', async () => {
    const xml = sampleInvoice({ number: 'as it is' });
    const docUid = await arrive(xml);
    assert.equal(shapeOf(await original(docUid)), 'ubl-2.1');
    const answer = await asUbl(docUid);
    assert.deepEqual([answer.text, shapeOf(answer), answer.headers.get('x-left-out')], [xml, 'ubl-2.1', '0']);
  });

  test('a large document is converted on a thread', async () => {
    const lines = Array.from({ length: 300 }, (_, index) => ({ quantity: 1 + (index % 7), price: 10 + index / 8 }));
    const docUid = await arrive(JSON.stringify({ document: sampleDocument({ lines }) }));
    assert.equal(shapeOf(await original(docUid)), 'ujp-document-v1');
    const { status, text } = await asUbl(docUid);
    assert.deepEqual([status, text.split('<cac:InvoiceLine>').length - 1], [200, lines.length]);
    assert.equal(outcomeOn(text), 'document');
  });

  test('says in the asked language why an original cannot be converted, and keeps its other files readable', async () => {
    const others: Readonly<Record<string, readonly [string, string, RegExp]>> = {
      PDF: [SAMPLE_PDF, 'pdf', /не е JSON/u],
      text: ['a;b;c', 'unknown', /не е JSON/u],
      'other JSON': ['{"invoice": {}}', 'unknown', /document не е наведено/u],
      'the inner document': [JSON.stringify(sampleDocument()), 'unknown', /document не е наведено/u],
    };
    for (const [name, [content, shape, detail]] of Object.entries(others)) {
      const docUid = await arrive(content);
      assert.equal(shapeOf(await original(docUid)), shape, name);
      const refused = await asUbl(docUid, secret, { 'Accept-Language': 'mk' });
      assert.deepEqual([refused.status, refused.headers.get('content-language')], [404, 'mk'], name);
      assert.match((json(refused) as { readonly detail: string }).detail, detail);
      assert.deepEqual([shapeOf(refused), refused.headers.get('x-left-out')], [null, null]);
      assert.match(assertProblem(await asUbl(docUid), 'ERR-3002'), /cannot be converted to UBL/u);
    }
  });

  test('refuses what UBL does not allow, however well it fits the schema', async () => {
    const long = { document: sampleDocument({ docNumber: '9'.repeat(3_000) }) };
    const detail = assertProblem(await asUbl(await arrive(JSON.stringify(long))), 'ERR-3002');
    assert.match(detail, /^The original holds values that UBL 2\.1 does not allow\. .*3000/u);
  });

  test('no other taxpayer has the document', async () => {
    const docUid = await arrive(JSON.stringify({ document: sampleDocument() }));
    assertProblem(await asUbl(docUid, 'demo-alfa'), 'ERR-3001');
    assertProblem(await asUbl('0197a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b'), 'ERR-3001');
  });
});

suite('GET /schemas/{name}', () => {
  const schema = (language: string, headers: Readonly<Record<string, string>> = {}) =>
    request(`${service.url}${EXTENSIONS_ROOT}/schemas/ujp-document-v1.${language}.json`, { headers });

  test('needs no key and may be kept for ever', async () => {
    for (const language of ['en', 'mk']) {
      const answer = await schema(language);
      assert.equal(answer.status, 200, answer.text);
      assert.equal(answer.headers.get('content-type'), 'application/schema+json');
      assert.equal(answer.headers.get('cache-control'), 'public, max-age=31536000, immutable');
      assert.equal(answer.headers.get('etag'), `"${createHash('sha256').update(answer.bytes).digest('hex')}"`);
      const { $schema, $id } = json(answer) as { readonly $schema: string; readonly $id: string };
      assert.deepEqual(
        [$schema, $id],
        ['https://json-schema.org/draft/2020-12/schema', `urn:dostava:ujp-document:v1:${language}`],
      );
      const cached = await schema(language, { 'If-None-Match': answer.headers.get('etag') ?? '' });
      assert.deepEqual([cached.status, cached.bytes.length], [304, 0]);
    }
  });

  test('there is none of another name', async () => {
    for (const language of ['xx', 'EN', '..%2f..']) assertPlainProblem(await schema(language), 404);
  });
});
