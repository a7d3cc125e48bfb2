import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { InvoiceContent, InvoiceLine } from '../../../../src/domain/documents/invoice-content.ts';
import {
  allowance,
  category,
  converted,
  creditNote,
  denars,
  documentOf,
  failureOf,
  invoice,
  line,
  texts,
} from './sample-content.ts';

function itemOf(own: InvoiceLine) {
  const [item] = documentOf(invoice({ lines: [own] })).docItems;
  assert.ok(item !== undefined);
  return item;
}

/** Original price, discount, price per unit; original and net total. */
function prices(own: InvoiceLine): readonly number[] {
  const item = itemOf(own);
  return [
    item.docItemUnitOriginalPriceWoVat,
    item.docItemUnitDiscountAmount,
    item.docItemUnitPriceWoVat,
    item.docItemTotalOriginalPriceWoVat,
    item.docItemTotalPriceWoVat,
  ];
}

test('an item has every member, with null for absent values', () => {
  assert.deepEqual(itemOf(line({ count: '2.5', price: '100' })), {
    docItemLineNo: 1,
    docItemSku: null,
    docItemSenderCode: null,
    docItemReceiverCode: null,
    docItemDesc: 'Хартија',
    docItemMUnit: 'бр.',
    docItemQty: 2.5,
    docItemUnitOriginalPriceWoVat: 100,
    docItemUnitDiscountAmount: 0,
    docItemUnitPriceWoVat: 100,
    docItemUnitVat: 18,
    docItemVat: 18,
    docItemVatGroup: 'DDV-A',
    docItemTotalOriginalPriceWoVat: 250,
    docItemTotalPriceWoVat: 250,
    docItemTotalVat: 45,
    docItemTotalPriceWVat: 295,
    docItemTaxIndicator: 'DDV-A',
    docItemDomesticProduct: null,
    docItemHs: null,
  });
});

describe('the unit code becomes a label:', () => {
  const rows = [
    ['C62', 'бр.'],
    ['H87', 'бр.'],
    ['KGM', 'кг'],
    ['LTR', 'л'],
    ['MTR', 'м'],
    ['HUR', 'час'],
    ['DAY', 'ден'],
    ['MON', 'месец'],
    ['KWH', 'KWH'],
    [null, 'бр.'],
  ] as const;
  for (const [unit, label] of rows) {
    test(`${unit} is ${label}`, () => assert.equal(itemOf(line({ unit })).docItemMUnit, label));
  }
});

describe('the text of an item', () => {
  test('has the item codes of seller and buyer', () => {
    const item = itemOf(line({ item: { sellersId: 'A-1', buyersId: 'B-1', standardId: '5310' } }));
    assert.deepEqual([item.docItemSku, item.docItemSenderCode, item.docItemReceiverCode], ['A-1', 'A-1', 'B-1']);
  });

  test('has the standard code as SKU if the seller states none', () => {
    const item = itemOf(line({ item: { standardId: '5310' } }));
    assert.deepEqual([item.docItemSku, item.docItemSenderCode], ['5310', null]);
  });

  test('is the description if the item has no name; one of them is required', () => {
    assert.equal(itemOf(line({ item: { name: null, descriptions: ['Хартија', 'А4'] } })).docItemDesc, 'Хартија А4');
    assert.match(
      failureOf(invoice({ lines: [line({ item: { name: null } })] })),
      /name of the item is missing.*cbc:Name/u,
    );
  });

  test('has the tariff code from the classification list HS', () => {
    const classifications = [
      { code: '44122000', list: 'STI' },
      { code: '4802', list: 'HS' },
    ];
    assert.equal(itemOf(line({ item: { classifications } })).docItemHs, '4802');
  });

  test('warns of a second tariff code, for which there is no member', () => {
    const codesOf = (...codes: readonly string[]) => {
      const classifications = codes.map((code) => ({ code, list: 'HS' }));
      const { payload, warnings } = converted(invoice({ lines: [line({ item: { classifications } })] }));
      return [payload.document.docItems[0]?.docItemHs, warnings.map(({ code }) => code)];
    };
    const others = codesOf('4802')[1];
    assert.deepEqual(codesOf('4802', '4802'), ['4802', others]);
    assert.deepEqual(codesOf('4802', '4810'), ['4802', ['ITEM-DETAIL-LEFT-OUT', ...(others ?? [])]]);
  });

  test('marks a domestic product only if the issuer asks for it', () => {
    const properties = [{ name: 'UJP:domesticProduct', value: 'MP' }];
    assert.equal(itemOf(line({ item: { originCountry: 'MK', properties } })).docItemDomesticProduct, 'MP');
    assert.equal(itemOf(line({ item: { originCountry: 'MK' } })).docItemDomesticProduct, null);
    assert.equal(itemOf(line({ item: { originCountry: 'RS', properties } })).docItemDomesticProduct, null);
  });
});

