import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { neededLookups } from '../../../../src/adapters/ujp/conversion/needed-lookups.ts';
import { splitStreet } from '../../../../src/adapters/ujp/conversion/parties/street-number.ts';
import type { Delivery, PartyContent } from '../../../../src/domain/documents/invoice-content.ts';
import { ALFA_EDB, BETA_EDB } from '../../../support/ubl-samples.ts';
import {
  ALFA,
  address,
  BETA,
  converted,
  documentOf,
  failureOf,
  identifier,
  invoice,
  party,
  texts,
} from './sample-content.ts';

function buyerOf(customer: PartyContent, buyer: typeof BETA | null = null) {
  return documentOf(invoice({ customer }), { buyer }).buyer;
}

describe('a domestic taxpayer', () => {
  test('has name and address from the registry, the contact from the document', () => {
    const customer = party({
      identifiers: [identifier('tax-scheme', `MK ${BETA_EDB}`, 'VAT')],
      country: 'MK',
      telephone: '+389 47 000 000',
      contactName: 'Ана',
      email: 'ana@beta.example',
    });
    assert.deepEqual(buyerOf(customer, BETA), {
      buyerCCode: 'MK',
      buyerCName: 'Северна Македонија',
      buyerTin: BETA_EDB,
      buyerForeignTin: null,
      buyerVatNumber: `МК${BETA_EDB}`,
      buyerName: 'БЕТА ДООЕЛ Битола',
      buyerAddress: { streetAddress: 'Широк Сокак', streetNumber: '3', postalCode: '7000', city: 'Битола' },
      buyerContact: '+389 47 000 000',
      buyerEmail: 'ana@beta.example',
      buyerSubsidiaryCode: null,
      buyerSubsidiaryName: null,
      buyerSubsidiaryAddress: null,
    });
  });

  test('is converted alike as seller', () => {
    const { seller } = documentOf(invoice());
    assert.equal(seller.sellerTin, ALFA_EDB);
    assert.equal(seller.sellerName, 'АЛФА ДОО Скопје');
    assert.deepEqual(Object.keys(seller).length, 12);
  });

  test('that is not in the registry is taken from the document, with a warning', () => {
    const { payload, warnings } = converted(invoice(), { buyer: null, seller: null });
    const { seller, buyer } = payload.document;
    assert.equal(seller.sellerVatNumber, `МК${ALFA_EDB}`);
    assert.deepEqual([buyer.buyerName, buyer.buyerAddress.city], ['Име од документот', 'Охрид']);
    assert.match(texts(warnings).join('\n'), /seller is not in .*registry[\s\S]*buyer is not in .*registry/u);
  });

  test('has no VAT number if the registry has none, or, without registry, the document states no VAT scheme', () => {
    assert.equal(documentOf(invoice(), { buyer: { ...BETA, vatNumber: null } }).buyer.buyerVatNumber, null);
    assert.equal(buyerOf(party({ identifiers: [identifier('legal-entity', BETA_EDB)] })).buyerVatNumber, null);
  });

  const sources: readonly (readonly [string, PartyContent])[] = [
    ['as tax scheme', party({ identifiers: [identifier('tax-scheme', BETA_EDB, 'VAT')] })],
    ['as legal entity', party({ identifiers: [identifier('legal-entity', BETA_EDB)] })],
    ['as identification', party({ identifiers: [identifier('identification', BETA_EDB)] })],
    ['as endpoint', party({ identifiers: [identifier('endpoint', BETA_EDB)] })],
    [
      'behind its registration number',
      party({ identifiers: [identifier('legal-entity', '7000023'), identifier('identification', BETA_EDB)] }),
    ],
    ['with Latin prefix and blanks', party({ identifiers: [identifier('tax-scheme', 'MK 4080026 000023', 'VAT')] })],
    [
      'with its country in Cyrillic',
      party({ identifiers: [identifier('tax-scheme', BETA_EDB, 'ДДВ')], country: 'МК' }),
    ],
  ];
  for (const [how, customer] of sources) {
    test(`may state its tax number ${how}`, () => {
      assert.equal(buyerOf(customer, BETA).buyerTin, BETA_EDB);
      assert.equal(neededLookups(invoice({ customer })).buyer, BETA_EDB);
    });
  }

  test('takes address parts that the registry lacks from the document', () => {
    const bare = { ...BETA, street: ' ', number: null, postalCode: null, city: '' };
    assert.deepEqual(documentOf(invoice(), { buyer: bare }).buyer.buyerAddress, {
      streetAddress: 'Ленинова',
      streetNumber: '7',
      postalCode: '6000',
      city: 'Охрид',
    });
    const together = { ...BETA, street: 'Широк Сокак 3', number: null };
    assert.equal(documentOf(invoice(), { buyer: together }).buyer.buyerAddress.streetNumber, '3');
  });
});

