import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { AuthorityClient } from '../../../../src/adapters/ujp/services/authority-client.ts';
import { type Authority, alfa, startAuthority } from '../../../simulator/authority-client.ts';
import { type ChangingForwarder, changeJson, startChangingForwarder } from '../../../support/changing-forwarder.ts';
import { ALFA_TENANT, BETA_TENANT, callErrorKindOf, callErrorOf, clientWith, PORTAL, prepared } from './client.ts';

const LIST = 'documents/sales-invoice/invoices-status';
const IDS = 'documents/sales-invoice/ids';
const PAYLOAD = 'documents/sales-invoice/payload';
const OURS = prepared({ docNumber: 'OURS', docId: 'ours' });
const ABSENT = prepared({ docNumber: 'ABSENT', docId: 'absent' });

let authority: Authority;
let forwarder: ChangingForwarder;
let client: AuthorityClient;
let ours: string;

before(async () => {
  authority = await startAuthority(null);
  forwarder = await startChangingForwarder(Number(new URL(authority.simulator.url).port));
  const root = (url: string) => url.replace(/:\d+/u, `:${forwarder.port}`);
  const urls = {
    query: root(authority.simulator.url),
    receiver: root(authority.simulator.receiverUrl),
    portal: PORTAL,
  };
  ({ client } = clientWith({ urls: { test: urls, production: null } }));
  ours = await authority.registered({ docNumber: 'OURS', docId: 'ours' });
  await authority.registered({ docNumber: 'OTHER', docId: 'other' });
});
after(async () => {
  forwarder.close();
  await authority.simulator.close();
});

type Json = Readonly<Record<string, unknown>>;
type Signed = { readonly document: { readonly header: Json; readonly seller: Json } };

/** The payload service answers for a document that says this of itself. */
function payloadOf(header: Json, seller: Json = {}): void {
  forwarder.change = changeJson(PAYLOAD, (answer) => {
    const { document, ...rest } = JSON.parse(String(answer['payload'])) as Signed;
    const other = { ...document, header: { ...document.header, ...header }, seller: { ...document.seller, ...seller } };
    return { ...answer, payload: JSON.stringify({ ...rest, document: other }) };
  });
}

const lookUp = (sent = OURS) => client.findRegistered(ALFA_TENANT, sent);

test('a document is not missing because its look-up was answered with the payload of another', async () => {
  for (const [what, header, seller] of [
    ['number', { docId: 'other', docNumber: 'OTHER' }, {}],
    ['date', { docId: 'other', docDate: '2026-11-02' }, {}],
    ['seller', { docId: 'other' }, { sellerTin: '4080026000023' }],
  ] as const) {
    payloadOf(header, seller);
    const { message, isUncertain } = await callErrorOf(lookUp());
    assert.match(message, new RegExp(`another document than ${ours}: another ${what}`, 'u'));
    assert.ok(isUncertain);
  }
  forwarder.change = (_path, answer) => answer;
  assert.equal((await lookUp())?.euid, ours);
});

/** The list shows every document under our number. */
const underOurNumber = changeJson(LIST, (answer) => {
  const rows = answer['invoices'] as readonly Json[];
  return { ...answer, invoices: rows.map((row) => ({ ...row, docNumber: 'OURS' })) };
});

test('two documents of a number with the same payload are told apart by neither', async () => {
  const answerWith = (payloadOfEach: (nth: number) => object) => {
    let nth = 0;
    const payloads = changeJson(PAYLOAD, (answer) => {
      const { document, ...rest } = JSON.parse(String(answer['payload'])) as Signed;
      nth += 1;
      const header = { ...document.header, docNumber: 'OURS', docId: 'other', ...payloadOfEach(nth) };
      return { ...answer, payload: JSON.stringify({ ...rest, document: { ...document, header } }) };
    });
    forwarder.change = (path, answer) => payloads(path, underOurNumber(path, answer));
  };
  answerWith(() => ({}));
  assert.match((await callErrorOf(lookUp())).message, /docId other again/u);
  // Another program may use one for several documents.
  answerWith((nth) => ({ docStorno: nth }));
  assert.equal(await lookUp(), null);
  // Whose own is among them is there, whatever the other one is.
  answerWith(() => ({ docId: 'ours' }));
  assert.notEqual(await lookUp(), null);
});

