import assert from 'node:assert/strict';
import { test } from 'node:test';
import { convert } from '../../../../src/adapters/ujp/conversion/convert.ts';
import type { UjpPayload } from '../../../../src/adapters/ujp/conversion/payload.ts';
import { documentId } from '../../../../src/adapters/ujp/preparation/document-id.ts';
import type { LookedUpDocument, UnderNumber } from '../../../../src/adapters/ujp/services/authority-queries.ts';
import { prepareVoid } from '../../../../src/adapters/ujp/voiding/prepare-void.ts';
import { NoRoomForAnswer } from '../../../../src/application/errors/authority-answers.ts';
import { AuthorityCallError, type CallErrorKind } from '../../../../src/application/ports/authority.ts';
import { inEnglish } from '../../../../src/domain/messages/render.ts';
import { docUidOf } from '../../../support/doc-uid.ts';
import { clockAt } from '../../../support/test-clock.ts';
import { LISTS } from '../conversion/authority-lists.ts';
import { allowance, CONTEXT, invoice, line } from '../conversion/sample-content.ts';
import { ALFA_TENANT, callErrorOf } from '../services/client.ts';

const UID = docUidOf('01a1ddc0-3b8b-7df6-a9f7-802f112fe389');
const EUID = '019b8d43-7840-7433-b358-08891b53605c';
const REASON = { code: 'S-1', name: 'Погрешен купувач', comment: null };

function original(number = 'F-1'): UjpPayload {
  const conversion = convert(invoice({ number, lines: [line(), line()] }), CONTEXT);
  if (conversion.outcome === 'failed') assert.fail(conversion.message);
  return conversion.payload;
}

function withHeader(header: Readonly<Record<string, unknown>>): string {
  const { document, ...rest } = original();
  return JSON.stringify({ ...rest, document: { ...document, header: { ...document.header, ...header } } });
}

const withDocId = (docId: string | null) => withHeader({ docId });

const NOTHING = { registration: null, isNumberTaken: false };

function prepare(
  sent: string | null,
  kept: string | AuthorityCallError = '',
  referenceTypes = LISTS.referenceTypes,
  register: UnderNumber = NOTHING,
) {
  const asked: string[] = [];
  const shared: (boolean | undefined)[] = [];
  const queries = {
    async registeredPayload(_: unknown, euid: string) {
      asked.push(euid);
      if (kept instanceof AuthorityCallError) throw kept;
      return kept;
    },
    async registeredUnderNumber(_: unknown, { isNumberShared }: LookedUpDocument) {
      shared.push(await isNumberShared?.(EUID));
      return register;
    },
  };
  const lists = async () => ({ entries: referenceTypes, readAt: 0 });
  const voiding = prepareVoid({ queries, lists, clock: clockAt() });
  const isNumberShared = async (docNumber: string) => docNumber === 'F-1-ST';
  return {
    asked,
    shared,
    prepared: voiding(ALFA_TENANT, { docUid: UID, euid: EUID, sent, reason: REASON, isNumberShared }),
  };
}

async function whyNot(...[sent, kept, types]: Parameters<typeof prepare>): Promise<string> {
  const prepared = await prepare(sent, kept, types).prepared;
  return prepared.outcome === 'failed' ? inEnglish(prepared.reason) : assert.fail('it was prepared');
}

async function textOf(sent: UjpPayload) {
  const prepared = await prepare(JSON.stringify(sent)).prepared;
  if (prepared.outcome !== 'prepared') assert.fail(JSON.stringify(prepared));
  return { ...prepared.document, payload: JSON.parse(prepared.document.text) as UjpPayload & { voidReason: unknown } };
}

test('the register is told whether another void of the number has no known outcome', async () => {
  for (const [number, isShared] of [
    ['F-1', true],
    ['F-2', false],
  ] as const) {
    const { prepared, shared } = prepare(JSON.stringify(original(number)));
    await prepared;
    assert.deepEqual(shared, [isShared]);
  }
});

