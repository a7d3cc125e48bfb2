import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { type TestContext, test } from 'node:test';
import { readJsonAnswer } from '../../../../src/adapters/ujp/answers/json-answer.ts';
import { AuthorityCallError } from '../../../../src/application/ports/authority.ts';
import { fc } from '../../../support/seeds.ts';
import { ALFA_TENANT, callErrorKindOf, callErrorOf, PORTAL, prepared } from '../services/client.ts';
import { answering, type CannedAnswer, clientOfCanned } from './canned-authority.ts';

const EUID = '019b8d43-7840-7433-b358-08891b53605c';
const TIMESTAMP = '2026-11-15T10:00:00';

const sendTo = async (t: TestContext, canned: CannedAnswer) =>
  (await clientOfCanned(t, answering(canned))).client.send(ALFA_TENANT, prepared(), TIMESTAMP);

const json = (value: unknown, status = 200): CannedAnswer => ({ status, body: JSON.stringify(value) });

test('an unreadable answer is classified by its HTTP status', async (t) => {
  const kinds: Readonly<Record<number, string>> = {
    200: 'error, uncertain',
    204: 'error, uncertain',
    301: 'request-refused, certain',
    400: 'request-refused, certain',
    401: 'request-refused, certain',
    403: 'request-refused, certain',
    404: 'request-refused, certain',
    408: 'error, certain',
    413: 'request-refused, certain',
    415: 'request-refused, certain',
    429: 'busy, certain',
    500: 'error, uncertain',
    502: 'error, uncertain',
    503: 'busy, uncertain',
    504: 'error, uncertain',
  };
  for (const [status, kind] of Object.entries(kinds)) {
    const canned = { status: Number(status), contentType: 'text/html', body: '<h1>Грешка</h1>' };
    assert.equal(await callErrorKindOf(sendTo(t, canned)), kind, status);
    assert.equal(await callErrorKindOf(sendTo(t, { ...canned, body: '' })), kind, `${status}, empty`);
    assert.equal(
      await callErrorKindOf(sendTo(t, json({ status, error: 'Not ours' }, Number(status)))),
      kind,
      'no code',
    );
  }
});

test('an error code of the authority takes precedence over the HTTP status; a code that is not the authority’s does not', async (t) => {
  assert.equal(await callErrorKindOf(sendTo(t, json({ code: 'E1020', message: 'x' }, 500))), 'refused, certain');
  assert.equal(await callErrorKindOf(sendTo(t, json({ code: 'E1020', message: 'x' }))), 'refused, certain');
  assert.equal(await callErrorKindOf(sendTo(t, json({ code: 'E5000', message: 'x' }, 400))), 'error, uncertain');
  assert.equal(await callErrorKindOf(sendTo(t, json({ code: 'E1020', message: 'x' }, 503))), 'refused, certain');
  assert.equal(await callErrorKindOf(sendTo(t, json({ code: 'E1020', message: 'x' }, 429))), 'busy, certain');
  assert.equal(await callErrorKindOf(sendTo(t, json({ code: 'WAF-17', message: 'x' }, 502))), 'error, uncertain');
  assert.equal(await callErrorKindOf(sendTo(t, json({ code: '404', message: 'x' }, 404))), 'request-refused, certain');
});

test('of several reported errors the least final one decides, and all are kept', async (t) => {
  const errors = [{ code: 'E1020', message: 'a' }, { code: 'E1012', message: 'b' }, { code: 'E5008' }, 7, null];
  const error = await callErrorOf(sendTo(t, json({ ...(errors[0] as object), errors }, 400)));
  assert.deepEqual([error.kind, error.isUncertain], ['error', false]);
  assert.deepEqual(error.errors, [
    { code: 'E1020', message: 'a' },
    { code: 'E1012', message: 'b' },
    { code: 'E5008', message: '' },
  ]);
  const mixed = json([{ code: 'E1020', message: 'a' }, { code: 'E1012' }], 400);
  assert.equal(await callErrorKindOf(sendTo(t, mixed)), 'credentials, certain');
  assert.equal(await callErrorKindOf(sendTo(t, json([{ code: 'E1020' }, { code: 'E5001' }], 400))), 'error, uncertain');
});

test('what is not known to be about the document is not final, also beside errors that are', async (t) => {
  for (const status of [200, 400, 403, 500]) {
    const unknown = json({ code: 'E7777', message: 'x' }, status);
    assert.equal(await callErrorKindOf(sendTo(t, unknown)), 'request-refused, certain', `${status}`);
    const content = { code: 'E1020', message: 'a' };
    const both = json({ ...content, errorList: [content, { code: 'E7777', message: 'b' }] }, status);
    assert.equal(await callErrorKindOf(sendTo(t, both)), 'request-refused, certain', `${status}, both`);
  }
  const notAllowed = json({ code: 'E1020', message: 'a' }, 403);
  assert.equal(await callErrorKindOf(sendTo(t, notAllowed)), 'refused, certain', 'the code says more than the status');
});

