import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type {
  ExchangeRate,
  InvoiceContent,
  PartyIdentifier,
  PaymentTerms,
  TaxCategory,
  TaxTotal,
} from '../../../src/domain/documents/invoice-content.ts';
import type { DocumentView } from '../../../src/domain/views/document-view.ts';
import { viewOfContent } from '../../../src/domain/views/view-of-content.ts';
import {
  allowance,
  category,
  denars,
  documentOf,
  identifier,
  inEuros,
  invoice,
  line,
  PERSONAL_NUMBER,
  party,
  rate,
  reference,
  terms,
  totals,
} from '../../adapters/ujp/conversion/sample-content.ts';
import { BETA_EDB } from '../../support/ubl-samples.ts';

type Subtotal = readonly [tax: TaxCategory, taxable: string, vat: string];

const [STANDARD, REDUCED] = [category('S', '18'), category('S', '5')];

function view(content: InvoiceContent): DocumentView {
  return viewOfContent(content, []);
}

function taxTotal(currency: string | null, amount: string, ...subtotals: readonly Subtotal[]): TaxTotal {
  const path = '/Invoice/cac:TaxTotal';
  return {
    path,
    amount: { value: amount, currency },
    subtotals: subtotals.map(([tax, taxable, vat]) => ({
      path: `${path}/cac:TaxSubtotal`,
      taxable: { value: taxable, currency },
      tax: { value: vat, currency },
      category: tax,
    })),
  };
}

test('a UBL document is called what its type code says', () => {
  const called = (value: string, kind: InvoiceContent['kind'] = 'Invoice') => {
    const shown = view(invoice({ kind, typeCode: { value, name: null } }));
    return [shown.kind, shown.amends?.how ?? null];
  };
  assert.deepEqual(called('380'), ['invoice', null]);
  assert.deepEqual(called('383'), ['debit-note', null]);
  assert.deepEqual(called('84'), ['debit-note', null]);
  assert.deepEqual(called('384'), ['invoice', 'correction']);
  assert.deepEqual(called('386'), ['advance-invoice', null]);
  assert.deepEqual(called('381', 'CreditNote'), ['credit-note', null]);
});

test('a UBL document is called what a directive makes it', () => {
  const stated = (value: string) => reference('additional', '', { id: { value, scheme: 'UJP:docType' } });
  const ways: readonly ((code: string) => Partial<InvoiceContent>)[] = [
    (code) => ({ references: [stated(code)] }),
    (code) => ({ profile: { value: `UJP:docType:${code}`, scheme: null } }),
    (code) => ({ typeCode: { value: '380', name: code } }),
  ];
  for (const way of ways) {
    const called = (code: string) => {
      const content = invoice(way(code));
      assert.equal(documentOf(content).header.docType, code);
      const { kind, typeName } = view(content);
      return [kind, typeName];
    };
    assert.deepEqual(called('130'), ['advance-invoice', null]);
    assert.deepEqual(called('120'), ['debit-note', null]);
    assert.deepEqual(called('110'), ['credit-note', null]);
    assert.deepEqual(called('160'), ['invoice', null], 'a type that we have no word for');
  }
  assert.equal(view(invoice({ typeCode: { value: '380', name: 'Фактура' } })).typeName, 'Фактура');
});

test('the rate that is shown of a line is that of VAT, whichever tax it states first', () => {
  const excise = { ...category('S', '5'), scheme: 'EXC' };
  const taxed = line();
  const content = invoice({ lines: [{ ...taxed, item: { ...taxed.item, taxCategories: [excise, STANDARD] } }] });
  assert.equal(documentOf(content).docItems[0]?.docItemVat, 18);
  assert.equal(view(content).lines[0]?.vatPercent, '18');
});

test('what was prepaid is shown of the totals, else the sum of the prepayments, as it is registered', () => {
  const payments = ['30', '20.50'].map((value) => ({
    path: '/p',
    id: null,
    amount: denars(value),
    receivedDate: null,
  }));
  const paid = (more: Partial<InvoiceContent>) => {
    const content = invoice({ prepaidPayments: payments, ...more });
    const shown = view(content).totals.find(({ name }) => name === 'prepaid')?.amount;
    assert.equal(documentOf(content).docTotals.docAvansAmount, Number(shown ?? 0));
    return shown;
  };
  assert.equal(paid({}), '50.5');
  assert.equal(paid({ totals: totals({ prepaid: '50.50' }) }), '50.50');
  assert.equal(paid({ prepaidPayments: [] }), undefined);
  const [first, second] = payments.map((one, index) => ({ ...one, id: `АФ-${index}` }));
  const prepaidPayments = [first ?? assert.fail(), { ...(second ?? assert.fail()), receivedDate: '2026-10-01' }];
  assert.deepEqual(view(invoice({ prepaidPayments: [...prepaidPayments, ...payments] })).prepayments, [
    { number: 'АФ-0', date: null },
    { number: 'АФ-1', date: '2026-10-01' },
  ]);
  const unpaid = view(invoice({ prepaidPayments: prepaidPayments.map((one) => ({ ...one, amount: null })) }));
  assert.deepEqual(unpaid.totals, [{ name: 'prepaid', amount: null }], 'has a row for those that are named');
});

