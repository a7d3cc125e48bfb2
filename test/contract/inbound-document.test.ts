import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, suite, test } from 'node:test';
import { startTestService } from '../support/service.ts';
import { clockAt } from '../support/test-clock.ts';
import { ALFA_EDB, bytesOf, SAMPLE_PDF, sampleCreditNote, sampleInvoice, without } from '../support/ubl-samples.ts';
import { type Answer, json, request } from './support/client.ts';
import { ACKNOWLEDGEMENT, INBOUND_DOCUMENT, INBOUND_ITEM, readFields, readPage } from './support/fields.ts';
import { assertPlainProblem, assertProblem } from './support/problem.ts';
import { newTenant, type TestTenant } from './support/tenant.ts';

const clock = clockAt('2026-11-02T08:00:00.123Z');
const service = await startTestService({ clock });
after(() => service.stop());
const { edb, get, head, post } = await newTenant(service);

const arrive = async (content: string | Uint8Array<ArrayBuffer>, fileName: string | null = null) => {
  const bytes = typeof content === 'string' ? bytesOf(content) : content;
  return (await service.operator.importInbound(edb, fileName, bytes)).docUid;
};

const detailOf = async (docUid: string) => {
  const answer = await get(`/inbound/${docUid}`);
  assert.equal(answer.status, 200, answer.text);
  return readFields(INBOUND_DOCUMENT, json(answer));
};

suite('GET /inbound/{docUid}', () => {
  const arrival = () => ({ receivedAt: new Date(clock.now()).toISOString(), ackedAt: null });
  const nothing = { senderName: null, senderEdb: null, documentNumber: null, amount: null, currency: null };

  test('a UBL invoice: sender, number, amount and currency are read from it', async () => {
    const supplier = { name: 'Алфа', taxNumber: `MK${ALFA_EDB}` };
    const docUid = await arrive(sampleInvoice({ number: 'Ф-9', amount: '77.70', currency: 'EUR', supplier }));
    const sender = { senderName: 'Алфа', senderEdb: ALFA_EDB };
    const expected = { docUid, ...arrival(), ...sender, documentNumber: 'Ф-9', amount: 77.7, currency: 'EUR' };
    assert.deepEqual(await detailOf(docUid), expected);
  });

  test('a UBL credit note is read likewise', async () => {
    const { documentNumber, amount } = await detailOf(await arrive(sampleCreditNote({ number: 'КО-3', amount: '5' })));
    assert.deepEqual([documentNumber, amount], ['КО-3', 5]);
  });

  test('a UBL document that lacks something has null there and stays a document', async () => {
    const xml = without(sampleInvoice({ number: 'half', amount: 'many' }), 'cac:AccountingSupplierParty');
    const { senderName, senderEdb, documentNumber, amount } = await detailOf(await arrive(xml));
    assert.deepEqual([senderName, senderEdb, documentNumber, amount], [null, null, 'half', null]);
  });

  for (const [name, content] of Object.entries({ PDF: SAMPLE_PDF, CSV: 'a;b\n1;2', 'broken XML': '<Invoice' })) {
    test(`of a file that is ${name} nothing is known but its arrival`, async () => {
      const docUid = await arrive(content);
      assert.deepEqual(await detailOf(docUid), { docUid, ...arrival(), ...nothing });
    });
  }

  test('ackedAt is there once the document was acknowledged', async () => {
    const docUid = await arrive('to be acknowledged');
    await post(`/inbound/${docUid}/ack`);
    assert.equal((await detailOf(docUid)).ackedAt, new Date(clock.now()).toISOString());
  });
});

suite('GET /inbound/{docUid}/file', () => {
  const fileOf = (docUid: string, format?: string) =>
    get(`/inbound/${docUid}/file${format === undefined ? '' : `?format=${format}`}`);

  function assertFile(answer: Answer, content: string | Uint8Array): void {
    const expected = Buffer.from(content);
    const digest = createHash('sha256').update(expected).digest();
    assert.equal(answer.status, 200, answer.text);
    assert.ok(answer.bytes.equals(expected), 'byte for byte');
    assert.equal(answer.headers.get('content-type'), 'application/octet-stream');
    assert.equal(answer.headers.get('content-length'), String(expected.length));
    assert.equal(answer.headers.get('etag'), `"${digest.toString('hex')}"`);
    assert.equal(answer.headers.get('repr-digest'), `sha-256=:${digest.toString('base64')}:`);
    assert.match(answer.headers.get('content-disposition') ?? '', /^attachment; filename="/u);
  }

  const UBL = sampleInvoice({ number: 'file test' });
  const ARRIVALS: Readonly<Record<string, readonly [string | Uint8Array<ArrayBuffer>, readonly string[]]>> = {
    UBL: [UBL, ['original', 'ubl']],
    PDF: [`${SAMPLE_PDF}file test`, ['original', 'pdf']],
    CSV: ['a;b\r\n1;2\r\n', ['original']],
    'other XML': ['<Order/>', ['original']],
    'all bytes': [Uint8Array.from({ length: 256 }, (_, byte) => byte), ['original']],
    'one byte': [new Uint8Array(1), ['original']],
  };
  for (const [name, [content, shapes]] of Object.entries(ARRIVALS)) {
    test(`a file that arrived as ${name} is served as ${shapes.join(' and ')}, exactly as it arrived`, async () => {
      const docUid = await arrive(content);
      assertFile(await fileOf(docUid), content);
      for (const format of ['original', 'ubl', 'pdf']) {
        const answer = await fileOf(docUid, format);
        if (shapes.includes(format)) assertFile(answer, content);
        else assertProblem(answer, 'ERR-3002');
      }
      assertFile(await fileOf(docUid, 'original'), content);
    });
  }

  for (const format of ['ujp', 'Original', 'xml', 'toString']) {
    test(`another format is ERR-3002, which names the known ones: "${format}"`, async () => {
      const detail = assertProblem(await fileOf(await arrive(UBL), format), 'ERR-3002');
      for (const known of ['original', 'ubl', 'pdf']) assert.match(detail, new RegExp(`\\b${known}\\b`, 'u'));
    });
  }

  test('the original keeps its file name, whatever letters it has, and cannot break the header', async () => {
    const NAMES = { 'фактура 7.pdf': 'фактура 7.pdf', 'a"b\\c.txt': 'a"b\\c.txt', 'x\r\nSet-Cookie: y.txt': null };
    for (const [index, [name, expected]] of Object.entries(NAMES).entries()) {
      const answer = await fileOf(await arrive(`named ${index}`, name));
      assert.equal(answer.status, 200, answer.text);
      const disposition = answer.headers.get('content-disposition') ?? '';
      assert.match(disposition, /^attachment; filename="[^"\\]*"; filename\*=UTF-8''[^"\s]+$/u);
      assert.equal(answer.headers.get('set-cookie'), null);
      if (expected !== null) assert.equal(decodeURIComponent(disposition.split("''")[1] ?? ''), expected);
    }
  });

  test('a client that has the bytes already gets 304; HEAD gives the headers alone', async () => {
    const docUid = await arrive(UBL);
    const full = await fileOf(docUid);
    const cached = await get(`/inbound/${docUid}/file`, { 'If-None-Match': full.headers.get('etag') ?? '' });
    assert.deepEqual([cached.status, cached.bytes.length], [304, 0]);
    const headers = await head(`/inbound/${docUid}/file`);
    assert.deepEqual([headers.status, headers.bytes.length], [200, 0]);
    assert.equal(headers.headers.get('content-length'), full.headers.get('content-length'));
  });
});