describe('unit prices and totals', () => {
  const rows: readonly (readonly [string, InvoiceLine, readonly number[]])[] = [
    ['of one unit', line({ count: '3', price: '12.345678' }), [12.3457, 0, 12.3457, 37.037, 37.037]],
    ['for a hundred units', line({ count: '250', price: '80', base: '100' }), [0.8, 0, 0.8, 200, 200]],
    ['for a base that does not divide', line({ count: '3', price: '10', base: '3' }), [3.3333, 0, 3.3333, 10, 10]],
    [
      'with a price discount',
      line({ count: '4', price: '90', priceAllowances: [allowance('10')] }),
      [100, 10, 90, 400, 360],
    ],
    [
      'with a price discount for a base',
      line({ count: '4', price: '90', base: '2', priceAllowances: [allowance('10')] }),
      [50, 5, 45, 200, 180],
    ],
    [
      'with a price charge, which is in the price already',
      line({ price: '90', priceAllowances: [allowance('10', { isCharge: true })] }),
      [90, 0, 90, 90, 90],
    ],
    [
      'with line allowances',
      line({ count: '3', price: '100', allowanceCharges: [allowance('10'), allowance('15')] }),
      [100, 8.3333, 91.6667, 300, 275],
    ],
    [
      'with a line charge smaller than the allowances',
      line({ count: '2', allowanceCharges: [allowance('30'), allowance('10', { isCharge: true })] }),
      [100, 10, 90, 200, 180],
    ],
    [
      'with a line charge, folded into the price',
      line({ count: '2', allowanceCharges: [allowance('10', { isCharge: true })] }),
      [105, 0, 105, 210, 210],
    ],
    ['of zero', line({ price: '0' }), [0, 0, 0, 0, 0]],
  ];
  for (const [what, own, expected] of rows) {
    test(what, () => assert.deepEqual(prices(own), expected));
  }

  test('have more than four decimals where quantity × unit price would else differ from the total by more than half a cent', () => {
    assert.deepEqual(prices(line({ count: '100', price: '0.123456' })), [0.1235, 0, 0.1235, 12.3456, 12.3456]);
    assert.deepEqual(prices(line({ count: '10000', price: '0.123456' })), [0.123456, 0, 0.123456, 1234.56, 1234.56]);
    assert.deepEqual(prices(line({ count: '100000', price: '10', base: '3' })).slice(2, 3), [3.3333333]);
  });

  test('that no number of 15 digits expresses make the conversion fail', () => {
    const own = line({ count: '7654321.987', price: '3', base: '0.7', allowanceCharges: [allowance('1000000.01')] });
    assert.match(failureOf(invoice({ lines: [own, line({ count: '99999999999999', price: '0.07' })] })), /15 digits/u);
  });
});