test('a UBL document is due on the days that it and its terms state, each once', () => {
  const paymentTerms = ['2026-12-02', '2027-01-02', null].map((dueDate) => terms({ dueDate }));
  assert.deepEqual(view(invoice({ paymentTerms })).dueDates, ['2026-12-02', '2027-01-02']);
  assert.deepEqual(view(invoice({ dueDate: '2027-01-02', paymentTerms })).dueDates, ['2027-01-02', '2026-12-02']);
  assert.deepEqual(view(invoice()).dueDates, []);
});

test('the days within which to pay are the registered ones: not those of a discount, nor other periods', () => {
  const inDays = (value: string, more: Partial<PaymentTerms> = {}, unit = 'DAY') =>
    terms({ settlementPeriod: { value, unit }, ...more });
  for (const [paymentTerms, days] of [
    [[inDays('30')], '30'],
    [[inDays('0')], '0'],
    [[inDays('10', { discountPercent: '2' }), inDays('30'), inDays('60')], '30'],
    [[inDays('10', { discountAmount: denars('50') })], null],
    [[inDays('1', {}, 'MON')], null],
    [[terms({})], null],
  ] as const) {
    const content = invoice({ paymentTerms });
    assert.equal(view(content).dueDays, days);
    assert.equal(documentOf(content).docPayment.docPaymentTypeDueDays?.toString() ?? null, days);
  }
});

