import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { type TestContext, test } from 'node:test';
import { zip } from '../../../../simulator/files/zip.ts';
import { PartOfChanges } from '../../../../src/application/errors/authority-answers.ts';
import type { Tenant } from '../../../../src/domain/accounts/tenant.ts';
import { edb } from '../../../engines/samples.ts';
import { answering, type CannedAnswer, clientOfCanned } from '../answers/canned-authority.ts';
import { ALFA_TENANT, BETA_TENANT, callErrorKindOf, callErrorOf, prepared } from './client.ts';

const EUID = '019b8d43-7840-7433-b358-08891b53605c';
const OTHER = '019b8d43-7840-7433-b358-08891b53605d';
const MIB = 1_048_576;

const json = (value: object): CannedAnswer => ({
  body: JSON.stringify({ success: true, errorStatus: null, ...value }),
});
const refused = (errorCode: string): CannedAnswer => ({
  body: JSON.stringify({ success: false, errorStatus: { errorCode, errorMessage: 'x' } }),
});

/** Answers by the end of the path. */
const clientOf = async (t: TestContext, answers: Readonly<Record<string, CannedAnswer>>) => {
  const listener: RequestListener = (request, response) => {
    const found = Object.entries(answers).find(([path]) => request.url?.endsWith(path));
    return answering(found?.[1] ?? { status: 404, body: '' })(request, response);
  };
  return (await clientOfCanned(t, listener)).client;
};

const row = (euid: unknown, changes: object = {}) => ({ euid, docNumber: '7', docDate: '2026-11-10', ...changes });
const payload = (docId: unknown) => JSON.stringify({ requestTimestamp: 'x', document: { header: { docId } } });
const DOCUMENT = { ...prepared(), docNumber: '7', docDate: '2026-11-10', docId: 'ours' };

const lookUp = async (t: TestContext, invoices: unknown, more: Readonly<Record<string, CannedAnswer>> = {}) =>
  (await clientOf(t, { '/invoices-status': json({ invoices }), ...more })).findRegistered(ALFA_TENANT, DOCUMENT);

test('an unreadable answer never makes a document look unregistered', async (t) => {
  const another = row(OTHER, { docNumber: '8' });
  const unreadable = [undefined, {}, 'x', [row('x')], [row(null)], ...[null, 'x', 7, []].map((one) => [another, one])];
  for (const invoices of unreadable) assert.equal(await callErrorKindOf(lookUp(t, invoices)), 'error, uncertain');
  const payloads = [json({}), json({ payload: null }), json({ payload: '{' }), json({ payload: '{"document":7}' })];
  for (const answer of [...payloads, json({ payload: payload(7) })]) {
    assert.equal(await callErrorKindOf(lookUp(t, [row(EUID)], { '/payload': answer })), 'error, uncertain');
  }
  assert.equal(await callErrorKindOf(lookUp(t, [row(EUID)], { '/payload': refused('E4008') })), 'error, certain');
  const many = Array.from({ length: 21 }, (_, index) => row(EUID.replace(/5c$/u, String(index).padStart(2, '0'))));
  for (const answer of [json({}), json({ invoices: 'x' }), json({ invoices: [{ euid: EUID, payload: '{' }] })]) {
    const more = { '/payload/list': answer, '/payload': refused('E4008') };
    assert.equal(await callErrorKindOf(lookUp(t, many, more)), 'error, certain');
  }
});

