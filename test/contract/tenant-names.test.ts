import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { requestHead, sendBytes } from '../support/http-client.ts';
import { startTestService } from '../support/service.ts';
import { type Answer, request } from './support/client.ts';
import { freshInvoice } from './support/documents.ts';
import { assertPlainProblem, assertProblem } from './support/problem.ts';
import { newTenant } from './support/tenant.ts';

const ROOT = '/api/integration/v1';

const service = await startTestService();
after(() => service.stop());
const tenant = await newTenant(service);
const docUid = await tenant.submitted();
const { docUid: arrived } = await service.operator.importInbound(tenant.edb, null, new Uint8Array([1]));

const MULTIPART = [
  '--b7',
  'Content-Disposition: form-data; name="tenantId"',
  '',
  '7',
  '--b7',
  'Content-Disposition: form-data; name="file"; filename="invoice.xml"',
  '',
  freshInvoice(),
  '--b7--',
  '',
].join('\r\n');

/** Bodies of every form that name a tenant, and are no XML. */
const FORMS: Readonly<Record<string, Buffer>> = {
  JSON: Buffer.from('{"document":{"TENANT_ID":"7"}}'),
  'JSON lines': Buffer.from('{"number":1}\n{"tenantUid":7}\n'),
  'broken JSON': Buffer.from('{"number: 1, "tenant": 7'),
  'JSON in UTF-16': Buffer.from('\ufeff{"tenantCode":"A"}', 'utf16le'),
  'JSON in UTF-16, the other way round': Buffer.from('\ufeff{"tenantCode":"A"}', 'utf16le').swap16(),
  'JSON in UTF-16 without a mark': Buffer.from('{"tenantCode":"A"}', 'utf16le'),
  'a form': Buffer.from('document=%3CInvoice%2F%3E&tenant%2Did=7'),
  multipart: Buffer.from(MULTIPART),
  'a JSON string': Buffer.from('"{\\"taxpayerUid\\":7}"'),
  'plain text': Buffer.from('tenant-key: 7\nnumber: 1\n'),
  'a name alone': Buffer.from('tenantId'),
  'a table': Buffer.from('tenantId,amount\n5,1\n'),
  'a form with JSON in it': Buffer.from('data=%7B%22tenantId%22%3A5%7D'),
  'JSON with a comment': Buffer.from('{"tenantId"/*c*/:5}'),
  CBOR: Buffer.from('\xa1\x68tenantId\x05', 'latin1'),
};

/** Sends a body with any method, GET included, which no ordinary client does. */
function send(
  method: string,
  path: string,
  body: Uint8Array,
  headers: Readonly<Record<string, string>>,
): Promise<Answer> {
  const head = requestHead(method, `${ROOT}${path}`, { ...headers, 'Content-Length': String(body.length) });
  return sendBytes(service.url, head, body);
}

const CALLS: readonly (readonly [string, string])[] = [
  ['GET', '/ping'],
  ['GET', '/codelists/currencies'],
  ['GET', '/outbound'],
  ['GET', '/outbound?page=0'],
  ['GET', `/outbound/${docUid}`],
  ['GET', `/outbound/${docUid}/history`],
  ['GET', `/outbound/${docUid}/file`],
  ['POST', `/outbound/${docUid}/cancel`],
  ['GET', '/inbound'],
  ['GET', `/inbound/${arrived}`],
  ['GET', `/inbound/${arrived}/file`],
  ['POST', `/inbound/${arrived}/ack`],
  ['GET', '/outbound/x'],
  ['DELETE', `/outbound/${docUid}`],
  ['PUT', '/ping'],
  ['POST', '/nothing'],
];

suite('ERR-1007: a body that names a tenant', () => {
  for (const [method, path] of CALLS) {
    test(`is refused on ${method} ${path.replace(docUid, '{docUid}').replace(arrived, '{docUid}')}`, async () => {
      assertProblem(await send(method, path, Buffer.from('{"tenantId":7}'), tenant.headers), 'ERR-1007');
    });
  }

  test('changes nothing, and a harmless body is ignored', async () => {
    assert.match((await tenant.get(`/outbound/${docUid}`)).text, /"status":10/u);
    for (const [method, path] of [
      ['GET', '/ping'],
      ['GET', `/outbound/${docUid}`],
    ] as const) {
      const answer = await send(method, path, Buffer.from('{"reason":"the tenant asked"}'), tenant.headers);
      assert.equal(answer.status, 200);
    }
    assertPlainProblem(await send('DELETE', '/ping', Buffer.from('{}'), tenant.headers), 405);
  });

  for (const [form, body] of Object.entries(FORMS)) {
    test(`is refused as ${form}: on a submission, a call without a body and a read`, async () => {
      const submission = { ...tenant.headers, 'X-Idempotency-Key': form };
      assertProblem(await send('POST', '/outbound', body, submission), 'ERR-1007');
      assertProblem(await send('POST', `/outbound/${docUid}/cancel`, body, tenant.headers), 'ERR-1007');
      assertProblem(await send('GET', '/ping', body, tenant.headers), 'ERR-1007');
    });
  }

  test('in chunks is refused too', async () => {
    const head = requestHead('GET', `${ROOT}/ping`, { ...tenant.headers, 'Transfer-Encoding': 'chunked' });
    assertProblem(await sendBytes(service.url, head, 'e\r\n{"tenantId":7}\r\n0\r\n\r\n'), 'ERR-1007');
  });

  test('is read for nobody without a key, and not at all beyond 64 KiB', async () => {
    const stranger = { 'X-Software-Id': 'test/1' };
    assertProblem(await send('GET', '/ping', Buffer.from('{"tenantId":7}'), stranger), 'ERR-1001');
    assertPlainProblem(await send('DELETE', '/ping', Buffer.from('{"tenantId":7}'), stranger), 405);
    assertPlainProblem(await send('GET', '/ping', Buffer.alloc(65_537, ' '), tenant.headers), 413);
    assert.equal((await send('GET', '/ping', Buffer.alloc(65_536, ' '), tenant.headers)).status, 200);
  });

  test('comes after the checks of every call', async () => {
    const body = '{"tenantId":7}';
    assertProblem(await request(`${service.api}/inbound/x/ack`, { method: 'POST', body }), 'ERR-1001');
    assertProblem(await tenant.post('/inbound/x/ack', body, { 'X-Software-Id': '' }), 'ERR-1008');
  });
});