describe('the tenant must be the supplier:', () => {
  const suppliers: readonly (readonly [string, PartyContent, RegExp])[] = [
    [
      'another taxpayer as supplier',
      party({ identifiers: [identifier('tax-scheme', BETA_EDB, 'VAT')] }),
      /is 4080026000023, but .* 4030026000018/u,
    ],
    ['a supplier without tax number', party(), /names no tax number/u],
    [
      'a foreign supplier',
      party({ identifiers: [identifier('tax-scheme', 'DE123456789', 'VAT')], country: 'DE' }),
      /names no tax number/u,
    ],
  ];
  for (const [who, supplier, message] of suppliers) {
    test(`${who} is a mismatch`, () => assert.match(failureOf(invoice({ supplier }), 'SUPPLIER-MISMATCH'), message));
  }

  test('a mismatch is reported before any other failure', () => {
    assert.match(failureOf(invoice({ supplier: party(), number: null, lines: [] }), 'SUPPLIER-MISMATCH'), /EDB/u);
    assert.equal(neededLookups(invoice({ supplier: party() })).seller, null);
  });
});

describe('a foreign buyer', () => {
  const german = party({
    name: 'Beispiel GmbH',
    identifiers: [identifier('tax-scheme', 'DE123456789', 'VAT')],
    country: 'DE',
    address: address({ street: 'Hauptstraße 5a', buildingNumber: null, city: 'Berlin', postalZone: '10115' }),
  });

  test('has its foreign tax number and the address of the document', () => {
    const buyer = buyerOf(german, BETA);
    assert.equal(neededLookups(invoice({ customer: german })).buyer, null);
    assert.deepEqual(
      [
        buyer.buyerCCode,
        buyer.buyerCName,
        buyer.buyerTin,
        buyer.buyerForeignTin,
        buyer.buyerVatNumber,
        buyer.buyerName,
      ],
      ['DE', 'Германија', null, 'DE123456789', null, 'Beispiel GmbH'],
    );
    assert.deepEqual(buyer.buyerAddress, {
      streetAddress: 'Hauptstraße',
      streetNumber: '5a',
      postalCode: '10115',
      city: 'Berlin',
    });
  });

  test('may have no tax number', () => {
    assert.equal(buyerOf({ ...german, identifiers: [] }).buyerForeignTin, null);
  });

  test('keeps a long postal code: without separators, else cut and appended to the city', () => {
    const london = address({ city: 'London', postalZone: 'SW1A 1AA' });
    const { payload, warnings } = converted(invoice({ customer: { ...german, country: 'GB', address: london } }));
    const { postalCode, city } = payload.document.buyer.buyerAddress;
    assert.deepEqual([postalCode, city], ['SW1A1', 'London SW1A 1AA']);
    assert.match(texts(warnings).join(), /PostalZone/u);
    assert.equal(buyerOf({ ...german, address: address({ postalZone: '00-950' }) }).buyerAddress.postalCode, '00950');
  });

  test('of a country without postal codes has "-" instead', () => {
    const hongKong = { ...german, country: 'HK', address: address({ postalZone: null }) };
    assert.equal(buyerOf(hongKong).buyerAddress.postalCode, '-');
  });
});

describe('a natural person', () => {
  test('has name and address from the document, and no tax number', () => {
    const buyer = buyerOf(party({ name: 'Марија Петрова' }), BETA);
    assert.deepEqual([buyer.buyerTin, buyer.buyerForeignTin, buyer.buyerVatNumber], [null, null, null]);
    assert.deepEqual([buyer.buyerName, buyer.buyerAddress.streetAddress], ['Марија Петрова', 'Ленинова']);
    assert.deepEqual(converted(invoice({ customer: party() }), { buyer: null }).warnings, []);
  });

  test('may have no address: its members are null', () => {
    assert.deepEqual(buyerOf(party({ address: null })).buyerAddress, {
      streetAddress: null,
      streetNumber: null,
      postalCode: null,
      city: null,
    });
  });
});