describe('the net amount of a line', () => {
  const stated = (count: string, price: string, amount: string, more: Parameters<typeof line>[0] = {}) =>
    line({ ...more, count, price, lineExtension: denars(amount) });

  test('is the stated one, rounded to two decimals as EN 16931 has it, with the stated price', () => {
    assert.deepEqual(prices(stated('3.333', '12.3456', '41.15')), [12.3456, 0, 12.3456, 41.15, 41.15]);
    const discounted = stated('3.333', '12.3456', '40.05', { allowanceCharges: [allowance('1.10')] });
    assert.deepEqual(prices(discounted), [12.3456, 0.33, 12.0156, 41.15, 40.05]);
  });

  test('is taken with the decimals that it has, up to four', () => {
    assert.deepEqual(prices(stated('1', '95.238095', '95.2381')), [95.2381, 0, 95.2381, 95.2381, 95.2381]);
    assert.equal(prices(stated('1', '95.238095', '95.238095')).at(-1), 95.2381);
  });

  test('of what is given away wholly leaves no unit price below zero', () => {
    const free = stated('3', '3.5295', '0.00', { allowanceCharges: [allowance('10.59')] });
    assert.deepEqual(prices(free), [3.53, 3.53, 0, 10.59, 0]);
  });

  test('may be what a price that was rounded for showing explains; then the price that gives it is sent, with a warning', () => {
    const { payload, warnings } = converted(invoice({ lines: [line(), stated('1000', '0.33', '333.33')] }));
    const item = payload.document.docItems[1];
    assert.deepEqual([item?.docItemUnitPriceWoVat, item?.docItemTotalPriceWoVat], [0.33333, 333.33]);
    assert.deepEqual(
      warnings.map(({ code }) => code),
      ['UNIT-PRICE-ROUNDED'],
    );
    assert.match(
      texts(warnings).join(),
      /^Line “1” \(“Хартија”\): the price does not give .* lines of this kind: 1 \(.*cac:InvoiceLine\)\.$/u,
    );
  });

  test('may be two cents off where amounts with VAT or discounts were rounded before; it is registered, with a warning', () => {
    // 40.15 l of fuel at 92.50 with VAT are 3713.88, of which 3147.36 without; the price without VAT gives 3147.35.
    const fuel = stated('40.15', '78.389831', '3147.36');
    // 15 % of 36 × 12.3456 are 66.666, and what is left 377.775: both are rounded up.
    const discounted = stated('36', '12.3456', '377.78', { allowanceCharges: [allowance('66.67')] });
    const truncated = stated('3.333', '12.3456', '41.14');
    for (const [own, net, price] of [
      [fuel, 3147.36, 78.39],
      [discounted, 377.78, 12.3458],
      [truncated, 41.14, 12.3432],
    ] as const) {
      const { payload, warnings } = converted(invoice({ lines: [own] }));
      const item = payload.document.docItems[0];
      assert.deepEqual([item?.docItemTotalPriceWoVat, item?.docItemUnitOriginalPriceWoVat], [net, price]);
      assert.deepEqual(
        warnings.map(({ code }) => code),
        ['UNIT-PRICE-ROUNDED'],
      );
    }
  });

  test('is sent with another price than the stated one only with a warning', () => {
    const codes = (document: InvoiceContent) => converted(document).warnings.map(({ code }) => code);
    // 0.3 × 67.00 / 12 is exactly half a cent less; 5.5833 and any more of its decimals give less than that.
    const half = invoice({ lines: [stated('0.3', '67.00', '1.68', { base: '12' })] });
    assert.equal(documentOf(half).docItems[0]?.docItemUnitPriceWoVat, 5.6);
    assert.deepEqual(codes(half), ['UNIT-PRICE-ROUNDED']);
    // Given away by the document: the stated price less the discount would be below zero.
    const free = invoice({ lines: [stated('0.01', '68.54', '0.69'), line()], allowanceCharges: [allowance('100.69')] });
    assert.equal(documentOf(free).docItems[0]?.docItemUnitOriginalPriceWoVat, 69);
    assert.deepEqual(codes(free), ['UNIT-PRICE-ROUNDED']);
    const charged = invoice({ allowanceCharges: [allowance('33.33', { isCharge: true }), allowance('120')] });
    assert.deepEqual(codes(charged), []);
  });

  const refused: readonly (readonly [string, InvoiceLine, RegExp])[] = [
    [
      'a price with four decimals by more than two cents',
      stated('3.333', '12.3456', '41.12'),
      /^Line “1” \(“Хартија”\): the line states 41\.12, .* 41\.15; .*InvoiceLine\/cbc:LineExtensionAmount/u,
    ],
    ['a price that rounding does not explain', stated('1000', '0.33', '335.03'), /states 335\.03, .* 330\.00; /u],
    [
      'a price without decimals, which is not a rounded one',
      stated('10', '100', '1000.08'),
      /states 1000\.08, .* 1000\.00; /u,
    ],
    ['a price by more than the line is worth', stated('1', '0.01', '0.03'), /states 0\.03, .* 0\.01; /u],
    ['a price by all that the line is worth', stated('1', '0.02', '0.00'), /states 0\.00, .* 0\.02; /u],
    ['a price of nothing', stated('1', '0.00', '0.02'), /states 0\.02, .* 0\.00; /u],
    ['the price of a tiny quantity', stated('0.001', '1.00', '0.02'), /states 0\.02, .* 0\.00; /u],
    ['its allowances', stated('1', '100', '95', { allowanceCharges: [allowance('4')] }), /states 95\.00, .* 96\.00; /u],
  ];
  for (const [what, own, message] of refused) {
    test(`that contradicts ${what} makes the conversion fail, naming the line and both figures`, () =>
      assert.match(failureOf(invoice({ lines: [own] }), 'TOTALS-MISMATCH'), message));
  }
});

