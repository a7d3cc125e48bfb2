import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Authority, alfa, compactJwsOf, startAuthority } from './authority-client.ts';
import { altered, type Json, sampleDocument } from './sample-document.ts';

describe('structure of a document', () => {
  let authority: Authority;
  before(async () => {
    authority = await startAuthority(null);
  });
  after(() => authority.simulator.close());

  const codeWith = (changes: Readonly<Record<string, unknown>>, document = sampleDocument()) =>
    authority.refused(altered(document, changes));

  test('a mandatory member that is absent, null or blank is E4019', async () => {
    const mandatory = {
      header: ['docStorno', 'docTypeName', 'docDate', 'docTurnoverDate', 'docNumber', 'docId'],
      seller: ['sellerCCode', 'sellerCName', 'sellerName', 'sellerAddress'],
      'seller.sellerAddress': ['streetAddress', 'streetNumber', 'postalCode', 'city'],
      buyer: ['buyerCCode', 'buyerCName', 'buyerName'],
      'buyer.buyerAddress': ['streetAddress', 'streetNumber', 'postalCode', 'city'],
      docPayment: [
        'docPaymentTypeCode',
        'docPaymentTypeDesc',
        'docCurrency',
        'docCurrencyCode',
        'docCurrencyDate',
        'docCurrencyExchRate',
      ],
      'docItems.0': [
        ...['docItemLineNo', 'docItemDesc', 'docItemMUnit', 'docItemQty', 'docItemUnitOriginalPriceWoVat'],
        ...['docItemUnitDiscountAmount', 'docItemUnitPriceWoVat', 'docItemUnitVat', 'docItemVat', 'docItemVatGroup'],
        ...['docItemTotalOriginalPriceWoVat', 'docItemTotalPriceWoVat', 'docItemTotalVat', 'docItemTotalPriceWVat'],
        'docItemTaxIndicator',
      ],
      docTotals: [
        ...['docNetAmount', 'docDiscountAmount', 'docNetAmountDisc', 'docVatAmount', 'docGrossAmount'],
        ...['docGrossAmountR', 'docFinalAmount'],
      ],
      'vatTotals.0': ['vatTaxIndicator', 'vatCode', 'vatPercent', 'vatTaxableAmount', 'vatAmount', 'vatTotalAmount'],
    };
    for (const [part, members] of Object.entries(mandatory)) {
      for (const member of members) {
        assert.equal(await codeWith({ [`${part}.${member}`]: undefined }), 'E4019', `${part}.${member}`);
      }
    }
    assert.equal(await codeWith({ 'header.docNumber': null }), 'E4019');
    assert.equal(await codeWith({ 'header.docNumber': '  ' }), 'E4019');
    assert.equal(
      (await authority.send(altered(sampleDocument(), { 'header.docType': undefined }))).body['code'],
      'E4019',
    );
  });

  test('every part of the document except the references is mandatory', async () => {
    for (const part of ['header', 'seller', 'buyer', 'docPayment', 'docItems', 'docTotals', 'vatTotals']) {
      assert.equal(await codeWith({ [part]: undefined }), 'E4019', part);
    }
    for (const docReferences of [undefined, null, []]) {
      assert.equal((await authority.send(altered(sampleDocument(), { docReferences }))).status, 200);
    }
  });

  test('a document without items or VAT rows is E4019', async () => {
    const { body } = await authority.send(altered(sampleDocument(), { docItems: [], vatTotals: [] }));
    assert.deepEqual(
      (body['errors'] as readonly Json[]).map(({ code, parameter }) => [code, parameter]),
      [
        ['E4019', 'document.docItems'],
        ['E4019', 'document.vatTotals'],
      ],
    );
  });

  test('a value of the wrong type is E4013', async () => {
    const wrong: readonly (readonly [string, unknown])[] = [
      ['header.docStorno', 3],
      ['header.docStorno', '0'],
      ['header.docDate', '10.11.2026'],
      ['header.docDate', '2026-02-30'],
      ['header.docNumber', 7],
      ['header.docPeriodStartDate', 'soon'],
      ['docPayment.docPaymentTypeDueDays', 1.5],
      ['docItems.0.docItemQty', '2'],
      ['docItems.0.docItemLineNo', 0],
      ['docItems', {}],
      ['docItems', ['item']],
      ['seller', []],
      ['docTotals.docFinalAmount', true],
    ];
    for (const [path, value] of wrong) assert.equal(await codeWith({ [path]: value }), 'E4013', path);
  });

  test('a text over the maximum length is E4013', async () => {
    const longest = { 'header.docNumber': 20, 'header.docId': 20, 'docItems.0.docItemDomesticProduct': 2 };
    for (const [path, length] of Object.entries(longest)) {
      assert.equal(await codeWith({ [path]: 'Ж'.repeat(length + 1) }), 'E4013', path);
      assert.equal((await authority.send(altered(sampleDocument(), { [path]: 'Ж'.repeat(length) }))).status, 200);
    }
    assert.equal(await codeWith({ 'buyer.buyerName': 'Б'.repeat(81) }), 'E4013');
    assert.equal(await codeWith({ 'buyer.buyerAddress.postalCode': '700000' }), 'E4013');
  });

  test('a number that is not in plain decimal notation is E4013', async () => {
    const quantity = (written: string) => ({
      jws: (jws: string) => {
        const payload = Buffer.from(jws.split('.')[1] ?? '', 'base64url').toString('utf8');
        const changed = payload.replace('"docItemQty":2,', `"docItemQty":${written},`);
        assert.notEqual(changed, payload.replace('"docItemQty":2,', ''));
        return compactJwsOf(changed, alfa);
      },
    });
    for (const written of ['2.0', '2.000']) {
      assert.equal((await authority.send(sampleDocument(), quantity(written))).status, 200, written);
    }
    for (const written of ['2e0', '0.2E+1', `2.${'0'.repeat(50)}`]) {
      assert.equal(await authority.refused(sampleDocument(), quantity(written)), 'E4013', written);
    }
  });

  test('an unknown member is E4013', async () => {
    assert.equal(await codeWith({ 'header.docTypeRef': 'ST' }), 'E4013');
    assert.equal(await codeWith({ 'docItems.0.docItemVATGroup': 'DDV-A' }), 'E4013');
    assert.equal(await authority.refused(sampleDocument(), { siblings: { remark: 'x' } }), 'E4013');
  });

  test('optional members may be null or left out', async () => {
    const document = sampleDocument();
    const objects = Object.values(document).flat() as Json[];
    for (const object of objects) {
      const nullMembers = Object.keys(object).filter((member) => object[member] === null);
      for (const member of nullMembers) delete object[member];
    }
    assert.equal((await authority.send(document)).status, 200);
  });

  test('sender and receiver blocks are accepted', async () => {
    const blocks = { sender: { senderTin: '4030026000018' }, receiver: { receiverTin: '4080026000023' } };
    assert.equal((await authority.send(altered(sampleDocument(), blocks))).status, 200);
  });

  test('the message names the path of the wrong member', async () => {
    const { body } = await authority.send(altered(sampleDocument(), { 'docItems.0.docItemQty': 'two' }));
    assert.equal(body['message'], 'document.docItems[0].docItemQty must be a number');
  });
});