suite('the VAT that is shown of a UBL document', () => {
  const lines = [line({ price: '1000', tax: STANDARD }), line({ price: '1000', tax: REDUCED })];
  const stated = totals({ taxExclusive: '2000', taxInclusive: '2230' });
  const of18 = taxTotal('MKD', '180', [STANDARD, '1000', '180']);
  const of5 = taxTotal('MKD', '50', [REDUCED, '1000', '50']);
  const both = taxTotal('MKD', '230', [STANDARD, '1000', '180'], [REDUCED, '1000', '50']);
  const withTotals = (...taxTotals: readonly TaxTotal[]) => invoice({ lines, totals: stated, taxTotals });

  function shownVat(content: InvoiceContent): readonly unknown[] {
    const shown = view(content);
    const vat = shown.totals.find(({ name }) => name === 'vat')?.amount;
    return [vat, ...shown.vat.map((row) => `${row.percent} %: ${row.vat}`)];
  }

  const ROWS = ['18 %: 180', '5 %: 50'];

  test('is that of all tax totals, as it is registered', () => {
    for (const content of [withTotals(both), withTotals(of18, of5)]) {
      assert.equal(documentOf(content).docTotals.docVatAmount, 230);
      assert.deepEqual(shownVat(content), ['230', ...ROWS]);
    }
    const inTwo = withTotals(taxTotal('MKD', '180'), taxTotal(null, '50'));
    assert.equal(documentOf(inTwo).docTotals.docVatAmount, 230);
    assert.deepEqual(shownVat(inTwo), ['230']);
  });

  test('has the part of a tax total without subtotals, also where it is as large as the others', () => {
    const parts = withTotals(of18, taxTotal('MKD', '50'));
    const large = [line({ price: '1000', tax: STANDARD }), line({ price: '3600', tax: REDUCED })];
    const ofLarge = totals({ taxExclusive: '4600', taxInclusive: '4960' });
    const equalParts = { ...withTotals(of18, taxTotal('MKD', '180')), lines: large, totals: ofLarge };
    for (const [content, vat] of [
      [parts, 230],
      [equalParts, 360],
    ] as const) {
      assert.equal(documentOf(content).docTotals.docVatAmount, vat);
      assert.deepEqual(shownVat(content), [String(vat), '18 %: 180']);
    }
  });

  test('counts once what is repeated, without subtotals or in the currency of the tax', () => {
    assert.deepEqual(shownVat(withTotals(taxTotal('MKD', '230'), both)), ['230', ...ROWS]);
    assert.deepEqual(shownVat(withTotals(both, taxTotal('MKD', '230'))), ['230', ...ROWS]);
    const whole = [taxTotal('MKD', '230', [STANDARD, '1000', '180']), taxTotal('MKD', '230', [REDUCED, '1000', '50'])];
    assert.deepEqual(shownVat(withTotals(...whole)), ['230', ...ROWS]);
    const euros = taxTotal('EUR', '1.82', [STANDARD, '10.10', '1.82']);
    const inDenars = [taxTotal('MKD', '112.28'), taxTotal('MKD', '112.28', [STANDARD, '623.12', '112.28'])];
    for (const repeated of inDenars) {
      assert.deepEqual(shownVat(inEuros({ taxTotals: [repeated, euros] })), ['1.82', '18 %: 1.82']);
      assert.deepEqual(shownVat(inEuros({ taxTotals: [euros, repeated] })), ['1.82', '18 %: 1.82']);
      assert.deepEqual(shownVat(inEuros({ taxTotals: [repeated] })), [undefined], 'denars are no euros');
    }
  });

  test('has the reason that all its lines state, where its subtotal states none', () => {
    const notes = (reasons: readonly (string | null)[], ...rows: readonly TaxCategory[]) => {
      const taxes = reasons.map((exemptionReason) => ({ ...category('E', '0'), exemptionReason }));
      const total = taxTotal('MKD', '0', ...rows.map((tax): Subtotal => [tax, '100', '0']));
      return view(invoice({ lines: taxes.map((tax) => line({ tax })), taxTotals: [total] })).vat.map(
        ({ note }) => note,
      );
    };
    const plain = category('E', '0');
    assert.deepEqual(notes(['член 24', 'член 24'], plain), ['член 24']);
    assert.deepEqual(notes(['член 24'], category('E', '0', 'DDV-9')), ['DDV-9']);
    assert.deepEqual(notes(['член 24', null], plain), [null]);
    assert.deepEqual(notes(['член 24', 'член 23'], plain), [null]);
    assert.deepEqual(notes(['член 24'], plain, category('E', '0', 'DDV-9')), [null, 'DDV-9']);
    const exempt = { ...plain, exemptionReason: 'член 24' };
    const noteBeside = (more: Partial<InvoiceContent>, ...taxes: readonly TaxCategory[]) => {
      const lines = [line({ tax: exempt, item: { taxCategories: [exempt, ...taxes] } }), ...(more.lines ?? [])];
      const total = taxTotal('MKD', '0', [plain, '100', '0']);
      return view(invoice({ taxTotals: [total], ...more, lines })).vat.map(({ note }) => note);
    };
    const charged = (isCharge: boolean, tax: TaxCategory, amount = '1') => ({
      allowanceCharges: [allowance(amount, { isCharge, taxCategories: [tax] })],
    });
    assert.deepEqual(noteBeside(charged(true, plain)), [null], 'a charge has another');
    assert.deepEqual(noteBeside(charged(true, exempt)), ['член 24']);
    assert.deepEqual(noteBeside({ allowanceCharges: [allowance('1', { isCharge: true })] }), ['член 24']);
    assert.deepEqual(noteBeside(charged(false, plain)), ['член 24'], 'what is deducted has none of its own');
    assert.deepEqual(noteBeside(charged(false, plain, '-1')), [null], 'a negative allowance is a charge');
    assert.deepEqual(noteBeside(charged(true, plain, '-1')), ['член 24'], 'and the reverse');
    assert.deepEqual(noteBeside(charged(true, plain, '0.00')), ['член 24'], 'what is worth nothing is not registered');
    assert.deepEqual(noteBeside({ lines: [line({ item: { taxCategories: [] } })] }), [null], 'a line says nothing');
    assert.deepEqual(noteBeside({}, { ...plain, scheme: 'EXC' }), ['член 24'], 'another tax says nothing of VAT');
    const excise = taxTotal('MKD', '0', [{ ...plain, scheme: 'EXC' }, '100', '0']);
    assert.deepEqual(noteBeside({ taxTotals: [excise] }), [null], 'nor VAT of another tax');
    const taxed = category('S', '18.0', 'DDV-PNPI-А');
    const rates = taxTotal('MKD', '23', [category('S', '18'), '100', '18'], [category('S', '5'), '100', '5']);
    const lines = [taxed, category('S', '5')].map((tax) => line({ tax }));
    assert.deepEqual(
      view(invoice({ lines, taxTotals: [rates] })).vat.map(({ note }) => note),
      ['DDV-PNPI-А', null],
      'each rate has its own',
    );
  });

  test('is without other taxes, which are named', () => {
    const excise = { ...category('S', null), scheme: 'EXC' };
    const content = withTotals(of18, of5, taxTotal('MKD', '7', [excise, '1000', '7']));
    const shown = view(content);
    assert.equal(shown.totals.find(({ name }) => name === 'vat')?.amount, '230');
    assert.deepEqual(
      shown.vat.map(({ code }) => code),
      [null, null, 'EXC'],
    );
    const mixed = taxTotal('MKD', '237', [STANDARD, '1000', '180'], [REDUCED, '1000', '50'], [excise, '1000', '7']);
    assert.equal(shownVat(withTotals(mixed))[0], '230');
  });

  test('is as it is stated where there is one total, also in a document without a currency', () => {
    assert.deepEqual(shownVat(withTotals({ ...both, amount: { value: '230.01', currency: 'MKD' } })), [
      '230.01',
      ...ROWS,
    ]);
    assert.deepEqual(shownVat(withTotals({ ...both, amount: null })), ['230', ...ROWS]);
    assert.deepEqual(shownVat({ ...withTotals(both), currency: null }), ['230', ...ROWS]);
    assert.deepEqual(shownVat(withTotals()), [undefined]);
  });
});