test('a price before its discount that does not fit price and discount has a warning, one rounded by a cent has none', () => {
  const textsOf = (listPrice: string) => {
    const priced = line({ price: '90', listPrice, priceAllowances: [allowance('10')] });
    return converted(invoice({ lines: [priced] })).warnings.map(({ text }) => text);
  };
  assert.match(
    textsOf('120').join(''),
    /before its discount the line states 120\.00, but .* is 100\.00; .*list-price/u,
  );
  for (const fitting of ['100', '100.01', '']) assert.deepEqual(textsOf(fitting), []);
  assert.equal(textsOf('100.02').length, 1);
  const small = (listPrice: string) => {
    const priced = line({ price: '0.0500', count: '1000', listPrice, priceAllowances: [allowance('0.0100')] });
    return converted(invoice({ lines: [priced] })).warnings.length;
  };
  assert.deepEqual(['0.0600', '0.0601', '0.06', '0.0750', '0.08'].map(small), [0, 0, 0, 1, 1]);
});

describe('a line cannot be expressed', () => {
  const quantity = { value: '1', unit: 'C62' };
  const price = line().price;
  assert.ok(price !== null);
  const rows: readonly (readonly [string, InvoiceLine, RegExp])[] = [
    ['without quantity', line({ quantity: null }), /quantity of the line is missing.*InvoicedQuantity/u],
    ['without price', { ...line(), price: null }, /price of the line is missing.*cac:Price/u],
    [
      'without price amount',
      { ...line(), price: { ...price, amount: null } },
      /price of the line is missing.*PriceAmount/u,
    ],
    [
      'with a negative price',
      line({ price: '-1' }),
      /price is negative \(-1\.00\).* without the sign, and the quantity with the opposite one; .* credit note instead .*PriceAmount/u,
    ],
    ['with discounts above its price', line({ allowanceCharges: [allowance('101')] }), /discounts of the line exceed/u],
    [
      'with an amount but no quantity',
      line({ count: '0', allowanceCharges: [allowance('5', { isCharge: true })] }),
      /quantity 0/u,
    ],
    ['with a price base of zero', line({ base: '0' }), /not above 0.*BaseQuantity/u],
    ['with a negative price base', line({ base: '-1' }), /not above 0/u],
    [
      'with a price for another unit',
      { ...line({ quantity }), price: { ...price, baseQuantity: { value: '1', unit: 'KGM' } } },
      /unit “KGM”, the quantity is in “C62”.*BaseQuantity\/@unitCode/u,
    ],
    [
      'in another currency than the document',
      { ...line(), price: { ...price, amount: { value: '1', currency: 'EUR' } } },
      /in “EUR”, while the document is in MKD.*PriceAmount\/@currencyID/u,
    ],
    [
      'with an allowance without amount',
      line({ allowanceCharges: [allowance('1', { amount: null })] }),
      /amount is missing/u,
    ],
    ['with more digits than a JSON number holds', line({ price: '123456789012.3456' }), /more than 15 digits/u],
    ['with a quantity of more digits', line({ count: '1.1234567890123456', price: '0' }), /more than 15 digits/u],
    ['with a quantity that is not a number', line({ count: 'abc' }), /“abc” is not a number/u],
  ];
  for (const [what, own, message] of rows) {
    test(what, () => assert.match(failureOf(invoice({ lines: [own] })), message));
  }

  test('with a negative quantity on a credit or debit note', () => {
    const lines = [line(), line({ count: '-1' })];
    assert.match(
      failureOf(creditNote({ lines })),
      /quantity is negative.*all lines are negative.*, else leave this line out.*CreditedQuantity/u,
    );
    const debit = { value: '383', name: null };
    assert.match(failureOf(invoice({ lines, typeCode: debit })), /quantity is negative.*InvoicedQuantity/u);
  });

  test('with a negative price on a credit or debit note, whose quantities must not become negative instead', () => {
    const lines = [line(), line({ price: '-1' })];
    const advice =
      /price is negative .*all lines are negative, state prices .*, else leave this line out.*PriceAmount/u;
    assert.match(failureOf(creditNote({ lines })), advice);
    assert.match(failureOf(invoice({ lines, typeCode: { value: '383', name: null } })), advice);
    const both = creditNote({ lines: [line({ count: '-1', price: '-1' })] });
    assert.match(failureOf(both), /state it without the sign, and the quantity with the opposite one/u);
  });
});