test('a void repeats the document; quantities and totals are negative, unit prices and rates are not', async () => {
  const sent = original();
  const { payload } = await textOf(sent);
  const { header, docItems, docTotals, vatTotals, docReferences, ...same } = payload.document;
  const { header: h, docItems: items, docTotals: totals, vatTotals: vat, docReferences: _, ...others } = sent.document;
  assert.deepEqual(same, others);
  assert.deepEqual(
    { ...header, docNumber: '', docId: '', docStorno: 0 },
    { ...h, docNumber: '', docId: '', docStorno: 0 },
  );
  assert.equal(Number(header.docStorno), 1);
  for (const [index, item] of docItems.entries()) {
    const before = items[index] ?? assert.fail('no such item');
    assert.equal(item.docItemQty, -before.docItemQty);
    assert.equal(item.docItemTotalPriceWVat, -before.docItemTotalPriceWVat);
    assert.equal(item.docItemUnitPriceWoVat, before.docItemUnitPriceWoVat);
    assert.deepEqual([item.docItemUnitVat, item.docItemVat], [before.docItemUnitVat, before.docItemVat]);
  }
  assert.deepEqual([docTotals.docFinalAmount, docTotals.docAvansAmount], [-totals.docFinalAmount, 0]);
  assert.deepEqual(
    vatTotals.map(({ vatTotalAmount, vatPercent }) => [vatTotalAmount, vatPercent]),
    vat.map(({ vatTotalAmount, vatPercent }) => [-vatTotalAmount, vatPercent]),
  );
  assert.deepEqual(
    docReferences.map(({ docTypeRef, docDateRef, docNumberRef }) => [docTypeRef, docDateRef, docNumberRef]),
    [['ST', h.docDate, EUID]],
  );
  assert.deepEqual(payload.voidReason, { voidCode: 'S-1', voidReason: 'Погрешен купувач', voidComment: null });
});

test('a void writes tiny unit amounts as the document did, without exponents', async () => {
  const lines = [line({ count: '100000', allowanceCharges: [allowance('0.01')] })];
  const conversion = convert(invoice({ lines }), CONTEXT);
  if (conversion.outcome === 'failed') assert.fail(conversion.message);
  const { text } = await textOf(conversion.payload);
  assert.match(text, /"docItemUnitDiscountAmount":0\.0000001,/u);
});

test('its identifier is its own and always the same; its number shows whose void it is, where that fits', async () => {
  const [one, again] = [await textOf(original()), await textOf(original())];
  assert.deepEqual([one.docId, one.docNumber, one.text], [again.docId, 'F-1-ST', again.text]);
  assert.equal(one.docId, documentId(ALFA_TENANT.edb, UID, 'void'));
  assert.notEqual(one.docId, documentId(ALFA_TENANT.edb, UID));
  const long = await textOf(original('F'.repeat(18)));
  assert.equal(long.docNumber, long.docId);
});

test('what was sent is taken from the authority only where it is not kept, and said to be unreadable where it is', async () => {
  const kept = JSON.stringify(original());
  const ours = prepare(kept);
  assert.equal((await ours.prepared).outcome, 'prepared');
  assert.deepEqual(ours.asked, [EUID], 'to compare');
  const theirs = prepare(null, withDocId(documentId(ALFA_TENANT.edb, UID)));
  assert.equal((await theirs.prepared).outcome, 'prepared');
  assert.deepEqual(theirs.asked, [EUID]);
  for (const text of ['', 'no JSON', '{}', '{"document":{"header":{}}}']) {
    assert.match(await whyNot(null, text), /cannot be read/u);
  }
  const deep = `${'['.repeat(20_000)}1${']'.repeat(20_000)}`;
  const nested = withHeader({ docId: documentId(ALFA_TENANT.edb, UID), docIndicator: 'DEEP' }).replace('"DEEP"', deep);
  assert.match(await whyNot(null, nested), /cannot be read/u);
  assert.match(await whyNot(kept, '', []), /no reference type for a void/u);
});

test('no other document is voided because the EUID on record is its own: what the authority has under it is compared', async () => {
  for (const sent of [null, JSON.stringify(original())]) {
    const error = await callErrorOf(prepare(sent, withDocId('another')).prepared);
    assert.match(error.message, new RegExp(`another document than ${EUID}`, 'u'));
    assert.deepEqual([error.kind, error.isUncertain], ['error', true]);
    assert.match(error.reason === null ? '' : inEnglish(error.reason), /has the EUID of another one/u);
  }
});