suite('the exchange rate that is shown of a UBL document', () => {
  const shownRate = (...exchangeRates: readonly ExchangeRate[]) => view(inEuros({ exchangeRates })).exchangeRate;
  const fromDenars = rate({ sourceCurrency: 'MKD', targetCurrency: 'EUR', rate: '0.016260' });
  const toDollars = rate({ targetCurrency: 'USD', rate: '1.08' });

  test('is denars for one unit of its currency, as it is registered, however it is stated', () => {
    const official = { currency: 'EUR', date: '2026-11-02', rate: 61.5 };
    const stated = [
      rate({ rate: '61.50' }),
      rate({ sourceBaseRate: '100', rate: '6150' }),
      rate({ ...fromDenars, operator: 'divide', rate: '61.5' }),
      fromDenars,
    ];
    for (const one of stated) {
      const content = inEuros({ exchangeRates: [toDollars, one] });
      const { docCurrencyExchRate } = documentOf(content, { exchangeRate: official }).docPayment;
      assert.equal(shownRate(toDollars, one), String(docCurrencyExchRate));
    }
    assert.equal(shownRate(fromDenars), '61.5006150062');
    assert.equal(shownRate(fromDenars, rate({ rate: '61.5' })), '61.5', 'the exact one of those that agree');
  });

  test('is none where the document states none into denars, or several, or one that cannot be read', () => {
    assert.equal(shownRate(), null);
    assert.equal(shownRate(toDollars), null);
    assert.equal(shownRate(rate(), rate({ rate: '61.5' })), null);
    assert.equal(shownRate(rate({ operator: 'add' })), null);
    assert.equal(shownRate(rate({ rate: '0' })), null);
    for (const currency of ['MKD', null]) {
      for (const one of [toDollars, rate()]) {
        assert.equal(view(invoice({ currency, exchangeRates: [one] })).exchangeRate, null);
      }
    }
  });
});

suite('a line that is shown of a UBL document', () => {
  const shownLine = (parts: Parameters<typeof line>[0]) =>
    view(invoice({ lines: [line(parts)] })).lines[0] ?? assert.fail();

  test('says for how many units its price is, unless it is for one', () => {
    const { quantity, unitPrice, priceBase } = shownLine({ count: '5000', price: '100.00', base: '1000' });
    assert.deepEqual([quantity, unitPrice, priceBase], ['5000', '100.00', { quantity: '1000', unit: null }]);
    assert.equal(shownLine({}).priceBase, null);
    for (const one of ['1', '1.00']) assert.equal(shownLine({ base: one }).priceBase, null);
    const { price, ...own } = line({ unit: 'KGM' });
    const priceOf = (unit: string, value = '1') => {
      const baseQuantity = { value, unit };
      return view(invoice({ lines: [{ ...own, price: price === null ? null : { ...price, baseQuantity } }] })).lines[0];
    };
    assert.equal(priceOf('KGM')?.priceBase, null);
    assert.deepEqual(priceOf('TNE')?.priceBase, { quantity: '1', unit: 'TNE' }, 'a price for another unit');
    assert.deepEqual(priceOf('KGM', '10')?.priceBase, { quantity: '10', unit: 'KGM' });
  });

  test('has its allowances and charges, which its amount contains', () => {
    const allowanceCharges = [allowance('5.00', { reason: 'Рабат' }), allowance('1.00', { isCharge: true })];
    const { allowances } = shownLine({ count: '4', price: '25.00', allowanceCharges });
    assert.deepEqual(allowances, [
      { isCharge: false, reason: 'Рабат', amount: '5.00' },
      { isCharge: true, reason: null, amount: '1.00' },
    ]);
    const many = shownLine({ allowanceCharges: Array.from({ length: 5_000 }, () => allowance('1')) });
    assert.equal(many.allowances.length, 50);
  });
});