test('a document of another seller that the taxpayer has sent under the number is another one', async () => {
  const sentByAlfa = { sellerTin: '4080026000023', senderTin: alfa.edb };
  const payloads = changeJson(PAYLOAD, (answer) => {
    const { document, ...rest } = JSON.parse(String(answer['payload'])) as Signed;
    const header = { ...document.header, docId: 'other' };
    const seller = { ...document.seller, sellerTin: sentByAlfa.sellerTin };
    const sender = { senderTin: sentByAlfa.senderTin };
    return { ...answer, payload: JSON.stringify({ ...rest, document: { ...document, header, seller, sender } }) };
  });
  const rows = changeJson(LIST, (answer) => {
    const listed = answer['invoices'] as readonly Json[];
    return { ...answer, invoices: listed.map((row) => ({ ...row, ...sentByAlfa })) };
  });
  const noRight = { success: false, errorStatus: { errorCode: 'E1011', errorMessage: 'No privilege RD' } };
  const refused = changeJson(PAYLOAD, () => noRight);
  forwarder.change = (path, answer) => refused(path, rows(path, answer));
  assert.equal(await lookUp(), null, 'nor is it presumed to be ours');
  assert.equal(await client.findByNumber(ALFA_TENANT, 'OURS', OURS.docDate), null, 'nor what is referred to');
  const unsaid = changeJson(LIST, (answer) => {
    const listed = answer['invoices'] as readonly Json[];
    return { ...answer, invoices: listed.map(({ sellerTin, ...row }) => row) };
  });
  const inNumbers = changeJson(LIST, (answer) => {
    const listed = answer['invoices'] as readonly Json[];
    const [sellerTin, senderTin] = [Number(sentByAlfa.sellerTin), Number(sentByAlfa.senderTin)];
    return { ...answer, invoices: listed.map((row) => ({ ...row, sellerTin, senderTin })) };
  });
  forwarder.change = (path, answer) => refused(path, inNumbers(path, answer));
  assert.equal(await lookUp(), null, 'whose tax number is a number');
  const listed = () => client.registeredBetween(ALFA_TENANT, OURS.docDate, OURS.docDate);
  for (const change of [rows, inNumbers]) {
    forwarder.change = change;
    assert.deepEqual(await listed(), [], 'its payload need not say who has sent it');
  }
  forwarder.change = (path, answer) => payloads(path, unsaid(path, answer));
  assert.equal(await lookUp(), null, 'as its payload says');
  const [one = assert.fail()] = await listed();
  assert.equal((await client.registeredMarks(ALFA_TENANT, one)).isSentForAnother, true);
});

test('a document without a docId that is another one by its number, date or seller hides nothing', async () => {
  const unnumbered = changeJson(LIST, (answer) => {
    const listed = answer['invoices'] as readonly Json[];
    return { ...answer, invoices: listed.map(({ docNumber, ...row }) => row) };
  });
  let nth = 0;
  const payloads = (header: Json, sender: Json | null = null) =>
    changeJson(PAYLOAD, (answer) => {
      const { document, ...rest } = JSON.parse(String(answer['payload'])) as Signed;
      const seller = sender === null ? document.seller : { ...document.seller, sellerTin: 4080026000023 };
      nth += 1;
      const own = { docId: null, docNotes: String(nth), ...header };
      const changed = { ...document, header: { ...document.header, ...own }, seller, sender };
      return { ...answer, payload: JSON.stringify({ ...rest, document: changed }) };
    });
  const sought = { ...OURS, docId: 'absent' };
  for (const [header, sender] of [
    [{ docNumber: 'OTHER' }, null],
    [{ docNumber: 'OURS' }, { senderTin: alfa.edb }],
  ] as const) {
    const change = payloads(header, sender);
    forwarder.change = (path, answer) => change(path, unnumbered(path, answer));
    assert.equal(await lookUp(sought), null, JSON.stringify(header));
  }
  for (const header of [{ docNumber: 'OURS' }, { docNumber: null }]) {
    const change = payloads(header);
    forwarder.change = (path, answer) => change(path, unnumbered(path, answer));
    assert.match((await callErrorOf(lookUp(sought))).message, /no readable docId of 0/u, JSON.stringify(header));
  }
});

