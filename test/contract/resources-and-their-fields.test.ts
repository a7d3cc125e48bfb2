import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { startTestService } from '../support/service.ts';
import { bytesOf } from '../support/ubl-samples.ts';
import { freshInvoice } from './support/documents.ts';
import { fixedClock } from './support/fixed-clock.ts';
import { newTenant } from './support/tenant.ts';

const service = await startTestService({ clock: fixedClock() });
after(() => service.stop());
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

suite('resources: answers are JSON, offered as application/json, text/json and text/plain', () => {
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
