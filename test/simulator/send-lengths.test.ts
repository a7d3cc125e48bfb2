import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Authority, startAuthority } from './authority-client.ts';
import { altered, type Json, sampleDocument } from './sample-document.ts';

const PARTY = {
  CCode: 3,
  CName: 50,
  Tin: 30,
  VatNumber: 30,
  Name: 80,
  'Address.streetAddress': 60,
  'Address.streetNumber': 10,
  'Address.postalCode': 5,
  'Address.city': 60,
  SubsidiaryCode: 20,
  SubsidiaryName: 100,
  SubsidiaryAddress: 100,
};

/** Published by the authority, or read from its samples. */
const PUBLISHED: Readonly<Record<string, number>> = {
  'header.docTypeName': 30,
  'header.docNumber': 20,
  'docReferences.0.docTypeRef': 3,
  'docReferences.0.docNameRef': 30,
  ...Object.fromEntries(Object.entries(PARTY).map(([member, length]) => [`seller.seller${member}`, length])),
  ...Object.fromEntries(Object.entries(PARTY).map(([member, length]) => [`buyer.buyer${member}`, length])),
  'docPayment.docPaymentTypeCode': 3,
  'docPayment.docPaymentTypeDesc': 30,
  'docPayment.docCurrency': 3,
  'docPayment.docCurrencyCode': 3,
  'docItems.0.docItemDomesticProduct': 2,
  'vatTotals.0.vatTaxIndicatorNote': 200,
};

/** The authority is known to refuse longer ones, or may; it has published no number. */
const CHOSEN: Readonly<Record<string, number>> = {
  'header.docId': 20,
  'header.docNotes': 4_000,
  'docReferences.0.docNumberRef': 100,
  'buyer.buyerForeignTin': 30,
  'buyer.buyerContact': 4_000,
  'buyer.buyerEmail': 4_000,
  'docPayment.docPaymentTerms': 4_000,
  'docItems.0.docItemSku': 50,
  'docItems.0.docItemSenderCode': 50,
  'docItems.0.docItemReceiverCode': 50,
  'docItems.0.docItemDesc': 4_000,
  'docItems.0.docItemMUnit': 20,
  'docItems.0.docItemHs': 20,
};

const REFERENCE = { docTypeRef: 'NAR', docNameRef: 'Нарачка', docDateRef: '2026-11-01', docNumberRef: 'N-17' };

describe('the length of a text', () => {
  let authority: Authority;
  before(async () => {
    authority = await startAuthority(null);
  });
  after(() => authority.simulator.close());

  const codesWith = async (path: string, length: number) => {
    const document = sampleDocument({ references: [REFERENCE] });
    const { body } = await authority.send(altered(document, { [path]: 'Ж'.repeat(length) }));
    return [body['code'], ...((body['errors'] ?? []) as readonly Json[]).map(({ code }) => code)];
  };

  for (const [name, lengths] of Object.entries({ published: PUBLISHED, chosen: CHOSEN })) {
    test(`is at most the ${name} one, counted in characters; one more is E4013`, async () => {
      for (const [path, length] of Object.entries(lengths)) {
        assert.ok(!(await codesWith(path, length)).includes('E4013'), `${path} with ${length}`);
        assert.equal((await codesWith(path, length + 1))[0], path === 'seller.sellerTin' ? 'E4020' : 'E4013', path);
      }
    });
  }

  test('of a payment description may exceed 30 where the served list itself does', async () => {
    const served = { docPaymentTypeCode: 'P15', docPaymentTypeDesc: 'Плаќање преку мобилна апликација' };
    const payment = { ...(sampleDocument()['docPayment'] as Json), ...served };
    assert.equal((await authority.send(altered(sampleDocument(), { docPayment: payment }))).status, 200);
    const cut = { ...payment, docPaymentTypeDesc: served.docPaymentTypeDesc.slice(0, 30) };
    assert.equal(await authority.refused(altered(sampleDocument(), { docPayment: cut })), 'E50075');
    const other = { ...payment, docPaymentTypeCode: 'P12' };
    assert.equal(await authority.refused(altered(sampleDocument(), { docPayment: other })), 'E4013');
  });
});