test('an answer that is nested far too deeply is a call error, wherever it is so', async (t) => {
  const deep = `${'['.repeat(20_000)}1${']'.repeat(20_000)}`;
  const bodies = [
    `{"success":false,"errorStatus":{"errorCode":"E5000","errorMessage":"x","more":${deep}}}`,
    `{"success":true,"payload":{"document":${deep}},"invoices":[{"euid":"${EUID}","docDate":"2026-11-10","more":${deep}}]}`,
    `{"success":true,"invoices":[${deep}],"statusHistory":${deep}}`,
  ];
  for (const body of bodies) {
    const { client } = await clientOfCanned(t, answering({ body }));
    const calls = [
      () => client.send(ALFA_TENANT, DOCUMENT, '2026-11-15T10:00:00'),
      () => client.findRegistered(ALFA_TENANT, DOCUMENT),
      () => client.registeredBetween(ALFA_TENANT, '2026-11-01', '2026-11-20'),
      () => client.registeredPayload(ALFA_TENANT, EUID),
      () => client.arrivals(ALFA_TENANT, '2026-11-01', '2026-11-20'),
      () => client.statusChanges(ALFA_TENANT, '2026-11-10'),
    ];
    for (const call of calls) assert.equal(await callErrorKindOf(call()), 'error, uncertain');
  }
  for (const text of [`{"header":{"docId":"ours","more":${deep}}}`, payload('ours').replace('"x"', deep)]) {
    assert.equal(
      await callErrorKindOf(lookUp(t, [row(EUID)], { '/payload': json({ payload: text }) })),
      'error, uncertain',
    );
  }
});

test('the answer to one document is not the answer to another, of whichever taxpayer', async (t) => {
  const client = await clientOf(t, { '/send': { body: JSON.stringify({ euid: EUID, status: 200 }) } });
  const send = (tenant: Tenant, docId: string) => client.send(tenant, { ...DOCUMENT, docId }, '2026-11-15T10:00:00');
  assert.equal((await send(ALFA_TENANT, 'one')).euid, EUID);
  assert.equal((await send(ALFA_TENANT, 'one')).euid, EUID, 'the same document once more');
  for (const tenant of [ALFA_TENANT, BETA_TENANT]) {
    const error = await callErrorOf(send(tenant, 'other'));
    assert.deepEqual([error.kind, error.isUncertain], ['error', true]);
    assert.match(error.message, /the EUID of another document/u);
    assert.match(error.answer ?? '', new RegExp(EUID, 'u'));
  }
});

test('an EUID with an HTTP status of a refusal leaves open whether the document is registered, unless a code says no', async (t) => {
  const sent = async (status: number, more: object = {}) => {
    const client = await clientOf(t, { '/send': { status, body: JSON.stringify({ euid: EUID, ...more }) } });
    return callErrorKindOf(client.send(ALFA_TENANT, DOCUMENT, '2026-11-15T10:00:00'));
  };
  for (const status of [302, 400, 403, 429]) assert.equal(await sent(status), 'error, uncertain');
  assert.equal(await sent(400, { code: 'E1020', message: 'x' }), 'refused, certain');
  const failures = [{ success: false }, { status: 400 }, { status: '500' }, { code: 'E1023', message: 'x' }];
  for (const more of failures) assert.equal(await sent(200, more), 'error, uncertain', JSON.stringify(more));
  const registered = await clientOf(t, { '/send': { body: JSON.stringify({ euid: EUID, status: 0, code: 'OK' }) } });
  assert.equal((await registered.send(ALFA_TENANT, DOCUMENT, '2026-11-15T10:00:00')).euid, EUID);
});

test('an answer that there is nothing is an empty result, not a call error', async (t) => {
  for (const invoices of [[], null, [row(EUID, { docNumber: '8' }), row(EUID, { docDate: '2026-11-09' })]]) {
    assert.equal(await lookUp(t, invoices), null);
  }
  for (const code of ['E1018', 'E4008']) {
    assert.equal(await lookUp(t, [], { '/invoices-status': refused(code) }), null);
  }
  const silent = await clientOf(t, { '/changes': refused('E1019'), '/invoices-status': refused('E4008') });
  assert.deepEqual(await silent.statusChanges(ALFA_TENANT, '2026-11-10'), []);
  const nothing = { listed: [], unreadableRows: [] };
  assert.deepEqual(await silent.arrivals(ALFA_TENANT, '2026-11-10', '2026-11-10'), nothing);
});

