import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Authority, sendAltered, startAuthority } from './authority-client.ts';
import { altered, GAMA, type Json, sampleDocument } from './sample-document.ts';

const NATURAL_PERSON = { docType: '170', docTypeName: 'Фактура кон физичко лице' };

describe('parties of a document', () => {
  let authority: Authority;
  before(async () => {
    authority = await startAuthority(null);
  });
  after(() => authority.simulator.close());

  const { codeWith, accepted } = sendAltered(() => authority);

  const mistakes: readonly (readonly [code: string, path: string, value: unknown])[] = [
    ['E10001', 'seller.sellerTin', null],
    ['E10001', 'buyer.buyerTin', null],
    ['E1000', 'buyer.buyerTin', '4099999999999'],
    ['E10002', 'seller.sellerName', 'АЛФА ДОО СКОПЈЕ'],
    ['E10003', 'seller.sellerVatNumber', 'МК4080026000023'],
    ['E10004', 'seller.sellerAddress.city', 'Скопjе'],
    ['E10004', 'buyer.buyerAddress.city', 'Скопје'],
    ['E10005', 'seller.sellerAddress.postalCode', '1001'],
    ['E10005', 'buyer.buyerAddress.postalCode', '1000'],
    ['E10006', 'buyer.buyerName', 'БЕТА'],
    ['E10007', 'buyer.buyerVatNumber', 'MK4080026000023'],
    ['E10008', 'buyer.buyerVatNumber', null],
    ['E10008', 'seller.sellerVatNumber', null],
    ['E10011', 'buyer.buyerCCode', 'МК'],
    ['E10011', 'seller.sellerCCode', 'XK'],
    ['E10012', 'buyer.buyerCName', 'Македонија'],
    ['E10012', 'seller.sellerCName', 'Албанија'],
  ];
  for (const [code, path, value] of mistakes) {
    test(`${path} ${JSON.stringify(value)} is ${code}`, async () => {
      assert.equal(await codeWith({ [path]: value }), code);
    });
  }

  test('a tax number with its country prefix is an internal error of the authority: HTTP 500, E5000', async () => {
    for (const prefix of ['MK', 'МК']) {
      const { status, body } = await authority.send(
        altered(sampleDocument(), { 'buyer.buyerTin': `${prefix}4080026000023` }),
      );
      assert.deepEqual([status, body], [500, { code: 'E5000', message: 'Internal server error' }]);
    }
  });

  test('a company that is not registered for VAT must have no VAT number: E10007', async () => {
    await accepted({}, { buyer: GAMA });
    assert.equal(await codeWith({ 'buyer.buyerVatNumber': 'МК4001026000034' }, { buyer: GAMA }), 'E10007');
  });

  test('a seller from another country than that of the register is E10012', async () => {
    assert.equal(await codeWith({ 'seller.sellerCCode': 'AL', 'seller.sellerCName': 'Албанија' }), 'E10012');
  });

  test('street and contact are not compared with the register', async () => {
    await accepted({ 'buyer.buyerAddress.streetAddress': 'Друга', 'buyer.buyerContact': '02 3111 222' });
  });

  test('a natural person needs only a name, and a country of the list', async () => {
    const person: Json = {
      'buyer.buyerTin': null,
      'buyer.buyerVatNumber': null,
      'buyer.buyerName': 'Петар Петров',
      'buyer.buyerAddress': null,
    };
    await accepted(person, { header: NATURAL_PERSON });
    assert.equal(await codeWith({ ...person, 'buyer.buyerName': null }, { header: NATURAL_PERSON }), 'E4019');
    assert.equal(await codeWith({ ...person, 'buyer.buyerCName': 'Македонија' }, { header: NATURAL_PERSON }), 'E10012');
  });

  test('a foreign buyer is not looked up in the register, but needs an address', async () => {
    const foreign: Json = {
      'buyer.buyerCCode': 'DE',
      'buyer.buyerCName': 'Германија',
      'buyer.buyerTin': null,
      'buyer.buyerForeignTin': 'DE123456789',
      'buyer.buyerVatNumber': null,
      'buyer.buyerName': 'Beispiel GmbH',
      'buyer.buyerAddress': { streetAddress: 'Hauptstr.', streetNumber: '5', postalCode: 'D-10115', city: 'Berlin' },
    };
    assert.equal(await codeWith(foreign), 'E4013', 'the length of a postal code is 5 for every country');
    foreign['buyer.buyerAddress'] = { ...(foreign['buyer.buyerAddress'] as Json), postalCode: '10115' };
    await accepted(foreign);
    assert.equal(await codeWith({ ...foreign, 'buyer.buyerCName': 'Deutschland' }), 'E10012');
    assert.equal(await codeWith({ ...foreign, 'buyer.buyerAddress.city': null }), 'E4019');
    const [row] = await authority.listed('?buyer=null&status=10');
    assert.ok(row !== undefined, 'a document that needs no decision is in status 10');
  });
});