suite('the numbers that are shown of a party in a UBL document', () => {
  const withNumbers = (country: string | null, ...identifiers: readonly PartyIdentifier[]) =>
    invoice({ customer: party({ country, identifiers }) });

  function shownNumbers(...given: Parameters<typeof withNumbers>): readonly (string | null)[] {
    const { taxNumber, companyNumber } = view(withNumbers(...given)).buyer;
    return [taxNumber, companyNumber];
  }

  const legal = (value: string) => identifier('legal-entity', value);
  const customer = identifier('identification', 'KUP-77');
  const vat = (value: string) => identifier('tax-scheme', value, 'VAT');

  test('are the EDB, as it is registered, wherever it stands, and the number of the company', () => {
    const edbs = [
      [[legal(BETA_EDB), customer], null],
      [[legal('7000023'), customer, identifier('endpoint', BETA_EDB)], '7000023'],
      [[vat('без број'), legal('7000023'), identifier('identification', BETA_EDB)], '7000023'],
      [[vat(BETA_EDB), legal(`MK ${BETA_EDB}`), legal('7000023')], '7000023'],
    ] as const;
    for (const country of ['MK', null]) {
      for (const [identifiers, companyNumber] of edbs) {
        assert.equal(documentOf(withNumbers(country, ...identifiers)).buyer.buyerTin, BETA_EDB);
        assert.deepEqual(shownNumbers(country, ...identifiers), [BETA_EDB, companyNumber]);
      }
    }
  });

  test('are none that the document does not state as such', () => {
    assert.deepEqual(shownNumbers('MK', legal('7000023'), customer), [null, '7000023']);
    assert.deepEqual(shownNumbers('MK', customer), [null, null]);
    assert.deepEqual(shownNumbers('MK', vat('403'), customer), ['403', null], 'a wrong one is shown as it is');
    assert.deepEqual(shownNumbers('MK', identifier('tax-scheme', 'A-1', 'LOC'), customer), [null, null]);
  });

  test('are neither the personal number of a buyer nor that of a location, which are not registered', () => {
    const personal = [
      vat(`MK${PERSONAL_NUMBER}`),
      legal(PERSONAL_NUMBER),
      identifier('identification', PERSONAL_NUMBER),
    ];
    const location = identifier('identification', '5310000000017', 'GLN');
    for (const one of [...personal, location]) {
      assert.deepEqual(shownNumbers('MK', one), [null, null], one.source);
      assert.deepEqual(shownNumbers('MK', one, identifier('endpoint', BETA_EDB)), [BETA_EDB, null], one.source);
    }
  });

  test('are abroad those that are registered', () => {
    const abroad = [
      [
        [vat('DE123456789'), legal('HRB 1')],
        ['DE123456789', 'HRB 1'],
      ],
      [
        [vat('DE123456789'), legal('DE 123456789')],
        ['DE123456789', null],
      ],
      [
        [legal('HRB 1'), customer],
        ['HRB 1', null],
      ],
      [
        [vat('DE123456789'), identifier('endpoint', BETA_EDB)],
        ['DE123456789', null],
      ],
    ] as const;
    for (const [identifiers, expected] of abroad) {
      assert.equal(documentOf(withNumbers('DE', ...identifiers), { buyer: null }).buyer.buyerForeignTin, expected[0]);
      assert.deepEqual(shownNumbers('DE', ...identifiers), expected);
    }
  });
});

test('an amount in another currency than that of the document says so', () => {
  const [taken, own] = [line(), line({ lineExtension: denars('100') })];
  const price = own.price && { ...own.price, amount: denars('100') };
  const stated = { ...totals(), taxExclusive: { value: '2', currency: 'EUR' }, payable: denars('123.00') };
  const shown = view(inEuros({ lines: [{ ...own, price, allowanceCharges: [allowance('5')] }], totals: stated }));
  const [first] = shown.lines;
  assert.deepEqual([first?.net, first?.unitPrice, first?.allowances[0]?.amount], ['100 MKD', '100 MKD', '5 MKD']);
  assert.deepEqual(
    shown.totals.map(({ name, amount }) => [name, amount]),
    [
      ['net', '2'],
      ['payable', '123.00 MKD'],
    ],
  );
  assert.equal(view(invoice({ lines: [taken] })).lines[0]?.unitPrice, '100');
});