test('a look-up matches the docId exactly', async (t) => {
  const found = await lookUp(t, [row(EUID, { statusCode: '03' })], { '/payload': json({ payload: payload('ours') }) });
  assert.deepEqual([found?.euid, found?.status], [EUID, { code: '03', name: null }]);
  for (const docId of ['Ours', ' ours', 'ours2', '']) {
    assert.equal(await lookUp(t, [row(EUID)], { '/payload': json({ payload: payload(docId) }) }), null);
  }
});

test('an EUID that is not UUID version 7 gives no registration time', async (t) => {
  const euid = EUID.replace('-7433-', '-4433-');
  const found = await lookUp(t, [row(euid)], { '/payload': json({ payload: payload('ours') }) });
  assert.equal(found?.registeredAt, null);
});

test('status changes are sorted by time, in any order and notation; unreadable ones are skipped', async (t) => {
  const change = (code: unknown, timestamp: unknown, more: object = {}) => ({
    euid: EUID,
    newStatus: { code, name: '' },
    timestamp,
    ...more,
  });
  const reasons = {
    rejectReason: ' ',
    voidReason: 'Погрешен купувач',
    comment: 'x',
    voidComment: 'x',
    cancelComment: 7,
  };
  const client = await clientOf(t, {
    '/changes': json({
      statusHistory: [
        change('05', '2026-11-10T12:00:00', reasons),
        change('06', 'наскоро'),
        change('03', '2026-11-10 11:00:00'),
        change('01', '2026-11-10T09:59:59Z'),
        change(7, '2026-11-10T09:00:00'),
        change('09', '2026-11-10T09:00:00', { euid: 'x' }),
        { euid: EUID },
        null,
      ],
    }),
  });
  assert.deepEqual(await client.statusChanges(ALFA_TENANT, '2026-11-10'), [
    { euid: EUID, status: { code: '01', name: null }, from: null, at: Date.UTC(2026, 10, 10, 9, 59, 59), reason: null },
    { euid: EUID, status: { code: '03', name: null }, from: '01', at: Date.UTC(2026, 10, 10, 10), reason: null },
    {
      euid: EUID,
      status: { code: '05', name: null },
      from: '03',
      at: Date.UTC(2026, 10, 10, 11),
      reason: 'Погрешен купувач; x',
    },
    { euid: EUID, status: { code: '06', name: null }, from: '05', at: Date.UTC(2026, 10, 10, 11), reason: null },
  ]);
});

test('arrivals are rows with a valid EUID, each once; the other rows are told, whatever they are', async (t) => {
  const odd = [row(''), row('x'), row(7), row(null), { docNumber: '7' }, 7, 'x', null, [row(EUID)]];
  const client = await clientOf(t, {
    '/invoices-status': json({ invoices: [row(EUID, { statusCode: 7 }), ...odd, row(OTHER), row(EUID.toUpperCase())] }),
  });
  const { listed, unreadableRows } = await client.arrivals(ALFA_TENANT, '2026-11-01', '2026-11-02');
  assert.deepEqual(
    listed.map(({ euid, status, facts }) => [euid, status, facts.documentNumber]),
    [
      [EUID, null, '7'],
      [OTHER, null, '7'],
    ],
  );
  assert.equal(unreadableRows.filter((text) => text.startsWith('A row without a readable EUID: ')).length, odd.length);
  assert.match(unreadableRows.at(-1) ?? '', /^A second row of the document /u);
});

test('of a list of nothing but unreadable rows the first ones are told', async (t) => {
  const invoices = Array.from({ length: 1_000 }, (_, index) => ({ index }));
  const client = await clientOf(t, { '/invoices-status': json({ invoices: [...invoices, row(EUID)] }) });
  const { listed, unreadableRows } = await client.arrivals(ALFA_TENANT, '2026-11-01', '2026-11-20');
  assert.equal(listed.length, 1);
  assert.equal(unreadableRows.length, 100);
  assert.equal(unreadableRows.at(-1), 'A row without a readable EUID: {"index":99}');
});