describe('a returned item on an invoice', () => {
  const back = { count: '-2', price: '100' };

  test('has a negative quantity and a positive price, and a warning', () => {
    const { payload, warnings } = converted(invoice({ lines: [line({ count: '5' }), line(back)] }));
    const { docItems, docTotals } = payload.document;
    assert.deepEqual(
      docItems.map((item) => [item.docItemQty, item.docItemUnitPriceWoVat, item.docItemTotalPriceWVat]),
      [
        [5, 100, 590],
        [-2, 100, -236],
      ],
    );
    assert.equal(docTotals.docFinalAmount, 354);
    assert.match(texts(warnings).join(), /quantity is negative, which the authority may reject/u);
  });

  const rows: readonly (readonly [string, InvoiceLine, readonly number[]])[] = [
    [
      'with a price discount',
      line({ ...back, price: '90', priceAllowances: [allowance('10')] }),
      [100, 10, 90, -200, -180],
    ],
    [
      'with a charge, taken off',
      line({ ...back, allowanceCharges: [allowance('20', { isCharge: true })] }),
      [100, 10, 90, -200, -180],
    ],
    ['with an allowance, folded', line({ ...back, allowanceCharges: [allowance('20')] }), [110, 0, 110, -220, -220]],
  ];
  for (const [what, own, expected] of rows) {
    test(what, () => {
      const [item] = documentOf(invoice({ lines: [own, line({ price: '1000' })] })).docItems;
      assert.deepEqual(
        [
          item?.docItemUnitOriginalPriceWoVat,
          item?.docItemUnitDiscountAmount,
          item?.docItemUnitPriceWoVat,
          item?.docItemTotalOriginalPriceWoVat,
          item?.docItemTotalPriceWoVat,
        ],
        expected,
      );
    });
  }

  test('is not reduced by allowances of the whole document', () => {
    const lines = [line({ price: '300' }), line(back), line({ price: '100' })];
    const { docItems } = documentOf(invoice({ lines, allowanceCharges: [allowance('40')] }));
    assert.deepEqual(
      docItems.map((item) => item.docItemTotalPriceWoVat),
      [270, -200, 90],
    );
  });

  test('makes the conversion fail if it is the only line', () => {
    assert.match(failureOf(invoice({ lines: [line(back)] })), /total is negative.*credit note.*\(\/Invoice\)/u);
    const tooMuch = line({ ...back, allowanceCharges: [allowance('201', { isCharge: true })] });
    assert.match(failureOf(invoice({ lines: [tooMuch] })), /discounts of the line exceed/u);
  });
});

describe('a line of quantity 0', () => {
  test('is left out with a warning', () => {
    const { payload, warnings } = converted(invoice({ lines: [line({ count: '0' }), line()] }));
    assert.equal(payload.document.docItems.length, 1);
    assert.match(texts(warnings).join(), /quantity 0 and was left out/u);
  });

  test('gives a warning for each line, at most 20 in all and then their number', () => {
    const lines = [line(), ...Array.from({ length: 1000 }, () => line({ count: '0' }))];
    const { warnings } = converted(invoice({ lines }));
    assert.equal(warnings.length, 21);
    assert.equal(texts(warnings).at(-1), 'Warnings beyond those shown: 980.');
  });

  test('makes the conversion fail if there is no other line', () => {
    assert.match(failureOf(invoice({ lines: [line({ count: '0' })] })), /no line with a quantity.*InvoiceLine/u);
    assert.match(failureOf(invoice({ lines: [] })), /no line with a quantity/u);
  });
});

