import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { CODE_LIST_TYPES } from '../../src/domain/values/code-list.ts';
import { startTestService } from '../support/service.ts';
import { clockAt } from '../support/test-clock.ts';
import { bytesOf } from '../support/ubl-samples.ts';
import { clientFor, json, request } from './support/client.ts';
import { freshInvoice } from './support/documents.ts';
import { CODE_LIST, CODE_LIST_ENTRY, PING, readFields } from './support/fields.ts';
import { assertProblem, readProblem } from './support/problem.ts';
import { newTenant } from './support/tenant.ts';

const clock = clockAt('2026-11-02T08:00:00.005Z');
const service = await startTestService({ clock });
after(() => service.stop());
const alfa = clientFor(service, 'demo-alfa');

const TYPES = [
  'document-types',
  'document-statuses',
  'reference-document-types',
  'tax-groups',
  'tax-indicators',
  'payment-types',
  'void-reasons',
  'correction-reasons',
  'reject-reasons',
  'currencies',
  'countries',
];

const entriesOf = async (type: string) => {
  const answer = await alfa.get(`/codelists/${type}`);
  assert.equal(answer.status, 200, answer.text);
  const list = readFields(CODE_LIST, json(answer));
  assert.equal(list.type, type, 'the requested type is echoed');
  return list.items.map((entry) => readFields(CODE_LIST_ENTRY, entry));
};