test('a page of a list of changes is not all of them, but gives its own; one of arrivals is collected and told', async (t) => {
  const page = { last: false, totalPages: 2, totalElements: 2 };
  const change = { euid: EUID, newStatus: { code: '05', name: '' }, timestamp: '2026-11-10T12:00:00' };
  const client = await clientOf(t, {
    '/changes': json({ statusHistory: [change], ...page }),
    '/purchase-invoice/invoices-status': json({ invoices: [row(EUID)], ...page }),
  });
  const part = await callErrorOf(client.statusChanges(ALFA_TENANT, '2026-11-10'));
  assert.deepEqual([part.kind, part.isUncertain], ['error', true]);
  const given = part instanceof PartOfChanges ? part.changes : [];
  assert.deepEqual(
    given.map(({ euid, status }) => [euid, status.code]),
    [[EUID, '05']],
  );
  const { listed, unreadableRows } = await client.arrivals(ALFA_TENANT, '2026-11-10', '2026-11-10');
  assert.deepEqual([listed.map(({ euid }) => euid), unreadableRows.length], [[EUID], 1]);
  assert.match(unreadableRows[0] ?? '', /^One page of several of the list of 2026-11-10: /u);
});

test('payloads that are texts are arrivals, each once; documents that were not requested are ignored', async (t) => {
  const client = await clientOf(t, {
    '/payload/list': json({
      invoices: [
        { euid: OTHER, payload: '{}' },
        { euid: EUID, payload: 7 },
        { euid: EUID.toUpperCase(), payload: ' {"a":1} ' },
        null,
      ].concat([{ euid: EUID, payload: 'later' }]),
    }),
  });
  const arrived = await client.arrived(ALFA_TENANT, [EUID]);
  assert.deepEqual(
    arrived.map(({ euid, original }) => [euid, Buffer.from(original).toString()]),
    [[EUID, ' {"a":1} ']],
  );
});

test('a document in an answer of any other shape is that answer, byte for byte; an answer without it is a call error', async (t) => {
  const document = { header: { docNumber: '7' } };
  const text = JSON.stringify({ requestTimestamp: 'x', document, notes: 'н'.repeat(200) });
  const alone = async (answer: CannedAnswer) =>
    (await clientOf(t, { '/payload/list': answer })).arrivedInAnyShape(ALFA_TENANT, EUID);
  const shapes: readonly object[] = [
    { invoices: [{ euid: EUID, payload: { document } }] },
    { invoices: [{ euid: EUID, payload: [text] }] },
    { invoices: [{ euid: EUID, json: text }] },
    { invoices: [{ id: EUID, payload: { document } }] },
    { invoices: [text] },
    { invoices: { [EUID]: text } },
    { payload: text },
    { invoices: [{ euid: OTHER, payload: 'x' }, { payload: { document } }] },
    { documents: [{ id: EUID.toUpperCase(), content: { header: {} } }] },
    { document },
  ];
  for (const shape of shapes) {
    const answer = { body: ` ${JSON.stringify({ success: true, errorStatus: null, ...shape })}\n` };
    const { euid, original, unreadable } = await alone(answer);
    assert.deepEqual([euid, Buffer.from(original).toString()], [EUID, answer.body]);
    assert.match(unreadable ?? '', /no payload that is a text/u);
  }
  const given = await alone(json({ invoices: [{ euid: EUID, payload: text }] }));
  assert.equal(Buffer.from(given.original).toString(), text);
  const without: readonly object[] = [
    {},
    { invoices: null },
    { invoices: [] },
    { invoices: [{ euid: EUID }] },
    { invoices: [{ euid: EUID, payload: null }] },
    { invoices: [{ euid: EUID, payload: '' }, 7] },
    { invoices: [{ euid: OTHER, payload: { document } }] },
    { error: { type: 'x', message: 'y' } },
    { status: 'UP', components: { db: { status: 'UP' } } },
    { company: { taxNumber: '4030026000018', name: 'Alfa', address: { street: 'x' } } },
    { page: '<html>'.padEnd(300, 'x') },
  ];
  for (const shape of without) assert.equal(await callErrorKindOf(alone(json(shape))), 'error, certain');
  assert.equal(await callErrorKindOf(alone({ body: '<html>' })), 'error, uncertain');
  assert.equal(await callErrorKindOf(alone(refused('E1011'))), 'refused, certain');
});