test('a number that the list shows in other letters or blanks is that of the document, as far as its payload says so', async () => {
  const inLetters = changeJson(LIST, (answer) => ({
    ...answer,
    invoices: (answer['invoices'] as readonly Json[]).map((row) => ({
      ...row,
      docNumber: String(row['docNumber']).replace('OURS', ' o UrS'),
    })),
  }));
  forwarder.change = inLetters;
  assert.equal((await lookUp())?.euid, ours);
  assert.equal(await client.findRegistered(ALFA_TENANT, ABSENT), null);
  assert.equal(await client.findByNumber(ALFA_TENANT, 'OURS', OURS.docDate), null, 'it may be another one');
  const listed = await client.registeredBetween(ALFA_TENANT, OURS.docDate, OURS.docDate);
  const own = listed.find(({ registration }) => registration.euid === ours) ?? assert.fail('it is not listed');
  assert.equal((await client.registeredMarks(ALFA_TENANT, own)).docNumber, 'OURS', 'as it was sent');
  const noRight = { success: false, errorStatus: { errorCode: 'E1011', errorMessage: 'No privilege RD' } };
  const refused = changeJson(PAYLOAD, () => noRight);
  forwarder.change = (path, answer) => refused(path, inLetters(path, answer));
  assert.equal(await callErrorKindOf(lookUp()), 'request-refused, certain', 'nor is it presumed to be ours');
});

test('one page of a list is not the whole list: the EUIDs of the day are asked for, and a page of those says nothing', async () => {
  for (const page of [{ last: false }, { totalPages: 2 }, { totalElements: '7' }]) {
    const paged = changeJson(LIST, (answer) => ({ ...answer, invoices: [], ...page }));
    forwarder.change = paged;
    assert.equal((await lookUp())?.euid, ours, JSON.stringify(page));
    assert.equal(await lookUp(ABSENT), null);
    const pagedIds = changeJson(IDS, (answer) => ({ ...answer, euids: [], ...page }));
    forwarder.change = (path, answer) => pagedIds(path, paged(path, answer));
    assert.match((await callErrorOf(lookUp())).message, /no readable whole list/u, JSON.stringify(page));
  }
  forwarder.change = changeJson(LIST, (answer) => ({ ...answer, last: true, totalPages: 1, totalElements: 2 }));
  assert.equal((await lookUp())?.euid, ours);
});

test('the payload of a document that was sent is read in every form that it may come in', async () => {
  const jwsOf = (text: string) => `e30.${Buffer.from(text).toString('base64url')}.e30`;
  const inForm = (form: (text: string) => unknown) => {
    forwarder.change = changeJson(PAYLOAD, (answer) => ({ ...answer, payload: form(String(answer['payload'])) }));
    return client.findRegistered(ALFA_TENANT, OURS);
  };
  for (const [what, form] of [
    ['an object', JSON.parse],
    ['the document alone', (text: string) => JSON.stringify((JSON.parse(text) as Signed).document)],
    ['its JWS', jwsOf],
    ['what was posted', (text: string) => JSON.stringify({ requestTimestamp: 'x', jws: jwsOf(text) })],
    ['the same as an object', (text: string) => ({ requestTimestamp: 'x', jws: jwsOf(text) })],
  ] as const) {
    assert.equal((await inForm(form))?.euid, ours, what);
  }
  for (const none of ['no document', { jws: 'no JWS' }, { jws: { jws: 'x' } }]) {
    assert.equal(await callErrorKindOf(inForm(() => none)), 'error, uncertain');
  }
});