suite('GET /codelists/{type}', () => {
  test('there are eleven types', () => assert.deepEqual([...CODE_LIST_TYPES].sort(), TYPES.toSorted()));

  for (const type of TYPES) {
    test(`${type} has entries, each code once, none of them blank`, async () => {
      const entries = await entriesOf(type);
      assert.ok(entries.length > 0);
      assert.equal(new Set(entries.map(({ code }) => code)).size, entries.length);
      assert.ok(entries.every(({ code, name }) => code.trim() !== '' && name.trim() !== ''));
    });
  }

  test('only active entries are returned: withdrawn and outdated ones are not', async () => {
    const codesOf = async (type: string) => new Set((await entriesOf(type)).map(({ code }) => code));
    const GONE = { 'payment-types': '1000', 'void-reasons': 'S-99', 'tax-groups': 'VAT18', 'document-types': '998' };
    for (const [type, code] of Object.entries(GONE)) assert.ok(!(await codesOf(type)).has(code), `${type} ${code}`);
    assert.ok((await codesOf('countries')).has('MK'));
    assert.ok((await codesOf('currencies')).has('MKD'));
  });

  test('a tenant of another environment of the authority is not served from this one: ERR-9000 with an eventId', async () => {
    await entriesOf('currencies');
    const delta = clientFor(service, 'demo-delta');
    const answers = [await delta.get('/codelists/currencies'), await delta.get('/codelists/currencies')];
    for (const answer of answers) {
      assertProblem(answer, 'ERR-9000');
      assert.doesNotMatch(answer.text, /at \w+ \(|node_modules|\.ts\b|ECONN|SQL|127\.0\.0\.1:\d+\/einvoice/iu);
    }
    const events = answers.map((answer) => readProblem(answer).eventId);
    assert.equal(new Set(events).size, 2, 'every event has an id of its own');
  });

  for (const type of ['colours', 'Currencies', 'currencies%20', 'currency', '__proto__', 'constructor', '%D0%B0', '']) {
    test(`an unknown type is ERR-2021, which lists the supported ones, with and without a key: "${type}"`, async () => {
      for (const answer of [await alfa.get(`/codelists/${type}`), await request(`${service.api}/codelists/${type}`)]) {
        const detail = assertProblem(answer, 'ERR-2021');
        for (const known of TYPES) assert.match(detail, new RegExp(`(^|[ ,])${known}[,.]`, 'u'));
      }
    });
  }
});

suite('GET /ping', () => {
  test('confirms the key and tells the time of the service', async () => {
    const answer = await alfa.get('/ping');
    assert.equal(answer.status, 200);
    const expected = { ok: true, keyValid: true, serverTime: '2026-11-02T08:00:00.005Z' };
    assert.deepEqual(readFields(PING, json(answer)), expected);
  });

  test('works for a tenant whose outbound is disabled and one whose authority is out of order', async () => {
    for (const key of ['demo-gama', 'demo-delta'])
      assert.equal((await clientFor(service, key).get('/ping')).status, 200);
  });

  const REFUSED = {
    'demo-expired': 'ERR-1002',
    'demo-revoked': 'ERR-1003',
    'demo-address': 'ERR-1004',
    'demo-scope': 'ERR-1005',
    'demo-nobody': 'ERR-1001',
  } as const;
  for (const [key, code] of Object.entries(REFUSED)) {
    test(`is refused with ${code} for the key ${key}`, async () => {
      assertProblem(await clientFor(service, key).get('/ping'), code);
    });
  }
});

const tenant = await newTenant(service);
const outbound = await tenant.submitted();
const inbound = (await service.operator.importInbound(tenant.edb, 'a.txt', bytesOf('a'))).docUid;

const JSON_ANSWERS = [
  '/ping',
  '/codelists/currencies',
  '/outbound',
  `/outbound/${outbound}`,
  `/outbound/${outbound}/history`,
  '/inbound',
  `/inbound/${inbound}`,
];

const mediaType = (headers: Headers) => (headers.get('content-type') ?? '').split(';')[0];

suite('conventions: answers are JSON, offered as application/json, text/json and text/plain', () => {
  const CHOICES: Readonly<Record<string, string>> = {
    '*/*': 'application/json',
    '': 'application/json',
    'application/json': 'application/json',
    'text/json': 'text/json',
    'text/plain': 'text/plain',
    'TEXT/PLAIN': 'text/plain',
    'text/plain; charset=utf-8': 'text/plain',
    'text/plain, application/json': 'text/plain',
    'application/json;q=0.1, text/json;q=0.9': 'text/json',
    'text/json;q=0.2, text/plain;q=0.3, application/json;q=0.25': 'text/plain',
    'application/json;q=0, */*;q=0.1': 'text/json',
    'application/*': 'application/json',
    'text/plain;q=0.5, */*;q=0.1': 'text/plain',
    'text/html, application/xhtml+xml, */*;q=0.8': 'application/json',
    'image/png': 'application/json',
    'application/xml': 'application/json',
    'text/plain;q=0': 'application/json',
    nonsense: 'application/json',
    ';;;,,,': 'application/json',
  };
  for (const [accept, expected] of Object.entries(CHOICES)) {
    test(`Accept "${accept}" gives ${expected}, and the same body`, async () => {
      const plain = await tenant.get('/outbound');
      const answer = await tenant.get('/outbound', { Accept: accept });
      assert.deepEqual([answer.status, mediaType(answer.headers)], [200, expected]);
      assert.equal(answer.text, plain.text);
    });
  }

  test('every reading call honours it; without Accept the answer is application/json in UTF-8', async () => {
    for (const path of JSON_ANSWERS) {
      for (const accept of ['application/json', 'text/json', 'text/plain']) {
        const answer = await tenant.get(path, { Accept: accept });
        assert.deepEqual([answer.status, mediaType(answer.headers)], [200, accept], path);
        assert.equal(typeof JSON.parse(answer.text), 'object');
      }
    }
  });

  test('so does every changing call', async () => {
    const Accept = 'text/plain';
    const answers = [
      await tenant.post('/outbound', freshInvoice(), { Accept, 'X-Idempotency-Key': 'text' }),
      await tenant.post(`/outbound/${await tenant.submitted()}/cancel`, null, { Accept }),
      await tenant.post(`/inbound/${inbound}/ack`, null, { Accept }),
    ];
    assert.deepEqual(
      answers.map(({ status, headers }) => [status, mediaType(headers)]),
      [
        [201, 'text/plain'],
        [200, 'text/plain'],
        [200, 'text/plain'],
      ],
    );
  });
});