test('an answer that is not a PDF gives none; an error of the authority is a call error', async (t) => {
  for (const pdfBase64 of [undefined, null, '', 7, '%PDF-1.7', Buffer.from('<html>').toString('base64')]) {
    const client = await clientOf(t, { '/pdf': json({ pdfBase64 }) });
    assert.equal(await client.arrivedPdf(ALFA_TENANT, EUID), null);
  }
  const renamed = await clientOf(t, { '/pdf': json({ euid: EUID, pdf: 'JVBERi0x' }) });
  assert.equal(await renamed.arrivedPdf(ALFA_TENANT, EUID), null);
  for (const ofAnother of [{ invoices: [] }, { payload: '{}' }, { statusHistory: null }, { company: {} }]) {
    const client = await clientOf(t, { '/pdf': json(ofAnother) });
    assert.equal(await callErrorKindOf(client.arrivedPdf(ALFA_TENANT, EUID)), 'error, uncertain', 'of another service');
  }
  const failing = await clientOf(t, { '/pdf': refused('E5000') });
  assert.equal(await callErrorKindOf(failing.arrivedPdf(ALFA_TENANT, EUID)), 'error, uncertain');
});

test('a container is accepted only if it is a ZIP file', async (t) => {
  const containerOf = async (canned: CannedAnswer) =>
    (await clientOf(t, { '/documents/invoice': canned })).container(ALFA_TENANT, EUID);
  assert.equal(await callErrorKindOf(containerOf({ body: '' })), 'error, uncertain');
  assert.equal(await callErrorKindOf(containerOf({ body: '<html>' })), 'error, uncertain');
  assert.equal(await callErrorKindOf(containerOf(json({}))), 'error, uncertain');
  assert.equal(await callErrorKindOf(containerOf(refused('E1021'))), 'refused, certain');
  assert.equal(await callErrorKindOf(containerOf({ body: '{', status: 404 })), 'error, certain');
  assert.equal(await callErrorKindOf(containerOf({ body: 'PK\u0003\u0004', status: 500 })), 'error, uncertain');
  const bytes = zip([{ name: 'mimetype', content: Buffer.from('text') }], new Date('2026-11-15'));
  assert.deepEqual(Buffer.from(await containerOf({ body: bytes, contentType: 'application/json' })), bytes);
});

test('every service has its own limit for the size of an answer', async (t) => {
  const pouring = async (path: string) => {
    const listener: RequestListener = (_request, response) => {
      const pour = () => {
        while (!response.destroyed && response.write('x'.repeat(MIB)));
      };
      response.on('drain', pour);
      pour();
    };
    const { client } = await clientOfCanned(t, listener);
    const calls = {
      container: () => client.container(ALFA_TENANT, EUID),
      ids: () => client.arrivals(ALFA_TENANT, '2026-11-01', '2026-11-02'),
      company: () => client.company(ALFA_TENANT, ALFA_TENANT.edb),
      send: () => client.send(ALFA_TENANT, prepared(), '2026-11-15T10:00:00'),
    };
    const error = await callErrorOf(calls[path as keyof typeof calls]());
    assert.deepEqual([error.kind, error.isUncertain], ['error', true]);
    return Number(/more than (\d+) bytes/u.exec(error.message)?.[1]);
  };
  assert.equal(await pouring('container'), 64 * MIB);
  assert.equal(await pouring('ids'), 32 * MIB);
  assert.equal(await pouring('company'), 4 * MIB);
  assert.equal(await pouring('send'), 4 * MIB);
});

