import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type CannedAnswer, clientOfCanned } from '../answers/canned-authority.ts';
import { ALFA_TENANT, callErrorKindOf, prepared } from './client.ts';

const DAY = '2026-11-10';
const MORNING = Date.parse(`${DAY}T09:00:00Z`);
const DOCUMENT = { ...prepared(), docNumber: '7', docDate: DAY, docId: 'ours', sentAt: MORNING };
/** As large as an answer may be; whatever it comes with makes it too large. */
const FILLING = Buffer.alloc(32 * 1_048_576, ' ');

/** An EUID begins with the time of the receipt. */
function euidAt(time: number, count: number): string {
  const hex = time.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7433-b358-${count.toString(16).padStart(12, '0')}`;
}

type Register = {
  /** The `docId` of each document, by EUID. */
  readonly documents: ReadonlyMap<string, string>;
  /** The day's list does not fit into an answer. */
  readonly isListTooLong?: boolean;
  /** The authority needs too long for it. */
  readonly isListLate?: boolean;
  /** An answer has room for so many payloads. */
  readonly payloadsThatFit?: number;
  /** The authority has so many in time. */
  readonly payloadsInTime?: number;
  readonly leftOut?: string;
  /** No payload may be read. */
  readonly isWithoutRight?: boolean;
  /** What the list shows as the amount of each. */
  readonly amount?: unknown;
  /** What it shows as the number, by EUID, where that is in other letters. */
  readonly numbers?: ReadonlyMap<string, string>;
};

const LATE = { success: false, errorStatus: { errorCode: 'E4009', errorMessage: 'Async timeout' } };
const NO_RIGHT = { success: false, errorStatus: { errorCode: 'E1011', errorMessage: 'No privilege RD' } };

/** What every document is listed with. */
const ROW = { docNumber: '7', docDate: DAY, statusCode: '03' };
const AMOUNT: number = JSON.parse(DOCUMENT.text).document.docTotals.docFinalAmount;

type Members = { readonly euid?: string; readonly euids?: string[] };

const text = (docId: string) => JSON.stringify({ requestTimestamp: 'x', document: { header: { docId } } });

async function lookUp(
  t: TestContext,
  {
    documents,
    isListTooLong = false,
    isListLate = false,
    knownAs,
    ...register
  }: Register & { readonly knownAs?: string },
  sent = DOCUMENT,
) {
  const asked: string[] = [];
  const isTooLarge = (path: string, { euids = [] }: Members) =>
    (isListTooLong && path === '/invoices-status') || euids.length > (register.payloadsThatFit ?? euids.length);
  const rowOf = (euid: string) => ({
    ...ROW,
    docNumber: register.numbers?.get(euid) ?? ROW.docNumber,
    docFinalAmount: register.amount ?? AMOUNT,
    euid,
  });
  const answers: Readonly<Record<string, (members: Members) => object>> = {
    '/invoices-status': () => (isListLate ? LATE : { invoices: [...documents.keys()].map(rowOf) }),
    '/sales-invoice/ids': () => ({ euids: [...documents.keys()] }),
    '/sales-invoice/payload': ({ euid = '' }) =>
      register.isWithoutRight === true ? NO_RIGHT : { payload: text(documents.get(euid) ?? '') },
    '/sales-invoice/payload/list': ({ euids = [] }) => {
      if (euids.length > (register.payloadsInTime ?? euids.length)) return LATE;
      const given = euids.filter((euid) => euid !== register.leftOut);
      return { invoices: given.map((euid) => ({ euid, payload: text(documents.get(euid) ?? '') })) };
    },
  };
  const { client } = await clientOfCanned(t, (request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { jws } = JSON.parse(Buffer.concat(parts).toString()) as { readonly jws: string };
      const members = JSON.parse(Buffer.from(jws.split('.')[1] ?? '', 'base64url').toString()) as Members;
      const [path = '', answer] = Object.entries(answers).find(([end]) => request.url?.endsWith(end)) ?? [];
      asked.push(path);
      const body: CannedAnswer['body'] = JSON.stringify({ success: true, errorStatus: null, ...answer?.(members) });
      response.writeHead(200, { 'content-type': 'application/json' });
      if (isTooLarge(path, members)) response.write(FILLING);
      response.end(body);
    });
  });
  return { found: client.findRegistered(ALFA_TENANT, sent, knownAs), asked };
}

function othersOf(count: number): Map<string, string> {
  return new Map(
    Array.from({ length: count }, (_, index) => [euidAt(MORNING - 60_000 * index, index), `other-${index}`]),
  );
}

const OURS = euidAt(MORNING + 500, 4_095);

test('a document is found among very many with its number and date, and is missing only where none of them is it', async (t) => {
  const documents = othersOf(250);
  const missing = await lookUp(t, { documents });
  assert.equal(await missing.found, null);
  const { found, asked } = await lookUp(t, { documents: documents.set(OURS, 'ours') });
  assert.deepEqual([(await found)?.euid, (await found)?.status.code], [OURS, '03']);
  assert.equal((await found)?.isStatusUnread, undefined);
  assert.deepEqual(asked, ['/invoices-status', '/sales-invoice/payload/list'], 'the nearest in time are read first');
});

test('a document is found on a day whose list does not fit into an answer, or does not come in time', async (t) => {
  for (const list of [{ isListTooLong: true }, { isListLate: true }]) {
    const documents = othersOf(250);
    const missing = await lookUp(t, { documents, ...list });
    assert.equal(await missing.found, null);
    const { found, asked } = await lookUp(t, { documents: documents.set(OURS, 'ours'), ...list });
    const registration = await found;
    assert.deepEqual([registration?.euid, registration?.status.code, registration?.isStatusUnread], [OURS, '01', true]);
    assert.equal(registration?.registeredAt, new Date(MORNING + 500).toISOString());
    assert.deepEqual(asked, ['/invoices-status', '/sales-invoice/ids', '/sales-invoice/payload/list']);
  }
});

test('a document that is what it is known to be costs one payload, and no list of its day', async (t) => {
  const documents = othersOf(3).set(OURS, 'ours');
  const known = await lookUp(t, { documents, knownAs: OURS });
  assert.equal((await known.found)?.euid, OURS);
  assert.deepEqual(known.asked, ['/sales-invoice/payload']);
  for (const knownAs of [euidAt(MORNING, 0), euidAt(MORNING, 77)]) {
    const mistaken = await lookUp(t, { documents, knownAs });
    assert.equal((await mistaken.found)?.euid, OURS);
  }
});

test('without the right to read payloads, looking up what a document is known to be costs one request, and no list of its day', async (t) => {
  const documents = othersOf(3).set(OURS, 'ours');
  const withoutRight = await lookUp(t, { documents, knownAs: OURS, isWithoutRight: true });
  assert.equal(await callErrorKindOf(withoutRight.found), 'refused, certain');
  assert.deepEqual(withoutRight.asked, ['/sales-invoice/payload']);
});

test('payloads that do not fit into an answer together, or do not come in time, are asked for in smaller numbers', async (t) => {
  for (const most of [{ payloadsThatFit: 10 }, { payloadsInTime: 10 }]) {
    const documents = othersOf(30).set(OURS, 'ours');
    const { found } = await lookUp(t, { documents, ...most });
    assert.equal((await found)?.euid, OURS);
    const missing = await lookUp(t, { documents: othersOf(30), ...most });
    assert.equal(await missing.found, null);
  }
});

test('a payload that an answer leaves out is asked for by itself, and an unreadable one makes nothing look unregistered', async (t) => {
  const documents = othersOf(30).set(OURS, 'ours');
  const { found } = await lookUp(t, { documents, leftOut: OURS });
  assert.equal((await found)?.euid, OURS);
  const unreadable = await lookUp(t, { documents: othersOf(30).set('no EUID', 'ours'), isListTooLong: true });
  assert.equal(await callErrorKindOf(unreadable.found), 'error, uncertain');
});

test('where no payload may be read, the only one with its number, date and amount is presumed to be it', async (t) => {
  const presumed = await (await lookUp(t, { documents: new Map([[OURS, 'other']]), isWithoutRight: true })).found;
  assert.deepEqual([presumed?.euid, presumed?.isPresumed], [OURS, true]);
  const certain = await (await lookUp(t, { documents: new Map([[OURS, 'ours']]) })).found;
  assert.deepEqual([certain?.euid, certain?.isPresumed], [OURS, undefined]);
  const shared = { ...DOCUMENT, isNumberShared: async () => true };
  const undecided = await lookUp(t, { documents: new Map([[OURS, 'other']]), isWithoutRight: true }, shared);
  assert.equal(await callErrorKindOf(undecided.found), 'request-refused, certain');
  const read = await (await lookUp(t, { documents: new Map([[OURS, 'ours']]) }, shared)).found;
  assert.equal(read?.euid, OURS);
});

test('without a readable amount nothing is presumed, neither that it is the one that was sent nor that it is not', async (t) => {
  const withAmount = (amount: unknown) =>
    lookUp(t, { documents: new Map([[OURS, 'other']]), isWithoutRight: true, amount });
  for (const amount of ['', '1.180,00', '1,180.00', {}, 'NaN']) {
    const { found } = await withAmount(amount);
    assert.equal(await callErrorKindOf(found), 'request-refused, certain', JSON.stringify(amount));
  }
  for (const amount of [`${AMOUNT}`, ` ${AMOUNT}.00 `])
    assert.equal((await (await withAmount(amount)).found)?.euid, OURS);
  for (const amount of [AMOUNT + 1, `${AMOUNT + 1}`, 0]) assert.equal(await (await withAmount(amount)).found, null);
});

test('another amount shows no absence while the list has the number in other letters as well', async (t) => {
  const documents = new Map([
    [OURS, 'ours'],
    [euidAt(MORNING, 1), 'other'],
  ]);
  const numbers = new Map([[OURS, '７']]);
  const { found } = await lookUp(t, { documents, numbers, isWithoutRight: true, amount: AMOUNT + 1 });
  assert.equal(await callErrorKindOf(found), 'request-refused, certain');
});
