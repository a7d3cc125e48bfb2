import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { startTestService } from '../support/service.ts';
import { bytesOf } from '../support/ubl-samples.ts';
import { type Answer, clientFor, json } from './support/client.ts';
import { freshInvoice } from './support/documents.ts';
import { OUTBOUND_ITEM, readPage } from './support/fields.ts';
import { fixedClock } from './support/fixed-clock.ts';
import { assertProblem } from './support/problem.ts';
import { newTenant } from './support/tenant.ts';

const LIMIT_BYTES = 30_000;

const clock = fixedClock();
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
