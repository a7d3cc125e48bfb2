import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Authority, alfa, beta, errorOf, type Signer, startAuthority } from './authority-client.ts';
import { altered, type Json, sampleDocument } from './sample-document.ts';

const COMMON = ['success', 'createdDate', 'errorStatus'];
const STATUS_ROW = [
  ...['euid', 'statusCode', 'statusName', 'docNumber', 'docDate', 'docDeliveryDate', 'docNetAmount', 'docVatAmount'],
  ...['docGrossAmountR', 'docAvansAmount', 'docFinalAmount', 'sellerTin', 'buyerTin', 'senderTin', 'receiverTin'],
];
const HISTORY_ROW = [
  ...['id', 'euid', 'oldStatus', 'newStatus', 'timestamp', 'userId', 'comment', 'version', 'lastModified'],
  ...['cancelComment', 'voidComment'],
];
const CHANGE_ROW = [
  ...['euid', 'oldStatus', 'newStatus', 'timestamp', 'comment', 'cancelComment', 'voidComment', 'voidReasonCode'],
  ...['voidReason', 'rejectReasonCode', 'rejectReason'],
];
const NOVEMBER = { dateFrom: '2026-11-01', dateTo: '2026-11-30' };

const SIDES: readonly (readonly [string, Signer])[] = [
  ['sales-invoice', alfa],
  ['purchase-invoice', beta],
];

