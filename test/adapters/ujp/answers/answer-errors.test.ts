import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { readJsonAnswer } from '../../../../src/adapters/ujp/answers/json-answer.ts';
import { AuthorityCallError } from '../../../../src/application/ports/authority.ts';
import { ALFA_TENANT, faultOf, PORTAL, prepared, verdictOf } from '../services/client.ts';
import { answering, type CannedAnswer, clientOfCanned } from './canned-authority.ts';

const EUID = '019b8d43-7840-7433-b358-08891b53605c';
const TIMESTAMP = '2026-11-15T10:00:00';

const sendTo = async (t: TestContext, canned: CannedAnswer) =>
  (await clientOfCanned(t, answering(canned))).client.send(ALFA_TENANT, prepared(), TIMESTAMP);

const json = (value: unknown, status = 200): CannedAnswer => ({ status, body: JSON.stringify(value) });

test('an answer that nobody can read is judged by its HTTP status', async (t) => {
  const verdicts: Readonly<Record<number, string>> = {
    200: 'error, uncertain',
    204: 'error, uncertain',
    301: 'error, certain',
    400: 'error, certain',
    401: 'error, certain',
    404: 'error, certain',
    413: 'error, certain',
    415: 'error, certain',
    429: 'busy, certain',
    500: 'error, uncertain',
    502: 'error, uncertain',
    503: 'busy, uncertain',
    504: 'error, uncertain',
  };
  for (const [status, verdict] of Object.entries(verdicts)) {
    const canned = { status: Number(status), contentType: 'text/html', body: '<h1>Грешка</h1>' };
    assert.equal(await verdictOf(sendTo(t, canned)), verdict, status);
    assert.equal(await verdictOf(sendTo(t, { ...canned, body: '' })), verdict, `${status}, empty`);
    assert.equal(await verdictOf(sendTo(t, json({ status, error: 'Not ours' }, Number(status)))), verdict, 'no code');
  }
});

test('a code of the authority decides whatever the HTTP status is, one that is not its own does not', async (t) => {
  assert.equal(await verdictOf(sendTo(t, json({ code: 'E1020', message: 'x' }, 500))), 'refused, certain');
  assert.equal(await verdictOf(sendTo(t, json({ code: 'E1020', message: 'x' }))), 'refused, certain');
  assert.equal(await verdictOf(sendTo(t, json({ code: 'E5000', message: 'x' }, 400))), 'error, uncertain');
  assert.equal(await verdictOf(sendTo(t, json({ code: 'E1020', message: 'x' }, 503))), 'refused, certain');
  assert.equal(await verdictOf(sendTo(t, json({ code: 'E1020', message: 'x' }, 429))), 'busy, certain');
  assert.equal(await verdictOf(sendTo(t, json({ code: 'WAF-17', message: 'x' }, 502))), 'error, uncertain');
  assert.equal(await verdictOf(sendTo(t, json({ code: '404', message: 'x' }, 404))), 'error, certain');
});

test('of several faults the least final one decides, and all are told', async (t) => {
  const errors = [{ code: 'E1020', message: 'a' }, { code: 'E1012', message: 'b' }, { code: 'E5008' }, 7, null];
  const fault = await faultOf(sendTo(t, json({ ...(errors[0] as object), errors }, 400)));
  assert.deepEqual([fault.kind, fault.isUncertain], ['error', false]);
  assert.deepEqual(fault.errors, [
    { code: 'E1020', message: 'a' },
    { code: 'E1012', message: 'b' },
    { code: 'E5008', message: '' },
  ]);
  const mixed = json([{ code: 'E1020', message: 'a' }, { code: 'E1012' }], 400);
  assert.equal(await verdictOf(sendTo(t, mixed)), 'credentials, certain');
  assert.equal(await verdictOf(sendTo(t, json([{ code: 'E1020' }, { code: 'E5001' }], 400))), 'error, uncertain');
});

test('nothing but an EUID with a good HTTP status is a registration', async (t) => {
  for (const euid of [undefined, null, '', 7, 'x', `${EUID}0`, [EUID], { EUID }]) {
    assert.equal(await verdictOf(sendTo(t, json({ euid, status: 200 }))), 'error, uncertain');
  }
  assert.equal(await verdictOf(sendTo(t, json({ euid: EUID }, 500))), 'error, uncertain');
  assert.equal(await verdictOf(sendTo(t, json({ euid: EUID }, 302))), 'error, certain');
});