test('a document is missing only in a list of its day and its taxpayer', async () => {
  const rows = (change: (row: Json) => unknown) => {
    forwarder.change = changeJson(LIST, (answer) => ({
      ...answer,
      invoices: (answer['invoices'] as readonly Json[]).map(change),
    }));
    return client.findRegistered(ALFA_TENANT, ABSENT);
  };
  assert.equal(await rows((row) => row), null);
  assert.equal(await rows(({ sellerTin, docDate, ...row }) => row), null, 'it need not say so');
  const forAnother = { sellerTin: '4080026000023', senderTin: alfa.edb };
  assert.equal(await rows((row) => ({ ...row, ...forAnother })), null, 'sent by it for somebody else');
  for (const [what, change] of [
    ['of another day', (row: Json) => ({ ...row, docDate: '2026-11-02' })],
    ['of another taxpayer', (row: Json) => ({ ...row, sellerTin: '4080026000023', buyerTin: alfa.edb })],
    ['of payloads', ({ euid }: Json) => ({ euid: String(euid).replace(/.$/u, 'f'), payload: '{}' })],
    ['of identifiers', ({ euid }: Json) => euid],
  ] as const) {
    assert.match(await callErrorKindOf(rows(change)), /^error/u, what);
  }
});

test('one whose row shows no number, or blanks around it, is recognised by its docId', async () => {
  const showing = (change: (row: Json) => Json) => {
    forwarder.change = changeJson(LIST, (answer) => ({
      ...answer,
      invoices: (answer['invoices'] as readonly Json[]).map(change),
    }));
  };
  for (const change of [
    ({ docNumber: documentNumber, ...row }: Json) => ({ ...row, documentNumber }),
    (row: Json) => ({ ...row, docNumber: '' }),
  ]) {
    showing(change);
    assert.equal((await lookUp())?.euid, ours);
    assert.equal(await client.findRegistered(ALFA_TENANT, ABSENT), null);
    assert.equal(await client.findByNumber(ALFA_TENANT, 'OURS', OURS.docDate), null, 'nothing else is');
    const listed = await client.registeredBetween(ALFA_TENANT, OURS.docDate, OURS.docDate);
    const own = listed.find(({ registration }) => registration.euid === ours) ?? assert.fail('it is not listed');
    assert.equal((await client.registeredMarks(ALFA_TENANT, own)).docNumber, 'OURS', 'its payload says it');
  }
  showing(({ docNumber, ...row }) => ({ ...row, docNumber: ` ${String(docNumber)}   ` }));
  assert.equal((await lookUp())?.euid, ours);
});

test('a draft of the authority’s portal is no registration, and keeps none from being found', async () => {
  const draft = { statusCode: '00', euid: null, docNumber: 'OURS', docDate: OURS.docDate, sellerTin: alfa.edb };
  const own = ours.replace(/.$/u, '0');
  const drafts = [
    draft,
    { ...draft, docNumber: null },
    { ...draft, statusCode: 0 },
    { ...draft, euid: own, docNumber: 'DRAFT' },
  ];
  forwarder.change = changeJson(LIST, (answer) => ({
    ...answer,
    invoices: [...drafts, ...(answer['invoices'] as readonly Json[])],
  }));
  assert.equal((await lookUp())?.euid, ours);
  assert.equal(await client.findRegistered(ALFA_TENANT, ABSENT), null);
  const listed = await client.registeredBetween(ALFA_TENANT, OURS.docDate, OURS.docDate);
  assert.deepEqual(listed.map(({ docNumber }) => docNumber).toSorted(), ['OTHER', 'OURS']);
});