suite('POST /inbound/{docUid}/ack', () => {
  let arrivals = 0;
  const arriveFor = async ({ edb }: TestTenant) => {
    arrivals += 1;
    return (await service.operator.importInbound(edb, null, bytesOf(`arrival ${arrivals}`))).docUid;
  };

  const acknowledge = async ({ post }: TestTenant, docUid: string) => {
    const answer = await post(`/inbound/${docUid}/ack`);
    assert.equal(answer.status, 200, answer.text);
    return readFields(ACKNOWLEDGEMENT, json(answer));
  };

  const open = async ({ get }: TestTenant) =>
    readPage(INBOUND_ITEM, json(await get('/inbound?onlyNotImported=true'))).items.map((item) => item.docUid);

  test('sets ackedAt, and the document no longer appears with onlyNotImported=true', async () => {
    const tenant = await newTenant(service);
    const [first, second] = [await arriveFor(tenant), await arriveFor(tenant)];
    assert.deepEqual(await open(tenant), [second, first]);
    clock.set('2026-11-02T09:00:00.001Z');
    assert.deepEqual(await acknowledge(tenant, first), { docUid: first, ackedAt: '2026-11-02T09:00:00.001Z' });
    assert.deepEqual(await open(tenant), [second]);
    assert.equal(readPage(INBOUND_ITEM, json(await tenant.get('/inbound'))).totalCount, 2);
  });

  test('a repeat is not an error and never moves the first ackedAt', async () => {
    const tenant = await newTenant(service);
    const docUid = await arriveFor(tenant);
    const first = await acknowledge(tenant, docUid);
    clock.advance(86_400_000);
    assert.deepEqual(await acknowledge(tenant, docUid), first);
    const { ackedAt } = readFields(INBOUND_DOCUMENT, json(await tenant.get(`/inbound/${docUid}`)));
    assert.equal(ackedAt, first.ackedAt);
  });

  test('30 at the same moment agree on one ackedAt', async () => {
    const tenant = await newTenant(service);
    const docUid = await arriveFor(tenant);
    const ticking = Array.from({ length: 30 }, () => {
      clock.advance(1);
      return acknowledge(tenant, docUid);
    });
    assert.equal(new Set((await Promise.all(ticking)).map(({ ackedAt }) => ackedAt)).size, 1);
    assert.deepEqual(await open(tenant), []);
  });

  test('an acknowledgement cannot be withdrawn, and importing the file again does not bring it back', async () => {
    const tenant = await newTenant(service);
    const { docUid } = await service.operator.importInbound(tenant.edb, null, bytesOf('again'));
    await acknowledge(tenant, docUid);
    const withdrawal = { method: 'DELETE', headers: tenant.headers };
    assertPlainProblem(await request(`${service.api}/inbound/${docUid}/ack`, withdrawal), 405);
    await service.operator.importInbound(tenant.edb, null, bytesOf('again'));
    assert.deepEqual(await open(tenant), []);
  });

  for (const body of ['{"tenant":1}', '<ack tenant-code="7"/>', 'TENANT_ID=7']) {
    test(`a body that names a tenant is ERR-1007, and nothing is acknowledged: ${body}`, async () => {
      const tenant = await newTenant(service);
      const docUid = await arriveFor(tenant);
      assertProblem(await tenant.post(`/inbound/${docUid}/ack`, body), 'ERR-1007');
      assert.deepEqual(await open(tenant), [docUid]);
    });
  }

  test('a harmless body is ignored', async () => {
    const tenant = await newTenant(service);
    for (const body of ['{"imported":true}', '<ack/>', 'ok']) {
      assert.equal((await tenant.post(`/inbound/${await arriveFor(tenant)}/ack`, body)).status, 200);
    }
  });
});