test('a registration is told whatever else the answer lacks', async (t) => {
  const { answer: _, ...bare } = await sendTo(t, json({ euid: EUID }));
  assert.deepEqual(bare, {
    euid: EUID,
    qrLink: `${PORTAL}/euid/${EUID}`,
    registeredAt: '2026-01-05T08:26:07.808Z',
    status: { code: '01', name: null },
    message: null,
  });
  const given = {
    euid: EUID,
    qr_link: 'https://elsewhere.example/x',
    timestamp: '2026-01-05T08:26:07.846Z',
    message: 'ok',
  };
  const { qrLink, registeredAt, message } = await sendTo(t, json(given));
  assert.deepEqual([qrLink, registeredAt, message], [given.qr_link, given.timestamp, 'ok']);
  const odd = { euid: EUID, qr_link: 'javascript:alert(1)', timestamp: 'утре', message: { toString: 1 } };
  const { qrLink: link, registeredAt: at, message: none } = await sendTo(t, json(odd));
  assert.deepEqual([link, at, none], [`${PORTAL}/euid/${EUID}`, '2026-01-05T08:26:07.808Z', null]);
});

test('the record of an answer is short and has no NUL; words in a sentence stay in one line', async (t) => {
  const page = `a\0b${'ш'.repeat(9_000)}`;
  const { answer } = await faultOf(sendTo(t, { status: 502, body: page }));
  assert.equal(answer?.length, 4_000);
  assert.ok(answer?.startsWith('a\ufffdbш'));
  const forged = { code: 'E1020', message: `x\n2026-11-15 ERROR \u001b[31m${'y'.repeat(5_000)}\ud800` };
  const fault = await faultOf(sendTo(t, json(forged, 400)));
  assert.match(fault.message, /^[\x20-\x7e]+$/u);
  assert.ok(fault.message.length < 700);
  assert.ok((fault.errors[0]?.message?.length ?? 0) <= 1_000);
});

test('E5011 is an invalid value for the query API, and a missing right is a refusal of downloads alone', async (t) => {
  const refusing = (errorCode: string) => answering(json({ success: false, errorStatus: { errorCode } }));
  const { client: invalid } = await clientOfCanned(t, refusing('E5011'));
  assert.equal(await verdictOf(invalid.arrivals(ALFA_TENANT, '2026-11-01', '2026-11-02')), 'refused, certain');
  assert.equal(await invalid.exchangeRate(ALFA_TENANT, 'EUR', '2026-11-01'), null);
  const { client: barred } = await clientOfCanned(t, refusing('E1011'));
  assert.equal(await verdictOf(barred.container(ALFA_TENANT, EUID)), 'refused, certain');
  assert.equal(await verdictOf(barred.arrived(ALFA_TENANT, [EUID])), 'refused, certain');
  assert.equal(await barred.arrivedPdf(ALFA_TENANT, EUID), null);
  assert.equal(await verdictOf(barred.arrivals(ALFA_TENANT, '2026-11-01', '2026-11-02')), 'credentials, certain');
  assert.equal(await verdictOf(barred.list(ALFA_TENANT, 'currency')), 'credentials, certain');
});

test('neither a sentence nor a record holds what identifies the caller', async (t) => {
  const listener: RequestListener = (_request, response) => response.writeHead(400).end('{"code":"E4016"}');
  const { client } = await clientOfCanned(t, listener);
  const { message, answer } = await faultOf(client.send(ALFA_TENANT, prepared(), TIMESTAMP));
  assert.doesNotMatch(`${message}${answer}`, /demo-alfa|A1B2C|eyJ/u);
});

test('whatever bytes come with whatever status, the outcome is an object or a fault of a known kind', () => {
  const anything = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.json().map((text) => Buffer.from(text)),
    fc
      .record({ success: fc.anything(), code: fc.anything(), message: fc.anything(), errors: fc.anything() })
      .map((value) => Buffer.from(JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? 1 : one)))),
  );
  const service = fc.record({ api: fc.constantFrom('query', 'receiver'), isDownload: fc.boolean() } as const);
  fc.assert(
    fc.property(anything, fc.integer({ min: 100, max: 599 }), service, (bytes, status, asked) => {
      try {
        const exchange = { bytes, status, contentType: null, service: asked, place: 'host/path' };
        assert.equal(typeof readJsonAnswer(exchange), 'object');
        assert.ok(status >= 200 && status < 300);
      } catch (error) {
        assert.ok(error instanceof AuthorityCallError, String(error));
        assert.ok(['busy', 'error', 'credentials', 'refused'].includes(error.kind));
        assert.ok(error.message.includes('host/path'));
      }
    }),
  );
});