test('a company with another tax number or without a name is a call error', async (t) => {
  const companyOf = async (company: unknown) =>
    (await clientOf(t, { '/4030026000018': json({ company }) })).company(ALFA_TENANT, edb('4030026000018'));
  assert.equal(await companyOf(null), null);
  const wrong = [undefined, 7, [], {}, { name: ' ' }, { name: 'x', taxNumber: '4080026000023' }];
  for (const company of wrong) assert.equal(await callErrorKindOf(companyOf(company)), 'error, uncertain');
  const sparse = { name: ' Алфа ', taxNumber: 'МК4030026000018', vatNumber: '', address: { zip: 1000, city: ' ' } };
  assert.deepEqual(await companyOf(sparse), {
    taxNumber: '4030026000018',
    vatNumber: null,
    name: ' Алфа ',
    street: null,
    number: null,
    postalCode: '1000',
    city: null,
  });
});

test('an impossible exchange rate is a call error; the corrected member name is read too', async (t) => {
  const rateOf = async (served: object) =>
    (await clientOf(t, { '/rate': json(served) })).exchangeRate(ALFA_TENANT, 'EUR', '2026-11-10');
  assert.equal(await rateOf({ currencyExcange: null }), null);
  const date = '2026-11-10';
  for (const middleRate of [undefined, null, 0, -1, '', 'x', 1e300, Number.NaN, [61.7, 2]]) {
    assert.equal(await callErrorKindOf(rateOf({ currencyExcange: { middleRate, date } })), 'error, uncertain');
  }
  const ofDollar = { currencyExcange: { name: 'USD', middleRate: 50, date } };
  assert.equal(await callErrorKindOf(rateOf(ofDollar)), 'error, uncertain');
  for (const wrong of [undefined, null, 'soon', 20_261_110]) {
    const undated = { currencyExcange: { name: 'EUR', middleRate: 61.5, date: wrong } };
    assert.equal(await callErrorKindOf(rateOf(undated)), 'error, uncertain', `dated ${wrong}`);
  }
  assert.equal(await callErrorKindOf(rateOf({})), 'error, uncertain');
  const corrected = { currencyExchange: { name: 'EUR', middleRate: '61.5', date: '2026-11-08 00:00:00' } };
  assert.deepEqual(await rateOf(corrected), { currency: 'EUR', date: '2026-11-08', rate: 61.5 });
});

test('indicators that are inactive, of another document type or without a code are left out', async (t) => {
  const client = await clientOf(t, {
    '/100': json({
      docTypeXTaxIndicatorList: [
        { docTypeCode: '100', taxIndicatorCode: 'DDV-A', active: true, validDateTo: '2020-01-01' },
        { docTypeCode: '100', taxIndicatorCode: 'DDV-A' },
        { docTypeCode: '100', taxIndicatorCode: 'DDV-B', active: false },
        { docTypeCode: '100', taxIndicatorCode: 'DDV-V', isActive: false },
        { docTypeCode: '110', taxIndicatorCode: 'DDV-G' },
        { docTypeCode: 100, taxIndicator: { code: 'DDV-9' } },
        { docTypeCode: '100', taxIndicatorCode: 7 },
        null,
      ],
    }),
  });
  assert.deepEqual(await client.allowedIndicators(ALFA_TENANT, '100'), [
    { docTypeCode: '100', taxIndicatorCode: 'DDV-A' },
    { docTypeCode: '100', taxIndicatorCode: 'DDV-9' },
  ]);
});
