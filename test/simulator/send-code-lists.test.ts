import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Authority, sendAltered, startAuthority } from './authority-client.ts';
import { type SampleLine, sampleDocument } from './sample-document.ts';

const REVERSE_CHARGE: SampleLine = {
  quantity: 1,
  price: 100,
  group: 'DDV-A',
  indicator: 'DDV-11-A',
  note: 'Пренесување на даночна обврска согласно член 32-а од ЗДДВ',
  impact: 'PRENESEN',
};

/** With an indicator that has been in force longer than the others. */
const EXEMPT: SampleLine = {
  quantity: 1,
  price: 100,
  group: 'DDV-G',
  impact: 'OSLOBODEN',
  note: 'ДДВ не е пресметан согласно член 51 став 3 од ЗДДВ',
};

describe('code lists, payment and dates of a document', () => {
  let authority: Authority;
  before(async () => {
    authority = await startAuthority(null);
  });
  after(() => authority.simulator.close());

  const { codeWith, accepted } = sendAltered(() => authority);

  test('a document type that is unknown, withdrawn, not valid yet or under another name is E1017', async () => {
    assert.equal(await codeWith({ 'header.docType': '777' }), 'E1017');
    for (const docType of ['998', '999']) assert.equal(await codeWith({ 'header.docType': docType }), 'E1017');
    assert.equal(await codeWith({ 'header.docTypeName': 'Општа Фактура' }), 'E1017');
  });

  test('codes must be in force on the date of the document', async () => {
    const old = { docDate: '2025-12-20', lines: [EXEMPT] };
    assert.deepEqual(await authority.errorCodesOf(sampleDocument({ docDate: '2025-12-20' })), [
      'E1017',
      'E1009',
      'E50074',
    ]);
    const { body } = await authority.send(sampleDocument({ ...old, header: { docTypeName: 'Општа Фактура' } }));
    assert.equal(body['code'], 'E50074', 'the payment types are newer');
    await accepted({}, { ...old, docDate: '2025-12-26', header: { docTypeName: 'Општа Фактура' } });
    await accepted({}, { ...old, docDate: '2025-12-29' });
  });

  test('every document type in force is accepted', async () => {
    const types = {
      110: 'Книжно одобрение',
      120: 'Книжно задолжение',
      130: 'Авансна фактура',
      150: 'Времена ситуација',
      160: 'Фактура/Испратница',
      170: 'Фактура кон физичко лице',
    };
    for (const [docType, docTypeName] of Object.entries(types))
      await accepted({}, { header: { docType, docTypeName } });
  });

  test('a tax group that is unknown, withdrawn or has another rate is E1004', async () => {
    for (const group of ['DDV-X', 'VAT18', 'DDV-А']) {
      assert.equal(await codeWith({ 'docItems.0.docItemVatGroup': group }), 'E1004', group);
    }
    assert.equal(await codeWith({ 'docItems.0.docItemVat': 5 }), 'E1004');
  });

  test('a tax indicator that is unknown, withdrawn, of another group or not for this type is E1009', async () => {
    for (const indicator of ['DDV-X', 'ДДВ 18', 'DDV-B', 'DDV-11-V', 'DDV-PNPI-A']) {
      assert.equal(await codeWith({ 'docItems.0.docItemTaxIndicator': indicator }), 'E1009', indicator);
    }
    assert.equal(await codeWith({ 'docItems.0.docItemTaxIndicator': 'DDV-12-4' }), 'E1009', 'received supplies');
    const toPerson = { docType: '170', docTypeName: 'Фактура кон физичко лице' };
    await accepted({}, { lines: [REVERSE_CHARGE] });
    assert.equal(await codeWith({}, { lines: [REVERSE_CHARGE], header: toPerson }), 'E1009');
  });

  test('an indicator with a Cyrillic letter is not found by the Latin letter', async () => {
    const headers = { 'X-EUJP-ID': 'demo-alfa', 'X-EDB': '4030026000018' };
    const response = await fetch(`${authority.simulator.url}/api/v1/tax-indicators`, { headers });
    const { taxIndicators } = (await response.json()) as { readonly taxIndicators: readonly Record<string, string>[] };
    const indicator = 'DDV-PNPI-А';
    const note = taxIndicators.find(({ code }) => code === indicator)?.['note'] ?? '';
    await accepted({}, { lines: [{ quantity: 1, price: 100, indicator, note }] });
    const latin = indicator.replace('А', 'A');
    assert.equal(await codeWith({ 'docItems.0.docItemTaxIndicator': latin }), 'E1009');
  });

  test('a note that is not the one of the indicator is E1032', async () => {
    assert.equal(await codeWith({ 'vatTotals.0.vatTaxIndicatorNote': 'ДДВ 18%' }), 'E1032');
    assert.equal(await codeWith({ 'vatTotals.0.vatTaxIndicatorNote': null }, { lines: [REVERSE_CHARGE] }), 'E1032');
    for (const empty of ['', null, undefined]) await accepted({ 'vatTotals.0.vatTaxIndicatorNote': empty });
  });

  test('payment types: E50074 if unknown or withdrawn, E50075 if under another name', async () => {
    for (const code of ['P99', '1020', 'Р12']) {
      assert.equal(await codeWith({ 'docPayment.docPaymentTypeCode': code }), code === '1020' ? 'E4013' : 'E50074');
    }
    assert.equal(await codeWith({ 'docPayment.docPaymentTypeDesc': 'Банка' }), 'E50075');
  });

  test('currencies: E50076 if unknown, E50077 if under another name, E5007 for an impossible rate', async () => {
    assert.equal(await codeWith({ 'docPayment.docCurrencyCode': 'XXX' }), 'E50076');
    assert.equal(await codeWith({ 'docPayment.docCurrency': 'EUR' }), 'E50077');
    assert.equal(await codeWith({ 'docPayment.docCurrencyExchRate': 61.695 }), 'E5007');
    const euro = { 'docPayment.docCurrency': 'EUR', 'docPayment.docCurrencyCode': 'EUR' };
    assert.equal(await codeWith({ ...euro, 'docPayment.docCurrencyExchRate': 0 }), 'E5007');
    await accepted({ ...euro, 'docPayment.docCurrencyExchRate': 61.695 });
  });

  test('the date of the exchange rate is mandatory, and not after that of the document: E5007', async () => {
    for (const missing of [null, undefined]) {
      assert.equal(await codeWith({ 'docPayment.docCurrencyDate': missing }), 'E4019');
    }
    assert.equal(await codeWith({ 'docPayment.docCurrencyDate': '2026-11-11' }), 'E5007');
    await accepted({ 'docPayment.docCurrencyDate': '2026-11-09' });
  });

  test('dates after that of the document: E50071 for delivery, E50072 for turnover, E50073 for a reference', async () => {
    const later = '2026-11-11';
    assert.equal(await codeWith({ 'header.docDeliveryDate': later }), 'E50071');
    assert.equal(await codeWith({ 'header.docTurnoverDate': later }), 'E50072');
    const reference = { docTypeRef: 'NAR', docNameRef: 'Нарачка', docDateRef: later, docNumberRef: '17' };
    assert.equal(await codeWith({ docReferences: [reference] }), 'E50073');
    const sameDay = '2026-11-10';
    await accepted({ 'header.docDeliveryDate': sameDay, 'header.docTurnoverDate': sameDay });
    assert.equal(await codeWith({ docReferences: [{ ...reference, docDateRef: sameDay }] }), 'E50073', 'must precede');
    await accepted({ docReferences: [{ ...reference, docDateRef: '2026-11-09' }] });
  });
});
