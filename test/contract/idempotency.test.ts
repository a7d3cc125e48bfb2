import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { docUidOf } from '../support/doc-uid.ts';
import { requestHead, sendBytes } from '../support/http-client.ts';
import { startTestService } from '../support/service.ts';
import { clockAt } from '../support/test-clock.ts';
import { type Answer, clientFor, json } from './support/client.ts';
import { freshInvoice } from './support/documents.ts';
import { OUTBOUND_ITEM, readFields, readPage, SUBMIT_RESULT } from './support/fields.ts';
import { assertPlainProblem, assertProblem } from './support/problem.ts';
import { newTenant, type TestTenant } from './support/tenant.ts';
import { WAY_TO, walk } from './support/walk.ts';

const HOUR_MS = 3_600_000;
const TOGETHER = 50;

const clock = clockAt(Date.now());
const service = await startTestService({ clock });
after(() => service.stop());

const resultOf = (answer: Answer) => readFields(SUBMIT_RESULT, json(answer));
const storedBy = async ({ get }: Pick<TestTenant, 'get'>) =>
  readPage(OUTBOUND_ITEM, json(await get('/outbound'))).totalCount;

function statuses(answers: readonly Answer[]): Readonly<Record<number, number>> {
  const groups = Map.groupBy(answers, ({ status }) => status);
  return Object.fromEntries([...groups].map(([status, group]) => [status, group.length]));
}

suite('X-Idempotency-Key: the same key and the same body', () => {
  test('a repeat gives the first result again with HTTP 200 and alreadyExisted, and stores nothing', async () => {
    const tenant = await newTenant(service);
    const xml = freshInvoice();
    const first = resultOf(await tenant.submit(xml, 'k'));
    clock.advance(60_000);
    const repeat = await tenant.submit(xml, 'k');
    assert.deepEqual([repeat.status, resultOf(repeat)], [200, { ...first, alreadyExisted: true }]);
    assert.equal(await storedBy(tenant), 1);
  });

  test('a repeat says status 10 even after the document has moved on', async () => {
    const tenant = await newTenant(service);
    for (const [status, steps] of Object.entries(WAY_TO)) {
      const xml = freshInvoice();
      const first = resultOf(await tenant.submit(xml, status));
      await walk(service, tenant.edb, docUidOf(first.docUid), steps);
      assert.deepEqual(resultOf(await tenant.submit(xml, status)), { ...first, alreadyExisted: true });
    }
  });

  test('a repeat after cancelling gives the cancelled document back and makes no new one', async () => {
    const tenant = await newTenant(service);
    const xml = freshInvoice();
    const first = resultOf(await tenant.submit(xml, 'k'));
    await tenant.post(`/outbound/${first.docUid}/cancel`);
    assert.deepEqual(resultOf(await tenant.submit(xml, 'k')), { ...first, alreadyExisted: true });
    assert.equal(await storedBy(tenant), 1);
  });

  test(`${TOGETHER} at the same moment make one document: one 201, the rest 200 with its result`, async () => {
    const tenant = await newTenant(service);
    const xml = freshInvoice();
    const answers = await Promise.all(Array.from({ length: TOGETHER }, () => tenant.submit(xml, 'k')));
    assert.deepEqual(statuses(answers), { 200: TOGETHER - 1, 201: 1 });
    const results = answers.map((answer) => ({ ...resultOf(answer), alreadyExisted: answer.status === 200 }));
    assert.deepEqual(results, answers.map(resultOf));
    assert.equal(new Set(results.map(({ docUid, receivedAt }) => docUid + receivedAt)).size, 1);
    assert.equal(await storedBy(tenant), 1);
  });

  test(`${TOGETHER} at the same moment over two processes make one document`, async () => {
    const replica = await startTestService({ clock, database: service.database });
    try {
      const tenant = await newTenant(service);
      const { secret } = await tenant.withKey();
      const clients = [clientFor(service, secret), clientFor(replica, secret)];
      const xml = freshInvoice();
      const half = Array.from({ length: TOGETHER / 2 });
      const answers = await Promise.all(half.flatMap(() => clients.map(({ submit }) => submit(xml, 'k'))));
      assert.deepEqual(statuses(answers), { 200: TOGETHER - 1, 201: 1 });
      assert.equal(new Set(answers.map((answer) => resultOf(answer).docUid)).size, 1);
      assert.equal(await storedBy(tenant), 1);
    } finally {
      await replica.stop();
    }
  });
});