test('errors are read from `errors` and `errorList`, in either shape, with whatever else is said of them', async (t) => {
  const rows = [
    { code: 'E10203', message: 'Износ', row: 3, parameter: 'docItemTotal' },
    { code: 'E10203', message: 'Износ', row: 4, parameter: null },
    { code: 'E10203', message: 'Износ' },
    { errorCode: 'E1009', errorMessage: 'Индикатор', errorPropertyMap: { taxIndicator: 'X' } },
  ];
  const expected = [
    { code: 'E10203', message: 'Износ', details: '{"row":3,"parameter":"docItemTotal"}' },
    { code: 'E10203', message: 'Износ', details: '{"row":4}' },
    { code: 'E1009', message: 'Индикатор', details: '{"errorPropertyMap":{"taxIndicator":"X"}}' },
  ];
  const shapes = [
    { errorList: rows },
    { errors: rows },
    { success: false, errorList: rows },
    { success: false, createdDate: '2026-11-15T10:00:00', errorStatus: { errorList: rows } },
    { success: false, errorStatus: null, errors: rows.slice(0, 2), errorList: rows.slice(2) },
    { code: 'E10203', message: 'Износ', errorList: rows },
    rows,
  ];
  for (const shape of shapes) {
    const error = await callErrorOf(sendTo(t, json(shape, 400)));
    assert.deepEqual(error.errors, expected, JSON.stringify(shape));
    assert.equal(error.kind, 'refused');
  }
  const long = await callErrorOf(sendTo(t, json({ code: 'E1020', message: 'x', rows: 'ш'.repeat(9_000) }, 400)));
  assert.ok((long.errors[0]?.details?.length ?? 0) <= 1_000);
});

test('only an EUID with a 2xx status counts as a registration', async (t) => {
  for (const euid of [undefined, null, '', 7, 'x', `${EUID}0`, [EUID], { EUID }]) {
    assert.equal(await callErrorKindOf(sendTo(t, json({ euid, status: 200 }))), 'error, uncertain');
  }
  assert.equal(await callErrorKindOf(sendTo(t, json({ euid: EUID }, 500))), 'error, uncertain');
  assert.equal(await callErrorKindOf(sendTo(t, json({ euid: EUID }, 302))), 'error, uncertain');
});

test('a registration is recognised even when everything but the EUID is missing or unusable', async (t) => {
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

test('a stored answer is bounded and has no NUL; messages stay on one line', async (t) => {
  const page = `a\0b${'ш'.repeat(9_000)}`;
  const { answer } = await callErrorOf(sendTo(t, { status: 502, body: page }));
  assert.equal(answer?.length, 4_000);
  assert.ok(answer?.startsWith('a\ufffdbш'));
  const forged = { code: 'E1020', message: `x\n2026-11-15 ERROR \u001b[31m${'y'.repeat(5_000)}\ud800` };
  const error = await callErrorOf(sendTo(t, json(forged, 400)));
  assert.match(error.message, /^[\x20-\x7e]+$/u);
  assert.ok(error.message.length < 700);
  assert.ok((error.errors[0]?.message?.length ?? 0) <= 1_000);
});

test('E5011 from the query API means an invalid value; E1011 is "refused" for downloads and "credentials" for all else', async (t) => {
  const answeringError = (errorCode: string) => answering(json({ success: false, errorStatus: { errorCode } }));
  const { client: invalid } = await clientOfCanned(t, answeringError('E5011'));
  assert.equal(await callErrorKindOf(invalid.arrivals(ALFA_TENANT, '2026-11-01', '2026-11-02')), 'refused, certain');
  assert.equal(await invalid.exchangeRate(ALFA_TENANT, 'EUR', '2026-11-01'), null);
  const { client: barred } = await clientOfCanned(t, answeringError('E1011'));
  assert.equal(await callErrorKindOf(barred.container(ALFA_TENANT, EUID)), 'refused, certain');
  assert.equal(await callErrorKindOf(barred.arrived(ALFA_TENANT, [EUID])), 'refused, certain');
  assert.equal(await barred.arrivedPdf(ALFA_TENANT, EUID), null);
  assert.equal(await callErrorKindOf(barred.arrivals(ALFA_TENANT, '2026-11-01', '2026-11-02')), 'credentials, certain');
  assert.equal(await callErrorKindOf(barred.list(ALFA_TENANT, 'currency')), 'credentials, certain');
});

test('neither message nor stored answer holds the user, the certificate or the signature', async (t) => {
  const listener: RequestListener = (_request, response) => response.writeHead(400).end('{"code":"E4016"}');
  const { client } = await clientOfCanned(t, listener);
  const { message, answer } = await callErrorOf(client.send(ALFA_TENANT, prepared(), TIMESTAMP));
  assert.doesNotMatch(`${message}${answer}`, /demo-alfa|A1B2C|eyJ/u);
});

test('any bytes with any status give an object or a call error of a known kind', () => {
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
        assert.ok(['busy', 'error', 'credentials', 'request-refused', 'refused'].includes(error.kind));
        assert.ok(error.message.includes('host/path'));
      }
    }),
  );
});

test('an answer of which the beginning alone goes on record ends in an ellipsis there', async (t) => {
  const recorded = async (body: string) => {
    const { client } = await clientOfCanned(t, answering({ status: 500, body }));
    return (await callErrorOf(client.send(ALFA_TENANT, prepared(), TIMESTAMP))).answer;
  };
  const whole = `a\n${'б'.repeat(3_998)}`;
  assert.equal(await recorded(whole), whole);
  for (const body of [`${whole}c`, whole.repeat(3), `a\n${'😀'.repeat(9_000)}`]) {
    const answer = (await recorded(body)) ?? '';
    assert.match(answer, /^a\n(?:б{3997}|(?:😀)+)…$/u);
    assert.ok(answer.length <= 4_000);
  }
});