describe('an allowance on the whole document', () => {
  const S18 = category('S', '18');
  const S5 = category('S', '5');
  const net = (content: InvoiceContent) => documentOf(content).docItems.map((item) => item.docItemTotalPriceWoVat);
  const two = [line({ price: '100', tax: S18 }), line({ price: '200', tax: S18 }), line({ price: '50', tax: S5 })];

  test('is distributed over the lines of its tax category in proportion, in whole cents', () => {
    const allowanceCharges = [allowance('10', { taxCategories: [S18] })];
    assert.deepEqual(net(invoice({ lines: two, allowanceCharges })), [96.67, 193.33, 50]);
    const { docTotals } = documentOf(invoice({ lines: two, allowanceCharges }));
    assert.deepEqual([docTotals.docNetAmount, docTotals.docDiscountAmount, docTotals.docNetAmountDisc], [350, 10, 340]);
  });

  test('may occur several times', () => {
    const allowanceCharges = [allowance('10', { taxCategories: [S18] }), allowance('5', { taxCategories: [S5] })];
    assert.deepEqual(net(invoice({ lines: two, allowanceCharges })), [96.67, 193.33, 45]);
  });

  test('may reduce the lines to zero, also lines with four decimals', () => {
    const lines = [line({ price: '0.3333' }), line({ price: '0.6667' })];
    assert.deepEqual(net(invoice({ lines, allowanceCharges: [allowance('1')] })), [0, 0]);
  });

  test('may reduce lines to zero that were rounded up', () => {
    const lines = Array.from({ length: 3 }, () => line({ price: '9.996', lineExtension: denars('10.00') }));
    assert.deepEqual(net(invoice({ lines, allowanceCharges: [allowance('30')] })), [0, 0, 0]);
  });

  test('needs no tax category if all lines have the same one', () => {
    const lines = two.slice(0, 2);
    assert.deepEqual(net(invoice({ lines, allowanceCharges: [allowance('30')] })), [90, 180]);
  });

  test('is distributed over the lines of its tax indicator if it states one', () => {
    const exempt = (code: string) => category('E', '0', code);
    const lines = [line({ tax: exempt('DDV-8') }), line({ tax: exempt('DDV-9') })];
    const stated = [allowance('10', { taxCategories: [exempt('DDV-9')] })];
    assert.deepEqual(net(invoice({ lines, allowanceCharges: stated })), [100, 90]);
    const unstated = [allowance('10', { taxCategories: [category('E', '0')] })];
    assert.deepEqual(net(invoice({ lines, allowanceCharges: unstated })), [95, 95]);
  });

  test('is for the tax indicator of its European reason, too', () => {
    const lines = ['VATEX-EU-G', 'VATEX-EU-132'].map((code) => line({ tax: category('E', '0', code) }));
    const stated = [allowance('10', { taxCategories: [category('E', '0', 'VATEX-EU-132')] })];
    assert.deepEqual(net(invoice({ lines, allowanceCharges: stated })), [100, 90]);
  });

  const unusable: readonly (readonly [string, string, string, RegExp])[] = [
    ['an unknown code of the authority', 'E', 'DDV-99', /“DDV-99”/u],
    ['a code in look-alike letters', 'S', 'DDV-\u0410', /“DDV-A”/u],
    ['a code that is no longer in force', 'S', 'DDV-old', /“DDV-old”.*2026-11-02/u],
    ['a code of another rate', 'S', 'DDV-V', /“DDV-V”/u],
  ];
  for (const [what, id, code, told] of unusable) {
    test(`with ${what} is refused in the words for a line, at its own place`, () => {
      const tax = { ...category(id, id === 'S' ? '18' : '0', code), path: '/Invoice/own' };
      const failure = failureOf(invoice({ lines: [line({ tax })] }));
      const lines = [line({ tax: { ...tax, exemptionReasonCode: null } })];
      assert.match(failure, told);
      assert.match(failure, /\/Invoice\/own/u);
      assert.equal(
        failureOf(invoice({ lines, allowanceCharges: [allowance('10', { taxCategories: [tax] })] })),
        failure,
      );
    });
  }

  test('for one tax indicator finds room in its lines and charges, whatever others take', () => {
    const exempt = (code?: string) => ({ taxCategories: [category('E', '0', code)] });
    const lines = ['DDV-8', 'DDV-9'].map((code) => line({ tax: category('E', '0', code) }));
    const ofAll = [allowance('50', exempt()), allowance('100', exempt('DDV-8'))];
    assert.deepEqual(net(invoice({ lines, allowanceCharges: ofAll })), [0, 50]);
    const ofCharge = [allowance('20', { isCharge: true, ...exempt('DDV-8') }), allowance('120', exempt('DDV-8'))];
    assert.deepEqual(net(invoice({ lines, allowanceCharges: ofCharge })), [0, 100, 0]);
  });

  test('without a tax category is distributed over lines of several tax indicators, whichever comes first', () => {
    const lines = [line({ tax: category('S', '18', 'DDV-PNPI-А') }), line()];
    assert.deepEqual(net(invoice({ lines, allowanceCharges: [allowance('150')] })), [25, 25]);
    assert.deepEqual(net(invoice({ lines: lines.toReversed(), allowanceCharges: [allowance('150')] })), [25, 25]);
  });

  test('gives the same VAT rows whatever the order of allowances and lines', () => {
    const exempt = (code?: string) => ({ taxCategories: [category('E', '0', code)] });
    const rows = (lines: readonly InvoiceLine[], allowanceCharges: InvoiceContent['allowanceCharges']) =>
      documentOf(invoice({ lines, allowanceCharges }))
        .vatTotals.map((row) => `${row.vatTaxIndicator} ${row.vatTaxableAmount}`)
        .toSorted();
    const priced = (price: string, code: string) => line({ price, tax: category('E', '0', code) });
    const lines = [priced('129.57', 'DDV-9'), priced('30.67', 'DDV-9'), priced('23.23', 'DDV-7-I')];
    const charge = allowance('52.88', { isCharge: true, ...exempt() });
    const several = [allowance('23.83'), allowance('0.85'), charge, allowance('18.13', exempt('DDV-7-I'))];
    assert.deepEqual(rows(lines, several), rows(lines, several.toReversed()));
    const equal = [priced('10', 'DDV-9'), priced('10', 'DDV-8')];
    assert.deepEqual(rows(equal, [allowance('0.01')]), rows(equal.toReversed(), [allowance('0.01')]));
  });

  test('of zero changes nothing', () => {
    assert.deepEqual(net(invoice({ allowanceCharges: [allowance('0', { taxCategories: [S5] })] })), [100]);
  });

  const refused: readonly (readonly [string, Partial<InvoiceContent>, RegExp])[] = [
    [
      'larger than its lines',
      { lines: two, allowanceCharges: [allowance('50.01', { taxCategories: [S5] })] },
      /50\.01 exceeds .*: 50\.00;/u,
    ],
    [
      'larger than the lines of its tax indicator',
      {
        lines: [line(), line({ price: '5', tax: category('S', '18', 'DDV-PNPI-А') })],
        allowanceCharges: [allowance('10', { taxCategories: [category('S', '18', 'DDV-PNPI-А')] })],
      },
      /10\.00 exceeds what is left of the lines that it would reduce: 5\.00;/u,
    ],
    [
      'of a category that no line has',
      { allowanceCharges: [allowance('1', { taxCategories: [S5] })] },
      /no line of the tax category/u,
    ],
    [
      'of a category whose lines all come back',
      {
        lines: [line(), line({ count: '-1', price: '50', tax: S5 })],
        allowanceCharges: [allowance('1', { taxCategories: [S5] })],
      },
      /lines of the tax category .* negative quantities, .* state it as allowance of these lines .*AllowanceCharge\)/u,
    ],
    [
      'of a category whose lines cost nothing',
      {
        lines: [line(), line({ price: '0', tax: S5 })],
        allowanceCharges: [allowance('1', { taxCategories: [S5] })],
      },
      /1\.00 exceeds what is left of the lines that it would reduce: 0\.00;/u,
    ],
    [
      'of a tax indicator that no line has',
      {
        lines: ['DDV-8', 'DDV-9'].map((code) => line({ tax: category('E', '0', code) })),
        allowanceCharges: [allowance('1', { taxCategories: [category('E', '0', 'DDV-9-5')] })],
      },
      /no line of the tax indicator “DDV-9-5” for this allowance to reduce; .*TaxExemptionReasonCode/u,
    ],
    [
      'of a category that no line has, with a tax indicator that lines of another have',
      {
        lines: [line({ tax: category('E', '0', 'DDV-9') })],
        allowanceCharges: [allowance('1', { taxCategories: [category('G', '0', 'DDV-9')] })],
      },
      /no line of the tax category .*AllowanceCharge\)/u,
    ],
    [
      'without category among several',
      { lines: two, allowanceCharges: [allowance('1')] },
      /tax category is missing.*AllowanceCharge\/cac:TaxCategory/u,
    ],
    [
      'without amount',
      { allowanceCharges: [allowance('1', { amount: null })] },
      /amount is missing.*AllowanceCharge\/cbc:Amount/u,
    ],
  ];
  for (const [what, content, message] of refused) {
    test(`${what} makes the conversion fail`, () => assert.match(failureOf(invoice(content)), message));
  }

  test('of lines that come back can be stated with them, as the message about it advises', () => {
    const returned = line({ count: '-1', allowanceCharges: [allowance('10')], lineExtension: denars('-110') });
    const { docTotals } = documentOf(invoice({ lines: [line({ count: '5' }), returned] }));
    assert.equal(docTotals.docNetAmountDisc, 390);
  });
});

