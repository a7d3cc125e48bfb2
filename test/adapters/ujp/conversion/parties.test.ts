import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { neededLookups } from '../../../../src/adapters/ujp/conversion/needed-lookups.ts';
import { splitStreet } from '../../../../src/adapters/ujp/conversion/parties/street-number.ts';
import type { Edb } from '../../../../src/domain/accounts/edb.ts';
import { isPersonalNumber } from '../../../../src/domain/accounts/personal-number.ts';
import type { Delivery, PartyContent, PartyIdentifier } from '../../../../src/domain/documents/invoice-content.ts';
import { fc } from '../../../support/seeds.ts';
import { ALFA_EDB, BETA_EDB } from '../../../support/ubl-samples.ts';
import {
  ALFA,
  address,
  BETA,
  converted,
  creditNote,
  documentOf,
  failureOf,
  identifier,
  invoice,
  PERSONAL_NUMBER,
  party,
  texts,
} from './sample-content.ts';

/** The digits with the last one replaced by that of the rule, which personal numbers share with tax numbers. */
function withCheckDigit(digits: string): string {
  const weights = [7, 6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2];
  const sum = weights.reduce((total, weight, index) => total + weight * Number(digits[index]), 0);
  return `${digits.slice(0, 12)}${(11 - (sum % 11)) % 11}`;
}

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
      buyerContact: 'Ана, +389 47 000 000',
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

  test('has its EDB, not a location number beside it, which has 13 digits as well', () => {
    const location = identifier('identification', '5310000000017', 'GLN');
    const beside = (edb: string) => party({ identifiers: [location, identifier('identification', edb)] });
    const [supplier, customer] = [beside(ALFA_EDB), beside(BETA_EDB)];
    const { seller, buyer } = documentOf(invoice({ supplier, customer }));
    assert.deepEqual([seller.sellerTin, buyer.buyerTin], [ALFA_EDB, BETA_EDB]);
    assert.equal(neededLookups(invoice({ customer })).buyer, BETA_EDB);
    const only = invoice({ customer: party({ identifiers: [location] }) });
    assert.equal(
      documentOf(only, { buyer: { ...BETA, taxNumber: location.value as Edb } }).buyer.buyerTin,
      location.value,
    );
    assert.match(
      failureOf(only, 'NOT-EXPRESSIBLE', { buyer: null }),
      /“5310000000017” is by its scheme “GLN” no tax number; .*PartyTaxScheme.*\(\/Invoice\/party\/identification\)/u,
    );
  });

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

  test('does not have its electronic address as tax number', () => {
    const address = identifier('endpoint', 'info@beispiel.example');
    const both = [...german.identifiers, address];
    assert.equal(buyerOf({ ...german, identifiers: both }).buyerForeignTin, 'DE123456789');
    const { payload, warnings } = converted(invoice({ customer: { ...german, identifiers: [address] } }));
    assert.equal(payload.document.buyer.buyerForeignTin, null);
    assert.deepEqual(
      warnings.map(({ code, path }) => [code, path]),
      [['PARTY-LEFT-OUT', '/Invoice/party/endpoint']],
    );
  });

  test('has it if it is a VAT number by its scheme, and is told of a number of another tax', () => {
    const address = identifier('endpoint', 'DE123456789', 'VAT');
    assert.equal(buyerOf({ ...german, identifiers: [address] }).buyerForeignTin, 'DE123456789');
    const inEdifact = identifier('tax-scheme', 'DE123456789', 'VA');
    assert.equal(buyerOf({ ...german, identifiers: [inEdifact] }).buyerForeignTin, 'DE123456789');
    const other = identifier('tax-scheme', '21/815', 'FC');
    const { payload, warnings } = converted(invoice({ customer: { ...german, identifiers: [other] } }));
    assert.equal(payload.document.buyer.buyerForeignTin, null);
    assert.match(warnings[0]?.text ?? '', /“21\/815”, is of the tax “FC”.*left out.*\(\/Invoice\/party\/tax-scheme\)/u);
    const beside = (sent: PartyIdentifier) => {
      const both = converted(invoice({ customer: { ...german, identifiers: [other, sent] } }));
      return [both.payload.document.buyer.buyerForeignTin, both.warnings.map(({ path }) => path)];
    };
    const customer = identifier('identification', 'K-1');
    assert.deepEqual(beside(customer), ['K-1', ['/Invoice/party/tax-scheme']], 'also beside what is no tax number');
    assert.deepEqual(beside(identifier('identification', 'DE1', 'VAT')), ['DE1', []]);
    assert.deepEqual(beside(identifier('legal-entity', '21 / 815')), ['21 / 815', []], 'the same number is sent');
    assert.deepEqual(converted(invoice({ customer: { ...german, identifiers: [customer] } })).warnings, []);
    assert.deepEqual(
      [address, other].map(
        (one) => converted(invoice({ customer: { ...german, identifiers: [one] } })).warnings.length,
      ),
      [0, 1],
    );
  });

  test('has a VAT number rather than what the seller or a register calls it, and no location number', () => {
    const customer = identifier('identification', 'K-77');
    const numbers = [identifier('legal-entity', 'HRB 1234'), customer, identifier('endpoint', 'DE123456789', 'VAT')];
    assert.equal(buyerOf({ ...german, identifiers: numbers }).buyerForeignTin, 'DE123456789');
    assert.equal(buyerOf({ ...german, identifiers: numbers.slice(0, 2) }).buyerForeignTin, 'HRB 1234');
    const location = identifier('identification', '4012345000009', '0088');
    assert.equal(buyerOf({ ...german, identifiers: [location, customer] }).buyerForeignTin, 'K-77');
    const { payload, warnings } = converted(invoice({ customer: { ...german, identifiers: [location] } }));
    assert.equal(payload.document.buyer.buyerForeignTin, null);
    assert.match(
      texts(warnings).join(),
      /“4012345000009”, is by its scheme “0088” no tax number.*identification\)\.$/u,
    );
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
    const { warnings, docTypeCode } = converted(invoice({ customer: party() }), { buyer: null });
    assert.equal(docTypeCode, '170');
    assert.match(texts(warnings).join(), /no tax number and was taken as a natural person/u);
  });

  const withPersonalNumber = (source: PartyIdentifier['source'], value: string) =>
    invoice({ customer: party({ identifiers: [identifier(source, value, source === 'tax-scheme' ? 'VAT' : null)] }) });

  for (const [source, value] of [
    ['identification', PERSONAL_NUMBER],
    ['tax-scheme', `MK${PERSONAL_NUMBER}`],
  ] as const) {
    test(`may state its personal number as ${source}, which is left out with a warning that does not repeat it`, () => {
      const content = withPersonalNumber(source, value);
      assert.equal(neededLookups(content).buyer, PERSONAL_NUMBER, 'the registry decides');
      assert.equal(neededLookups(content).documentType, '170');
      const { payload, docTypeCode, warnings } = converted(content, { buyer: null });
      const { buyerTin, buyerForeignTin, buyerVatNumber } = payload.document.buyer;
      assert.deepEqual([docTypeCode, buyerTin, buyerForeignTin, buyerVatNumber], ['170', null, null, null]);
      assert.deepEqual(
        warnings.map(({ code }) => code),
        ['PERSONAL-NUMBER-LEFT-OUT'],
      );
      assert.ok(!JSON.stringify([payload, warnings]).includes(PERSONAL_NUMBER));
    });
  }

  test('may be rejected as the buyer of a note or of any type but its own, which a warning says before it is sent', () => {
    const customer = party();
    const profile = { value: '160', scheme: 'UJP:docType' };
    const debitNote = invoice({ customer, typeCode: { value: '383', name: null } });
    for (const content of [creditNote({ customer }), debitNote, invoice({ customer, profile })]) {
      const { warnings, docTypeCode } = converted(content, { buyer: null });
      const codes = warnings.map(({ code }) => code);
      assert.deepEqual(codes, ['PERSON-ASSUMED', 'BUYER-NUMBER-MISSING']);
      const text = new RegExp(
        `may reject a document of type ${docTypeCode} without the buyer's tax number: only type 170`,
        'u',
      );
      assert.match(texts(warnings)[1] ?? '', text);
    }
  });

  test('is none if the authority has a company of that number', () => {
    const company = { ...BETA, taxNumber: PERSONAL_NUMBER };
    const { payload, docTypeCode } = converted(withPersonalNumber('identification', PERSONAL_NUMBER), {
      buyer: company,
    });
    assert.deepEqual([docTypeCode, payload.document.buyer.buyerTin], ['100', PERSONAL_NUMBER]);
  });

  test('is none either if it states an EDB beside its personal number', () => {
    const both = [PERSONAL_NUMBER, BETA_EDB].map((one) => identifier('identification', one));
    const content = invoice({ customer: party({ identifiers: both }) });
    assert.equal(neededLookups(content).buyer, BETA_EDB);
    assert.equal(documentOf(content).buyer.buyerTin, BETA_EDB);
  });

  test('is recognised by nothing but a day of birth and the check digit', () => {
    const personal = [PERSONAL_NUMBER, '2902000450007', '3112999450004'].map((digits) => withCheckDigit(digits));
    const others = [
      '3002000450000',
      '2902001450000',
      '0013985450000',
      '0001985450000',
      '0100985450000',
      '3201985450000',
    ];
    assert.deepEqual(personal.map(isPersonalNumber), [true, true, true]);
    for (const digits of others) assert.equal(isPersonalNumber(withCheckDigit(digits)), false, digits);
    for (const text of ['', '010100645000', `${PERSONAL_NUMBER}0`, 'MK01010064500'])
      assert.equal(isPersonalNumber(text), false);
    for (const edb of [ALFA_EDB, BETA_EDB, '4030000375897', '5012026000048'])
      assert.equal(isPersonalNumber(edb), false);
  });

  test('is never seen in a number that begins with 4 or above, as every EDB does, nor in one that is mistyped', () => {
    fc.assert(
      fc.property(fc.integer({ min: 4, max: 9 }), fc.stringMatching(/^\d{12}$/u), (first, rest) => {
        assert.equal(isPersonalNumber(`${first}${rest}`), false);
      }),
    );
    fc.assert(
      fc.property(fc.nat({ max: 12 }), fc.integer({ min: 1, max: 9 }), (place, difference) => {
        const digits = [...PERSONAL_NUMBER];
        digits[place] = String((Number(digits[place]) + difference) % 10);
        assert.equal(isPersonalNumber(digits.join('')), false);
      }),
    );
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

describe('texts of a party that are too long', () => {
  test('are shortened, moved or left out, each with a warning', () => {
    const long = address({ street: 'у'.repeat(61), city: 'Г'.repeat(61) });
    const customer = party({
      name: '😀'.repeat(81),
      country: 'DE',
      address: long,
      contactName: 'К'.repeat(60),
      telephone: '1'.repeat(60),
      email: `${'e'.repeat(90)}@beta.example`,
    });
    const { payload, warnings } = converted(invoice({ customer }), { buyer: null });
    const { buyerName, buyerAddress, buyerContact, buyerEmail } = payload.document.buyer;
    assert.deepEqual([buyerName, buyerContact, buyerEmail], ['😀'.repeat(80), null, null]);
    assert.deepEqual([buyerAddress.streetAddress, buyerAddress.city], ['у'.repeat(60), 'Г'.repeat(60)]);
    assert.deepEqual(warnings.map(({ code }) => code).toSorted(), [
      ...['TEXT-LEFT-OUT', 'TEXT-LEFT-OUT', 'TEXT-SHORTENED', 'TEXT-SHORTENED', 'TEXT-SHORTENED'],
    ]);
  });

  test('keep a long house number behind the street', () => {
    const { buyerAddress } = buyerOf(
      party({ country: 'DE', address: address({ buildingNumber: 'Block 14, 3. Stock' }) }),
    );
    assert.deepEqual([buyerAddress.streetAddress, buyerAddress.streetNumber], ['Ленинова Block 14, 3. Stock', 'бб']);
  });
});

describe('what is too long in the address of the register', () => {
  const customer = party({ identifiers: [identifier('tax-scheme', BETA_EDB, 'VAT')], country: 'MK' });
  const registered = (more: Partial<typeof BETA>) => converted(invoice({ customer }), { buyer: { ...BETA, ...more } });

  test('ends no document, which could not correct it: of the house number as much is sent as there is room for', () => {
    const { payload, warnings } = registered({ street: 'Б'.repeat(50), number: '14 влез 2 кат 3' });
    const { streetAddress, streetNumber } = payload.document.buyer.buyerAddress;
    assert.deepEqual([streetAddress, streetNumber], [`${'Б'.repeat(50)} 14 влез 2`, 'бб']);
    assert.deepEqual(
      warnings.map(({ code }) => code),
      ['HOUSE-NUMBER-MOVED', 'TEXT-SHORTENED'],
    );
  });

  test('is sent as the authority has it, where it compares it: a postal code', () => {
    assert.equal(registered({ postalCode: 'МК-7000' }).payload.document.buyer.buyerAddress.postalCode, 'МК-7000');
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
    ['in a country that is not listed', party({ country: 'XK' }), /“XK”.*IdentificationCode/u],
    [
      'with a foreign tax number of 31 characters',
      party({ country: 'DE', identifiers: [identifier('identification', '1'.repeat(31))] }),
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
    [
      'with a house number that fits nowhere',
      party({ address: address({ street: 'у'.repeat(50), buildingNumber: '1'.repeat(11) }) }),
      /house number has 11 characters, more than 10, and does not fit behind the street/u,
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

  test('without a code that is too long and with texts shortened, with a warning for each', () => {
    const street = 'у'.repeat(101);
    const long = { locationId: '1'.repeat(21), locationName: 'М'.repeat(101), address: address({ street }) };
    const { payload, warnings } = converted(invoice({ delivery: { ...delivery, ...long } }));
    const { buyerSubsidiaryCode, buyerSubsidiaryName, buyerSubsidiaryAddress } = payload.document.buyer;
    assert.deepEqual(
      [buyerSubsidiaryCode, buyerSubsidiaryName, buyerSubsidiaryAddress],
      [null, 'М'.repeat(100), 'у'.repeat(100)],
    );
    assert.deepEqual(
      warnings.map(({ code }) => code),
      ['TEXT-LEFT-OUT', 'TEXT-SHORTENED', 'TEXT-SHORTENED'],
    );
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