test('a draft is neither presumed to be the one that was sent nor referred to, also where it has an EUID', async () => {
  const noRight = { success: false, errorStatus: { errorCode: 'E1011', errorMessage: 'No privilege RD' } };
  const refused = changeJson(PAYLOAD, () => noRight);
  const drafts = changeJson(LIST, (answer) => ({
    ...answer,
    invoices: (answer['invoices'] as readonly Json[]).map((row) => ({ ...row, statusCode: '00' })),
  }));
  forwarder.change = (path, answer) => refused(path, drafts(path, answer));
  assert.equal(await callErrorKindOf(lookUp()), 'request-refused, certain');
  assert.equal(await client.findByNumber(ALFA_TENANT, 'OURS', OURS.docDate), null);
  forwarder.change = drafts;
  const { status, isStatusUnread } = (await lookUp()) ?? assert.fail('its payload has the docId');
  assert.deepEqual([status, isStatusUnread], [{ code: '01', name: null }, true], 'what was sent is no draft');
  forwarder.change = refused;
  assert.equal((await lookUp())?.euid, ours, 'registered meanwhile');
  assert.equal((await client.findByNumber(ALFA_TENANT, 'OURS', OURS.docDate))?.euid, ours);
});

test('what is registered is compared by no payload but its own', async () => {
  forwarder.change = (_path, answer) => answer;
  const listed = await client.registeredBetween(ALFA_TENANT, OURS.docDate, OURS.docDate);
  const own = listed.find(({ docNumber }) => docNumber === 'OURS') ?? assert.fail('it is not listed');
  assert.equal((await client.registeredMarks(ALFA_TENANT, own)).docId, 'ours');
  payloadOf({ docId: 'other', docNumber: 'OTHER' });
  assert.equal(await callErrorKindOf(client.registeredMarks(ALFA_TENANT, own)), 'error, uncertain');
});

test('a payload without a readable docId says what it says to a comparison, and nothing to a look-up', async () => {
  forwarder.change = (_path, answer) => answer;
  const listed = await client.registeredBetween(ALFA_TENANT, OURS.docDate, OURS.docDate);
  const own = listed.find(({ docNumber }) => docNumber === 'OURS') ?? assert.fail('it is not listed');
  for (const docId of [undefined, null, 7, {}]) {
    payloadOf({ docId });
    const marks = await client.registeredMarks(ALFA_TENANT, own);
    assert.deepEqual([marks.docId, marks.docNumber, marks.isSentForAnother], [null, 'OURS', false]);
    assert.equal(await callErrorKindOf(lookUp()), 'error, uncertain', 'it may be the one that was sent');
  }
  payloadOf({ docId: null, docNumber: 'OTHER' });
  assert.equal(await callErrorKindOf(client.registeredMarks(ALFA_TENANT, own)), 'error, uncertain');
});

test('documents of another buyer are not listed for a taxpayer, and a list of nothing else is none', async () => {
  forwarder.change = (_path, answer) => answer;
  const list = (tenant = BETA_TENANT) => client.arrivals(tenant, OURS.docDate, OURS.docDate);
  assert.deepEqual((await list()).listed.length, 2);
  const rows = (change: (row: Json, index: number) => unknown) => {
    forwarder.change = changeJson('documents/purchase-invoice/invoices-status', (answer) => ({
      ...answer,
      invoices: (answer['invoices'] as readonly Json[]).map(change),
    }));
    return list();
  };
  const gama = '4001026000034';
  const first = await rows((row, index) => (index === 0 ? { ...row, buyerTin: gama } : row));
  assert.deepEqual([first.listed.length, first.unreadableRows.length], [1, 1]);
  assert.match((await callErrorOf(rows((row) => ({ ...row, buyerTin: Number(gama) })))).message, /of this buyer/u);
  assert.match(first.unreadableRows[0] ?? '', /^A row of another buyer/u);
  assert.match((await callErrorOf(rows((row) => ({ ...row, buyerTin: `MK${gama}` })))).message, /of this buyer/u);
  for (const change of [{ buyerTin: '' }, { buyerTin: null }, { buyerTin: gama, receiverTin: BETA_TENANT.edb }]) {
    assert.equal((await rows((row) => ({ ...row, ...change }))).listed.length, 2, JSON.stringify(change));
  }
});