describe('the conversion fails for a buyer', () => {
  const german = { country: 'DE', identifiers: [] };
  const rows: readonly (readonly [string, PartyContent, RegExp])[] = [
    [
      'with a tax number that is not an EDB',
      party({ identifiers: [identifier('endpoint', 'ana@beta.example')] }),
      /“ana@beta.example” is not an EDB/u,
    ],
    ['without a name', party({ name: null }), /name of the buyer is missing.*RegistrationName/u],
    ['with a name of 81 characters', party({ name: 'Д'.repeat(81) }), /81 characters; the authority allows 80/u],
    ['in a country that is not listed', party({ country: 'XK' }), /“XK”.*IdentificationCode/u],
    [
      'with a foreign tax number of 31 characters',
      party({ country: 'DE', identifiers: [identifier('endpoint', '1'.repeat(31))] }),
      /31 characters/u,
    ],
    [
      'in a foreign country without a street',
      party({ ...german, address: address({ street: null }) }),
      /street of the buyer.*StreetName/u,
    ],
    [
      'in a foreign country without an address',
      party({ ...german, address: null }),
      /cac:PostalAddress\/cbc:StreetName/u,
    ],
    [
      'in a foreign country without a city',
      party({ ...german, address: address({ city: null }) }),
      /city of the buyer/u,
    ],
    ['with a street of 61 characters', party({ address: address({ street: 'у'.repeat(61) }) }), /street has 61/u],
    [
      'with a long house number',
      party({ address: address({ buildingNumber: '1'.repeat(11) }) }),
      /house number has 11/u,
    ],
    ['with a long domestic postal code', party({ address: address({ postalZone: '1000000' }) }), /postal code has 7/u],
  ];
  for (const [what, customer, message] of rows) {
    test(what, () => assert.match(failureOf(invoice({ customer }), 'NOT-EXPRESSIBLE', { buyer: null }), message));
  }

  test('that is domestic, not in the registry and without a postal code', () => {
    const customer = party({ identifiers: [identifier('endpoint', BETA_EDB)], address: address({ postalZone: null }) });
    assert.match(failureOf(invoice({ customer }), 'NOT-EXPRESSIBLE', { buyer: null }), /postal code of the buyer/u);
    assert.equal(buyerOf(customer, ALFA).buyerAddress.postalCode, '1000');
  });
});

describe('the delivery location is sent as a branch of the buyer', () => {
  const delivery: Delivery = {
    path: '/Invoice/cac:Delivery',
    actualDate: null,
    locationId: '5310002000012',
    locationName: 'Магацин 3',
    address: address(),
    partyName: null,
  };

  test('with code, name and address', () => {
    const { buyer } = documentOf(invoice({ delivery }));
    assert.deepEqual(
      [buyer.buyerSubsidiaryCode, buyer.buyerSubsidiaryName, buyer.buyerSubsidiaryAddress],
      ['5310002000012', 'Магацин 3', 'Ленинова 7, 6000 Охрид'],
    );
    assert.equal(
      documentOf(invoice({ delivery: { ...delivery, partyName: 'Бета' } })).buyer.buyerSubsidiaryName,
      'Бета',
    );
  });

  test('without texts that are too long, with a warning for each', () => {
    const long = { ...delivery, locationId: '1'.repeat(21), locationName: 'М'.repeat(101), address: null };
    const { payload, warnings } = converted(invoice({ delivery: long }));
    assert.equal(payload.document.buyer.buyerSubsidiaryCode, null);
    assert.equal(payload.document.buyer.buyerSubsidiaryName, null);
    assert.equal(warnings.length, 2);
  });
});

describe('the house number is split from the street:', () => {
  const rows: readonly (readonly [string, string, string | null])[] = [
    ['ул. Македонија 12', 'ул. Македонија', '12'],
    ['Партизанска бр. 14-а/2', 'Партизанска', '14-а/2'],
    ['Партизанска, бр.14', 'Партизанска', '14'],
    ['Partizanska br. 5 b', 'Partizanska', '5 b'],
    ['Широк Сокак бб', 'Широк Сокак', 'бб'],
    ['Industriska b.b.', 'Industriska', 'b.b.'],
    ['ул. 11 Октомври', 'ул. 11 Октомври', null],
    ['ул. 11 Октомври 42', 'ул. 11 Октомври', '42'],
    ['ул. 1732', 'ул. 1732', null],
    ['ул. 1732 бр. 4', 'ул. 1732', '4'],
    ['10 Downing Street', '10 Downing Street', null],
    ['Партизанска', 'Партизанска', null],
    ['', '', null],
  ];
  for (const [written, street, number] of rows) {
    test(`${written} is ${street} and ${number ?? 'no number'}`, () =>
      assert.deepEqual(splitStreet(written), { street, number }));
  }

  test('an address without a house number gets бб', () => {
    const customer = party({ address: address({ street: 'Партизанска', buildingNumber: null }) });
    assert.equal(buyerOf(customer).buyerAddress.streetNumber, 'бб');
  });
});

test('a street of a million separators is read at once, and keeps what it says', () => {
  for (const hostile of [',', ' ', '\t,', 'a ', 'бр ', '1 ']) {
    const text = `ул. Македонија ${hostile.repeat(1_000_000 / hostile.length)}xyz`;
    assert.deepEqual(splitStreet(text), { street: text, number: null });
  }
  const long = `${'Долга улица '.repeat(20)}бр. 12`;
  assert.deepEqual(splitStreet(long), { street: long.slice(0, -' бр. 12'.length), number: '12' });
});
