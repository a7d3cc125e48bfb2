import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { CODE_LIST_TYPES } from '../../src/domain/code-list.ts';
import { startTestService } from '../support/service.ts';
import { clientFor, json, request } from './support/client.ts';
import { CODE_LIST, CODE_LIST_ENTRY, PING, readFields } from './support/fields.ts';
import { fixedClock } from './support/fixed-clock.ts';
import { assertProblem, readProblem } from './support/problem.ts';

const clock = fixedClock('2026-11-02T08:00:00.005Z');
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