for (const [side, signer] of SIDES) {
  describe(`${side} services`, () => {
    let authority: Authority;
    let euid: string;
    const document = sampleDocument({ docNumber: 'first', docId: 'first' });

    before(async () => {
      authority = await startAuthority(null);
      const { body } = await authority.send(altered(document, { 'header.docDeliveryDate': '2026-11-09' }));
      euid = String(body['euid']);
      await authority.registered({ docNumber: 'october', docDate: '2026-10-31' });
    });
    after(() => authority.simulator.close());

    const ask = async (service: string, payload: Json) => {
      const answer = await authority.ask(`${side}/${service}`, payload, signer);
      assert.equal(answer['success'], true, JSON.stringify(answer));
      assert.deepEqual([answer['createdDate'], answer['errorStatus']], ['2026-11-15T10:00:00', null]);
      return answer;
    };
    const errorCode = async (service: string, payload: Json, as: Signer = signer) =>
      errorOf(await authority.ask(`${side}/${service}`, payload, as));

    test('current-status gives number, dates, amounts, parties and status', async () => {
      const answer = await ask('current-status', { euid });
      assert.deepEqual(Object.keys(answer), [...COMMON, 'docStatus']);
      assert.deepEqual(Object.keys(answer['docStatus'] as Json), STATUS_ROW);
      assert.deepEqual(answer['docStatus'], {
        euid,
        statusCode: '01',
        statusName: 'Испратена (Нова)',
        docNumber: 'first',
        docDate: '2026-11-10',
        docDeliveryDate: '2026-11-09',
        docNetAmount: 2000,
        docVatAmount: 360,
        docGrossAmountR: 2360,
        docAvansAmount: 0,
        docFinalAmount: 2360,
        sellerTin: '4030026000018',
        buyerTin: '4080026000023',
        senderTin: '',
        receiverTin: '',
      });
    });

    test('status gives the history, all of it or from a moment on', async () => {
      const { statusHistory } = await ask('status', { euid, dateFrom: '2026-11-15T10:00:00' });
      const [row, ...more] = statusHistory as readonly Json[];
      assert.deepEqual([more.length, Object.keys(row ?? {})], [0, HISTORY_ROW]);
      assert.deepEqual(
        [row?.['oldStatus'], row?.['newStatus'], row?.['timestamp'], row?.['userId']],
        [{ code: '00', name: 'Нацрт' }, { code: '01', name: 'Испратена (Нова)' }, '2026-11-15T10:00:00', 'demo-alfa'],
      );
      const later = await ask('status', { euid, dateFrom: '2026-11-15T10:00:01' });
      assert.deepEqual(later['statusHistory'], []);
      assert.equal(((await ask('status', { euid }))['statusHistory'] as readonly Json[]).length, 1);
      assert.equal(await errorCode('status', { euid, dateFrom: 'yesterday' }), 'E4010');
    });

    test('invoices-status and ids select by the date of the document, not by the time of registration', async () => {
      const { invoices } = await ask('invoices-status', NOVEMBER);
      assert.deepEqual(
        (invoices as readonly Json[]).map(({ docNumber }) => docNumber),
        ['first'],
      );
      for (const row of invoices as readonly Json[]) assert.deepEqual(Object.keys(row), STATUS_ROW);
      assert.deepEqual((await ask('ids', NOVEMBER))['euids'], [euid]);
      const both = await ask('invoices-status', { dateFrom: '2026-10-31', dateTo: '2026-11-10' });
      assert.equal((both['invoices'] as readonly Json[]).length, 2);
      const none = await ask('ids', { dateFrom: '2026-11-11', dateTo: '2026-11-15' });
      assert.deepEqual(none['euids'], []);
    });

    test('changes gives the status changes of a day, given as a date or as a date and time', async () => {
      for (const date of ['2026-11-15', '2026-11-15T12:00:00']) {
        const { statusHistory } = await ask('changes', { date });
        const rows = statusHistory as readonly Json[];
        assert.equal(rows.length, 2);
        for (const row of rows) assert.deepEqual(Object.keys(row), CHANGE_ROW);
      }
      assert.deepEqual((await ask('changes', { date: '2026-11-14' }))['statusHistory'], []);
      assert.equal(await errorCode('changes', { date: '15.11.2026' }), 'E4010');
    });

    test('payload gives the signed text of one document, of several, or of a range of dates', async () => {
      const { payload } = await ask('payload', { euid });
      const signed = JSON.parse(String(payload)) as Json;
      assert.deepEqual(Object.keys(signed), ['requestTimestamp', 'document']);
      assert.deepEqual(signed['document'], altered(document, { 'header.docDeliveryDate': '2026-11-09' }));
      assert.ok(String(payload).includes('АЛФА ДОО Скопје'));
      const listed = await ask('payload/list', { euids: [euid, 'no-such-euid'] });
      assert.deepEqual(listed['invoices'], [{ euid, payload }]);
      const ranged = await ask('payload/date-range', NOVEMBER);
      assert.deepEqual(ranged['invoices'], [{ euid, payload }]);
    });

    test('an identifier that is missing, of the wrong type or unknown is refused', async () => {
      assert.equal(await errorCode('current-status', {}), 'E4011');
      assert.equal(await errorCode('current-status', { euid: null }), 'E4011');
      assert.equal(await errorCode('current-status', { euid: 7 }), 'E4010');
      assert.equal(await errorCode('current-status', { euid: 'x' }), 'E1018');
      assert.equal(await errorCode('status', { euid: 'x' }), 'E1015');
      assert.equal(await errorCode('pdf', { euid: 'x' }), 'E4008');
      assert.equal(await errorCode('payload', { euid: 'x' }), 'E4008');
      assert.equal(await errorCode('payload/list', { euids: [] }), 'E4011');
      const answer = await authority.ask(`${side}/current-status`, {}, signer);
      assert.match(String((answer['errorStatus'] as Json)['errorMessage']), /^Euid must not be null/u);
    });

    test('the other party does not find the document on this side', async () => {
      const other = signer === alfa ? beta : alfa;
      assert.equal(await errorCode('current-status', { euid }, other), 'E1018');
      assert.equal(await errorCode('payload', { euid }, other), 'E4008');
      const { invoices } = await authority.ask(`${side}/invoices-status`, NOVEMBER, other);
      assert.deepEqual(invoices, []);
      const listed = await authority.ask(`${side}/payload/list`, { euids: [euid] }, other);
      assert.deepEqual(listed['invoices'], []);
    });

    test('a range longer than one month is E4014', async () => {
      const wide = { dateFrom: '2026-10-15', dateTo: '2026-11-16' };
      for (const service of ['ids', 'invoices-status', 'payload/date-range']) {
        assert.equal(await errorCode(service, wide), 'E4014', service);
        await ask(service, { dateFrom: '2026-10-15', dateTo: '2026-11-15' });
      }
      const answer = await authority.ask(`${side}/ids`, wide, signer);
      assert.equal((answer['errorStatus'] as Json)['errorMessage'], 'Дозволениот временски опсег е 1 месец');
    });

    test('a range of one month may end on the last day of a shorter month', async () => {
      await ask('ids', { dateFrom: '2026-01-31', dateTo: '2026-02-28' });
      assert.equal(await errorCode('ids', { dateFrom: '2026-01-31', dateTo: '2026-03-01' }), 'E4014');
      await ask('ids', { dateFrom: '2028-01-30', dateTo: '2028-02-29' });
      await ask('ids', { dateFrom: '2026-12-15', dateTo: '2027-01-15' });
    });

    test('a range that is missing, unreadable or ends before it begins is refused', async () => {
      assert.equal(await errorCode('ids', { dateFrom: '2026-11-01' }), 'E4011');
      assert.equal(await errorCode('ids', { dateFrom: 'x', dateTo: '2026-11-01' }), 'E4010');
      assert.equal(await errorCode('ids', { dateFrom: '2026-02-30', dateTo: '2026-03-01' }), 'E4010');
      assert.equal(await errorCode('ids', { dateFrom: '2026-11-02', dateTo: '2026-11-01' }), 'E4000');
    });
  });
}