test('a copy that states no docId, or one of another form, is compared by whatever else it says', async () => {
  const sent = JSON.stringify(original());
  for (const header of [
    { docId: 7 },
    { docId: '' },
    { docId: null, docNumber: 'F-2' },
    { docId: undefined, docNumber: 'F-2' },
    { docId: null, docDate: '2026-01-05' },
  ]) {
    const error = await callErrorOf(prepare(sent, withHeader(header)).prepared);
    assert.match(error.message, /another document/u, JSON.stringify(header));
  }
  const { document, ...rest } = original();
  const header = { ...document.header, docId: null };
  const seller = { ...document.seller, sellerTin: '4080026000023' };
  const ofAnother = JSON.stringify({ ...rest, document: { ...document, header, seller } });
  assert.match((await callErrorOf(prepare(sent, ofAnother).prepared)).message, /another document/u);
  assert.equal((await prepare(sent, withHeader({ docId: null, docNumber: ' F-1 ' })).prepared).outcome, 'prepared');
});

test('a copy that lacks what a void needs still shows that it is that of another document', async () => {
  const sent = JSON.stringify(original());
  const without = (member: string, header: object) => {
    const { document } = JSON.parse(withHeader({ ...header })) as UjpPayload;
    return JSON.stringify({ document: { ...document, [member]: null } });
  };
  for (const member of ['docItems', 'docTotals', 'vatTotals']) {
    for (const header of [{ docId: 'another' }, { docId: null, docNumber: 'F-2' }]) {
      const error = await callErrorOf(prepare(sent, without(member, header)).prepared);
      assert.match(error.message, /another document/u, member);
    }
    const own = without(member, { docId: documentId(ALFA_TENANT.edb, UID) });
    assert.equal((await prepare(sent, own).prepared).outcome, 'prepared');
    assert.match(await whyNot(null, own), /cannot be read/u);
  }
  const seller = { sellerTin: '4080026000023' };
  const ofAnother = JSON.stringify({ document: { header: null, seller } });
  assert.match((await callErrorOf(prepare(sent, ofAnother).prepared)).message, /another document/u);
});

test('a copy that may not or cannot be read keeps no void back where what was sent is kept', async () => {
  const failing = (kind: CallErrorKind) => new AuthorityCallError('no copy', { kind });
  const sent = JSON.stringify(original());
  for (const copy of [
    failing('refused'),
    failing('request-refused'),
    failing('error'),
    'no JSON',
    '{}',
    withDocId(null),
  ]) {
    assert.equal((await prepare(sent, copy).prepared).outcome, 'prepared');
  }
  for (const kind of ['timeout', 'unreachable', 'busy'] as const) {
    assert.equal((await callErrorOf(prepare(sent, failing(kind)).prepared)).kind, kind);
  }
  const noRoom = new NoRoomForAnswer('no room', { kind: 'error' });
  assert.equal(await callErrorOf(prepare(sent, noRoom).prepared), noRoom, 'it may show another document');
  assert.equal((await callErrorOf(prepare(null, failing('refused')).prepared)).kind, 'refused');
  assert.match(await whyNot(null, withDocId(null)), /cannot be read/u, 'nothing says whose it is');
});

test('a void is not voided', async () => {
  const { document } = original();
  const ofVoid = JSON.stringify({ document: { ...document, header: { ...document.header, docStorno: 1 } } });
  assert.match(await whyNot(ofVoid), /A void cannot be voided/u);
});

test('the register is asked first: a void that is there is not sent, and a number that another document has is not used', async () => {
  const kept = JSON.stringify(original());
  const registration = {
    ...{ euid: EUID, qrLink: null, registeredAt: null, message: null, answer: null },
    status: { code: '01', name: null },
  };
  const there = await prepare(kept, '', undefined, { registration, isNumberTaken: true }).prepared;
  const taken = await prepare(kept, '', undefined, { registration: null, isNumberTaken: true }).prepared;
  assert.ok(taken.outcome === 'prepared');
  assert.equal(taken.document.docNumber, taken.document.docId);
  assert.equal((JSON.parse(taken.document.text) as UjpPayload).document.header.docNumber, taken.document.docId);
  assert.deepEqual(there, { outcome: 'registered', registration, document: taken.document });
});