describe('a charge on the whole document', () => {
  const charge = allowance('50', { isCharge: true, reason: 'Превоз', taxCategories: [category('S', '5')] });

  test('becomes an item of its own', () => {
    const { docItems, vatTotals } = documentOf(invoice({ allowanceCharges: [charge] }));
    const [, item] = docItems;
    assert.deepEqual(
      [item?.docItemLineNo, item?.docItemDesc, item?.docItemQty, item?.docItemMUnit, item?.docItemTotalPriceWVat],
      [2, 'Превоз', 1, 'бр.', 52.5],
    );
    assert.deepEqual(
      vatTotals.map(({ vatCode }) => vatCode),
      ['DDV-A', 'DDV-B'],
    );
  });

  test('without a reason gets a default description, without a tax category that of the lines', () => {
    const [, item] = documentOf(invoice({ allowanceCharges: [allowance('50', { isCharge: true })] })).docItems;
    assert.deepEqual([item?.docItemDesc, item?.docItemVat], ['Дополнителен трошок', 18]);
  });

  test('without a tax category does not have the tax indicator of the first line where lines have several', () => {
    const charged = [allowance('50', { isCharge: true })];
    const indicators = (lines: readonly InvoiceLine[]) =>
      documentOf(invoice({ lines, allowanceCharges: charged })).docItems.map((item) => item.docItemTaxIndicator);
    const lines = [line({ tax: category('S', '18', 'DDV-PNPI-А') }), line()];
    assert.deepEqual(indicators(lines), ['DDV-PNPI-А', 'DDV-A', 'DDV-A']);
    assert.deepEqual(indicators(lines.toReversed()), ['DDV-A', 'DDV-PNPI-А', 'DDV-A']);
    const zeroRated = ['DDV-8', 'DDV-9'].map((code) => line({ tax: category('Z', '0', code) }));
    assert.match(
      failureOf(invoice({ lines: zeroRated, allowanceCharges: charged })),
      /AllowanceCharge\/cac:TaxCategory/u,
    );
  });

  test('is equal to a negative allowance, and the reverse', () => {
    assert.equal(documentOf(invoice({ allowanceCharges: [allowance('-50')] })).docTotals.docNetAmount, 150);
    const { docItems } = documentOf(invoice({ allowanceCharges: [allowance('-50', { isCharge: true })] }));
    assert.deepEqual(
      docItems.map((item) => item.docItemTotalPriceWoVat),
      [50],
    );
  });

  describe('with an allowance of its category', () => {
    const S5 = category('S', '5');
    const at5 = allowance('100', { isCharge: true, taxCategories: [S5] });
    const less = (amount: string) => allowance(amount, { taxCategories: [S5] });
    const itemsOf = (content: InvoiceContent) =>
      documentOf(content).docItems.map((one) => [
        one.docItemTotalOriginalPriceWoVat,
        one.docItemUnitDiscountAmount,
        one.docItemTotalPriceWoVat,
      ]);

    test('is reduced where no line has the category, whichever comes first', () => {
      for (const allowanceCharges of [
        [at5, less('10')],
        [less('10'), at5],
      ]) {
        const content = invoice({ allowanceCharges });
        const expected = [
          [100, 0, 100],
          [100, 10, 90],
        ];
        assert.deepEqual(itemsOf(content), expected);
        const [, row] = documentOf(content).vatTotals;
        assert.deepEqual([row?.vatPercent, row?.vatTaxableAmount, row?.vatAmount], [5, 90, 4.5]);
      }
    });

    test('is reduced with the lines where these are worth less', () => {
      const lines = [line({ price: '50', tax: S5 })];
      assert.deepEqual(itemsOf(invoice({ lines, allowanceCharges: [at5, less('60')] })), [
        [50, 20, 30],
        [100, 40, 60],
      ]);
      assert.match(
        failureOf(invoice({ lines, allowanceCharges: [at5, less('150.01')] })),
        /150\.01 exceeds .*: 150\.00;/u,
      );
    });

    test('stays as it is where the lines can be reduced', () => {
      const lines = [line({ price: '50', tax: S5 })];
      assert.deepEqual(itemsOf(invoice({ lines, allowanceCharges: [at5, less('50')] })), [
        [50, 50, 0],
        [100, 0, 100],
      ]);
    });
  });
});

describe('a line of a hundred billion denars and more', () => {
  const of = (price: string, count = '1') => invoice({ lines: [line(), line({ price, count, path: '/Invoice/big' })] });

  test('is sent to the last cent where fifteen digits hold its figures', () => {
    for (const [price, gross] of [
      ['99999999999.5', 117_999_999_999.41],
      ['100000000000', 118_000_000_000],
      ['999999999999.5', 1_179_999_999_999.41],
      ['8000000000000', 9_440_000_000_000],
    ] as const) {
      assert.equal(documentOf(of(price)).docItems[1]?.docItemTotalPriceWVat, gross);
    }
  });

  test('fails where they do not, with its amount, the figure and what to do', () => {
    for (const [price, figure] of [
      ['99999999999.99', '117999999999.9882'],
      ['100000000000.01', '118000000000.0118'],
      ['999999999999.99', '179999999999.9982'],
    ] as const) {
      const message = failureOf(of(price));
      const text = `Line “1” .*amount ${price}.* ${figure}, which has more than 15 digits; divide it into several lines`;
      assert.match(message, new RegExp(`^${text.replaceAll('.', '\\.').replaceAll('\\.*', '.*')}.*/Invoice/big`, 'u'));
    }
  });
});