suite('X-Idempotency-Key: the same key and another body', () => {
  test('a single byte more is another body: ERR-2010, and the first document stays', async () => {
    const tenant = await newTenant(service);
    const xml = freshInvoice();
    await tenant.submit(xml, 'k');
    assertProblem(await tenant.submit(`${xml}\n`, 'k'), 'ERR-2010');
    assert.equal((await tenant.submit(xml, 'k')).status, 200);
    assert.equal(await storedBy(tenant), 1);
  });

  test(`${TOGETHER} different ones at the same moment make one document, the others are ERR-2010`, async () => {
    const tenant = await newTenant(service);
    const bodies = Array.from({ length: TOGETHER }, freshInvoice);
    const answers = await Promise.all(bodies.map((xml) => tenant.submit(xml, 'k')));
    assert.deepEqual(statuses(answers), { 201: 1, 409: TOGETHER - 1 });
    for (const answer of answers) if (answer.status === 409) assertProblem(answer, 'ERR-2010');
    assert.equal(await storedBy(tenant), 1);
  });
});

suite('X-Idempotency-Key: what uses a key up, and for whom', () => {
  test('a refused submission does not use up its key', async () => {
    const tenant = await newTenant(service);
    for (const body of ['', 'not XML', '<Order/>', freshInvoice().replace('4080026000023', '1')]) {
      assert.equal((await tenant.submit(body, 'k')).status, 400);
    }
    assert.equal((await tenant.submit(freshInvoice(), 'k')).status, 201);
  });

  test('a key holds for one hour, to the millisecond, and is free again after it', async () => {
    const tenant = await newTenant(service);
    const xml = freshInvoice();
    const first = resultOf(await tenant.submit(xml, 'k'));
    clock.advance(HOUR_MS - 1);
    assert.equal(resultOf(await tenant.submit(xml, 'k')).docUid, first.docUid);
    assertProblem(await tenant.submit(freshInvoice(), 'k'), 'ERR-2010');
    clock.advance(1);
    const second = await tenant.submit(xml, 'k');
    assert.equal(second.status, 201);
    assert.notEqual(resultOf(second).docUid, first.docUid);
    assert.equal(resultOf(await tenant.submit(xml, 'k')).docUid, resultOf(second).docUid);
  });

  test('a repeat does not prolong the hour', async () => {
    const tenant = await newTenant(service);
    const xml = freshInvoice();
    await tenant.submit(xml, 'k');
    clock.advance(HOUR_MS - 1);
    assert.equal((await tenant.submit(xml, 'k')).status, 200);
    clock.advance(1);
    assert.equal((await tenant.submit(freshInvoice(), 'k')).status, 201);
  });

  test('two keys issued for the same software share it, whatever X-Software-Id says', async () => {
    const tenant = await newTenant(service);
    const one = await tenant.withKey({ software: 'ledger' });
    const two = await tenant.withKey({ software: 'ledger' });
    const xml = freshInvoice();
    await one.submit(xml, 'k');
    const headers = { 'X-Idempotency-Key': 'k', 'X-Software-Id': 'quite another/9' };
    assert.equal((await two.post('/outbound', xml, headers)).status, 200);
    assertProblem(await two.submit(freshInvoice(), 'k'), 'ERR-2010');
  });

  test('another software of the same tenant and another tenant do not share it', async () => {
    const tenant = await newTenant(service);
    const other = await newTenant(service);
    const xml = freshInvoice();
    await tenant.submit(xml, 'k');
    assert.equal((await (await tenant.withKey({ software: 'other' })).submit(xml, 'k')).status, 201);
    assert.equal((await other.submit(xml, 'k')).status, 201);
  });

  test('two of them in one request are 400, equal or not, and store nothing', async () => {
    const tenant = await newTenant(service);
    const body = freshInvoice();
    for (const second of ['k', 'other', '']) {
      const headers = { ...tenant.headers, 'X-Idempotency-Key': `k\r\nx-idempotency-key: ${second}` };
      const length = { 'Content-Length': String(Buffer.byteLength(body)) };
      const head = requestHead('POST', '/api/integration/v1/outbound', { ...headers, ...length });
      assert.match(assertPlainProblem(await sendBytes(service.url, head, body), 400), /exactly one X-Idempotency-Key/u);
    }
    assert.equal(await storedBy(tenant), 0);
  });

  test('keys are told apart letter for letter, in any script and length', async () => {
    const { submit } = await newTenant(service);
    const keys = [
      'k',
      'K',
      'k k',
      'k-',
      'x'.repeat(4_000),
      `${'x'.repeat(3_999)}y`,
      Buffer.from('Ф-7').toString('latin1'),
      // The same letter in Latin-1 and in UTF-8: other bytes are another key.
      '\u00e9',
      Buffer.from('\u00e9').toString('latin1'),
    ];
    for (const key of keys) assert.equal((await submit(freshInvoice(), key)).status, 201, key);
  });
});
