import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { neededLookups } from '../../../../src/adapters/ujp/conversion/needed-lookups.ts';
import type { ExchangeRate, InvoiceContent, TaxTotal } from '../../../../src/domain/documents/invoice-content.ts';
import {
  category,
  converted,
  denars,
  documentOf,
  failureOf,
  inEuros,
  invoice,
  rate,
  texts,
  totals,
} from './sample-content.ts';

describe('a document in another currency', () => {
  const FROM_DENARS = { sourceCurrency: 'MKD', targetCurrency: 'EUR' };
  const SERVED = { currency: 'EUR', date: '2026-11-02', rate: 61.5 };
  const euros = (value: string) => ({ value, currency: 'EUR' });

  test('keeps its amounts, rounded to two decimals, with the stated exchange rate', () => {
    const { docPayment, docTotals } = documentOf(inEuros());
    assert.deepEqual(
      [docPayment.docCurrency, docPayment.docCurrencyCode, docPayment.docCurrencyExchRate, docPayment.docCurrencyDate],
      ['EUR', 'EUR', 61.695, '2026-10-30'],
    );
    assert.deepEqual(
      [docTotals.docGrossAmount, docTotals.docGrossAmountR, docTotals.docFinalAmount],
      [11.92, 11.92, 11.92],
    );
    assert.equal(neededLookups(inEuros()).exchangeRate, null);
  });

  test('fails until it is confirmed for the taxpayer that the authority takes it', () => {
    const message = failureOf(inEuros(), 'NOT-EXPRESSIBLE', { foreignCurrency: false });
    assert.match(message, /“EUR”.*not certain.*tenant set 4030026000018 --foreign-currency yes.*DocumentCurrencyCode/u);
    assert.equal(documentOf(invoice(), { foreignCurrency: false }).docPayment.docCurrency, 'MKD');
  });

  test('may have a prepaid amount with decimals', () => {
    const paid = { ...totals(), prepaid: euros('1.92') };
    assert.equal(documentOf(inEuros({ totals: paid })).docTotals.docFinalAmount, 10);
  });

  test('without a stated rate uses the one that was looked up', () => {
    const content = inEuros({ exchangeRates: [] });
    assert.deepEqual(neededLookups(content).exchangeRate, { currency: 'EUR', date: '2026-11-02' });
    const exchangeRate = { currency: 'EUR', date: '2026-11-02', rate: 61.5 };
    const { docPayment } = documentOf(content, { exchangeRate });
    assert.deepEqual([docPayment.docCurrencyExchRate, docPayment.docCurrencyDate], [61.5, '2026-11-02']);
  });

  test('fails if the rate that was looked up is of another day than the one asked for', () => {
    const exchangeRate = { currency: 'EUR', date: '2026-11-01', rate: 61.5 };
    const message = failureOf(inEuros({ exchangeRates: [] }), 'NOT-EXPRESSIBLE', { exchangeRate });
    assert.match(message, /rate of EUR on 2026-11-01, not on .* 2026-11-02; state the rate.*PaymentExchangeRate/u);
  });

  test('dates a rate without a date by the document, and divides a rate for a hundred units', () => {
    const hundred = rate({ sourceBaseRate: '100', rate: '6169.5', operator: null, date: null });
    const { docPayment } = documentOf(inEuros({ exchangeRates: [hundred] }));
    assert.deepEqual([docPayment.docCurrencyExchRate, docPayment.docCurrencyDate], [61.695, '2026-11-02']);
  });

  /** What the euro is worth in denars, stated in each way that UBL has. */
  const ways: readonly (readonly [string, Partial<ExchangeRate>, number])[] = [
    ['from denars, to be divided', { ...FROM_DENARS, operator: 'Divide' }, 61.695],
    [
      'from denars for a hundred units',
      { ...FROM_DENARS, operator: 'Divide', sourceBaseRate: '100', rate: '0.61695' },
      61.695,
    ],
    ['from denars, to be multiplied', { ...FROM_DENARS, rate: '0.0162087689' }, 61.6950001675],
    ['from denars without an operator', { ...FROM_DENARS, operator: null, rate: '0.0162' }, 61.7283950617],
    ['of a hundred denars', { ...FROM_DENARS, sourceBaseRate: '100', rate: '1.62' }, 61.7283950617],
    ['into denars, to be divided', { operator: 'Divide', rate: '0.0162' }, 61.7283950617],
    [
      'into denars for a hundred units, to be divided',
      { operator: 'divide', sourceBaseRate: '100', rate: '0.000162' },
      61.7283950617,
    ],
  ];
  for (const [name, more, expected] of ways) {
    test(`has the rate that is stated ${name}`, () => {
      const content = inEuros({ exchangeRates: [rate(more)] });
      const { payload, warnings } = converted(content, { exchangeRate: SERVED });
      const { docCurrencyExchRate, docCurrencyDate } = payload.document.docPayment;
      assert.deepEqual([docCurrencyExchRate, docCurrencyDate, warnings], [expected, '2026-10-30', []]);
    });
  }

  test('needs the rate of the National Bank to confirm one that has to be inverted', () => {
    const inverse = inEuros({ exchangeRates: [rate({ ...FROM_DENARS, rate: '0.0162' })] });
    assert.deepEqual(neededLookups(inverse).exchangeRate, { currency: 'EUR', date: '2026-11-02' });
    assert.match(failureOf(inverse), /“MKD → EUR, multiply 0\.0162”.*no rate that would confirm.*PaymentExchangeRate/u);
    const divided = inEuros({ exchangeRates: [rate({ ...FROM_DENARS, operator: 'Divide' })] });
    assert.equal(neededLookups(divided).exchangeRate, null);
  });

  test('fails where a rate was stated with the wrong direction or operator', () => {
    for (const more of [FROM_DENARS, { operator: 'Divide' }]) {
      const content = inEuros({ exchangeRates: [rate(more)] });
      const message = failureOf(content, 'NOT-EXPRESSIBLE', { exchangeRate: SERVED });
      assert.match(message, /61\.695” makes one EUR 0\.0162087689\d* denars, and the National Bank has 61\.5/u);
    }
  });

  test('fails where a rate is far from that of the National Bank, as one for a denar or for a hundred units', () => {
    for (const [value, found] of [
      ['0.0162', '0.0162'],
      ['1', '1'],
      ['6169.5', '6169.5'],
    ] as const) {
      const content = inEuros({ exchangeRates: [rate({ rate: value })] });
      assert.deepEqual(neededLookups(content).exchangeRate, { currency: 'EUR', date: '2026-11-02' });
      const message = failureOf(content, 'NOT-EXPRESSIBLE', { exchangeRate: SERVED });
      assert.match(message, new RegExp(`makes one EUR ${found} denars, and the National Bank has 61\\.5`, 'u'));
      assert.equal(
        documentOf(content).docPayment.docCurrencyExchRate,
        Number(found),
        'nothing tells where it serves none',
      );
    }
    assert.equal(neededLookups(inEuros({ exchangeRates: [rate({ rate: '1.01' })] })).exchangeRate, null);
    const small = { exchangeRate: { ...SERVED, rate: 0.0161 } };
    const { docPayment } = documentOf(inEuros({ exchangeRates: [rate({ rate: '0.0162' })] }), small);
    assert.equal(docPayment.docCurrencyExchRate, 0.0162, 'some currencies are worth little');
  });

  test('fails where a rate for a hundred yen, as in the list of the National Bank, is stated for one', () => {
    const exchangeRate = { currency: 'JPY', date: '2026-11-02', rate: 0.347258 };
    const inYen = (value: string, more: Partial<ExchangeRate> = {}) => {
      const lines = inEuros().lines.map((line) => {
        const price = line.price && { ...line.price, amount: { value: '1010', currency: 'JPY' } };
        return { ...line, price };
      });
      const exchangeRates = [rate({ sourceCurrency: 'JPY', rate: value, ...more })];
      return inEuros({ currency: 'JPY', lines, exchangeRates });
    };
    assert.deepEqual(neededLookups(inYen('34.7258')).exchangeRate, { currency: 'JPY', date: '2026-11-02' });
    const message = failureOf(inYen('34.7258'), 'NOT-EXPRESSIBLE', { exchangeRate });
    assert.match(message, /makes one JPY 34\.7258 denars, and the National Bank has 0\.347258; .*for one JPY/u);
    for (const content of [inYen('0.347'), inYen('34.7258', { sourceBaseRate: '100' })]) {
      assert.ok(documentOf(content, { exchangeRate }).docPayment.docCurrencyExchRate < 0.35);
    }
  });

  test('compares every rate of a currency of which a hundred units are worth less than a hundred denars', () => {
    for (const currency of ['ALL', 'HUF', 'INR', 'ISK', 'KRW', 'PHP', 'RSD']) {
      const content = inEuros({ currency, exchangeRates: [rate({ sourceCurrency: currency, rate: '93.45' })] });
      assert.deepEqual(neededLookups(content).exchangeRate, { currency, date: '2026-11-02' });
    }
  });

  test('takes rates for payment, tax and prices that say the same, and fails where they differ', () => {
    const tax = rate({ path: '/Invoice/cac:TaxExchangeRate', date: '2026-10-31' });
    const inverse = rate({ ...FROM_DENARS, rate: '0.016209' });
    const { docPayment } = documentOf(inEuros({ exchangeRates: [inverse, tax] }));
    assert.deepEqual([docPayment.docCurrencyExchRate, docPayment.docCurrencyDate], [61.695, '2026-10-31']);
    const other = { ...tax, rate: '61.5' };
    assert.match(
      failureOf(inEuros({ exchangeRates: [rate(), other] })),
      /several exchange rates.*“EUR → MKD, multiply 61\.695” and “EUR → MKD, multiply 61\.5”.*TaxExchangeRate/u,
    );
  });

  const unreadable: readonly Partial<ExchangeRate>[] = [
    { operator: 'add' },
    { rate: '0' },
    { rate: '-1' },
    { sourceBaseRate: '0' },
    { targetBaseRate: '100' },
    { ...FROM_DENARS, rate: `1${'0'.repeat(40)}` },
  ];
  for (const more of unreadable) {
    test(`fails with what was found for a rate with ${JSON.stringify(more)}`, () => {
      const content = inEuros({ exchangeRates: [rate(more)] });
      const message = failureOf(content, 'NOT-EXPRESSIBLE', { exchangeRate: SERVED });
      assert.match(message, /exchange rate “(?:EUR → MKD|MKD → EUR), .*” cannot be read.*PaymentExchangeRate/u);
      assert.equal(neededLookups(content).exchangeRate, null);
    });
  }

  test('has the rate of the National Bank, with a warning, where none into denars is stated', () => {
    for (const more of [{ targetCurrency: 'USD' }, { sourceCurrency: 'USD' }, { rate: null }]) {
      const content = inEuros({ exchangeRates: [rate(more)] });
      assert.notEqual(neededLookups(content).exchangeRate, null);
      const { payload, warnings } = converted(content, { exchangeRate: SERVED });
      assert.equal(payload.document.docPayment.docCurrencyExchRate, 61.5);
      assert.match(texts(warnings).join(), /states no exchange rate between EUR and MKD/u);
    }
  });

  test('does not use the rate of another currency', () => {
    const exchangeRate = { currency: 'JPY', date: '2026-11-01', rate: 0.38 };
    assert.match(
      failureOf(inEuros({ exchangeRates: [] }), 'NOT-EXPRESSIBLE', { exchangeRate }),
      /PaymentExchangeRate/u,
    );
  });

  test('must be in a currency that the authority lists', () => {
    assert.match(failureOf(invoice({ currency: 'XAU' })), /“XAU” is not in .*DocumentCurrencyCode/u);
    assert.match(failureOf(invoice({ currency: null })), /currency of the document is missing/u);
  });
});

describe('a stated rate that other amounts in denars contradict', () => {
  const [one] = inEuros().lines;
  assert.ok(one !== undefined);
  const EXPORT = category('G', '0');
  /** 10.10 EUR without VAT, which are 623.12 denars. */
  const exported = (taxable: string, payable: string, more: Partial<InvoiceContent> = {}) => {
    const path = '/Invoice/cac:TaxTotal';
    const subtotal = { path: `${path}/cac:TaxSubtotal`, taxable: denars(taxable), tax: denars('0'), category: EXPORT };
    return inEuros({
      lines: [{ ...one, item: { ...one.item, taxCategories: [EXPORT] } }],
      taxTotals: [{ path, amount: denars('0'), subtotals: [subtotal] }],
      totals: totals({ payableAlternative: payable }),
      ...more,
    });
  };
  const at = (value: string) => ({ exchangeRates: [rate({ rate: value })] });

  test('is taken where they follow from it, converted as a whole or by line, an amount to pay also in whole denars', () => {
    for (const [taxable, payable] of [
      ['623.12', '623.12'],
      ['623.43', '623'],
      ['622.81', '622.30'],
    ] as const) {
      assert.equal(documentOf(exported(taxable, payable)).docPayment.docCurrencyExchRate, 61.695);
    }
  });

  /** 1010.01 EUR, which are 62312.57 denars. */
  const large = (taxable: string, payable: string, more: Partial<InvoiceContent> = {}) => {
    const price = one.price && { ...one.price, amount: { value: '1010.01', currency: 'EUR' } };
    const line = { ...one, quantity: one.quantity && { ...one.quantity, value: '1' }, price, allowanceCharges: [] };
    const lines = [{ ...line, extension: null, item: { ...one.item, taxCategories: [EXPORT] } }];
    return exported(taxable, payable, { lines, ...more });
  };

  test('is taken where they are in whole denars, each part rounded by itself', () => {
    for (const whole of ['62313', '62312', '62313.00']) assert.ok(documentOf(large(whole, whole)));
    assert.match(failureOf(large('62314', '62313'), 'TOTALS-MISMATCH'), /states 62314\.00, but 1010\.01 EUR/u);
    assert.match(failureOf(large('62311.10', '62313'), 'TOTALS-MISMATCH'), /states 62311\.1/u);
  });

  test('is taken where it has fewer decimals than the rate at which they were converted', () => {
    for (const value of ['61.695', '61.70', '61.7', '62']) assert.ok(documentOf(large('62312.57', '62313', at(value))));
    const exchangeRate = { currency: 'EUR', date: '2026-11-02', rate: 61.695 };
    const inverse = { sourceCurrency: 'MKD', targetCurrency: 'EUR', rate: '0.0162' };
    assert.ok(documentOf(large('62312.57', '62313', { exchangeRates: [rate(inverse)] }), { exchangeRate }));
    for (const value of ['61.7000', '61.68', '61.6', '0.016', '6170']) {
      assert.match(failureOf(large('62312.57', '62313', at(value)), 'TOTALS-MISMATCH'), /states 62312\.57/u);
    }
  });

  test('is contradicted by nothing at all in denars, whichever way round it is stated', () => {
    const exchangeRate = { currency: 'EUR', date: '2026-11-02', rate: 61.695 };
    const inverse = rate({ sourceCurrency: 'MKD', targetCurrency: 'EUR', rate: '0.0162' });
    for (const exchangeRates of [[inverse], [rate()]]) {
      assert.match(failureOf(large('0', '0', { exchangeRates }), 'TOTALS-MISMATCH', { exchangeRate }), /states 0\.00/u);
    }
  });

  test('fails with both figures, the wrong way round, for a hundred units, or of another day', () => {
    for (const value of ['0.0162', '6169.5', '61.5']) {
      const message = failureOf(exported('623.12', '623', at(value)), 'TOTALS-MISMATCH');
      assert.match(message, /“G” at 0 % the document states 623\.12, but 10\.10 EUR at the exchange rate/u);
      assert.match(message, /cac:TaxSubtotal\/cbc:TaxableAmount/u);
    }
    for (const value of ['0.0162', '6169.5', '61.3']) {
      const message = failureOf(exported('623.12', '623', { ...at(value), taxTotals: [] }), 'TOTALS-MISMATCH');
      assert.match(message, /amount to pay in denars .* 623\.00, but 10\.10 EUR .*\/cbc:PayableAlternativeAmount/u);
    }
  });

  test('is compared with the total or with what is left to pay of it', () => {
    const prepaid = { value: '5.00', currency: 'EUR' };
    for (const payableAlternative of ['623.12', '314.64']) {
      const content = exported('623.12', '0', { totals: { ...totals({ payableAlternative }), prepaid } });
      assert.equal(documentOf(content).docTotals.docFinalAmount, 5.1);
    }
  });

  test('is not compared where the document states no rate, or amounts in a third currency', () => {
    const exchangeRate = { currency: 'EUR', date: '2026-11-02', rate: 60 };
    assert.ok(documentOf(exported('623.12', '623', { exchangeRates: [] }), { exchangeRate }));
    const payableAlternative = { value: '11', currency: 'USD' };
    assert.ok(documentOf(exported('623.12', '0', { totals: { ...totals(), payableAlternative } })));
  });
});

describe('the VAT in denars of a document in another currency', () => {
  /** 1.82 EUR of VAT at 61.695 are 112.2849 denars. */
  const statedVat = (denarAmount: string, more: Partial<InvoiceContent> = {}) => {
    const own: TaxTotal = {
      path: '/Invoice/cac:TaxTotal[1]',
      amount: { value: '1.82', currency: 'EUR' },
      subtotals: [],
    };
    const accounting: TaxTotal = { path: '/Invoice/cac:TaxTotal[2]', amount: denars(denarAmount), subtotals: [] };
    return inEuros({ taxTotals: [own, accounting], ...more });
  };

  test('may be that of the rounded or of the unrounded VAT', () => {
    // 10.10 EUR at 18 % are 1.818 EUR; the last two are as far as half a cent of VAT at the rate allows.
    for (const amount of ['112.28', '112.2849', '112.16', '112.59', '111.85']) {
      assert.equal(documentOf(statedVat(amount)).docTotals.docVatAmount, 1.82);
    }
  });

  test('may be in whole denars, and by a rate of which fewer decimals are stated', () => {
    // 61.695 and 61.704 are both 61.70; half a denar for the rounding, and half a cent of VAT at the rate.
    const rounded = { exchangeRates: [rate({ rate: '61.70' })] };
    for (const amount of ['112', '112.00', '113']) assert.ok(documentOf(statedVat(amount)), amount);
    for (const amount of ['111.98', '112.61']) assert.ok(documentOf(statedVat(amount, rounded)), amount);
    for (const amount of ['111', '114']) assert.match(failureOf(statedVat(amount), 'TOTALS-MISMATCH'), /112\.28/u);
    assert.match(failureOf(statedVat('111.75', rounded), 'TOTALS-MISMATCH'), /at the rate 61\.7 are 112\.29/u);
  });

  test('that does not follow from VAT and rate fails with both figures', () => {
    for (const amount of ['112.60', '111.84', '0', '1.82']) {
      const message = failureOf(statedVat(amount), 'TOTALS-MISMATCH');
      assert.match(
        message,
        new RegExp(`states ${Number(amount).toFixed(2)}, but 1\\.82 EUR at the rate 61\\.695 are 112\\.28`, 'u'),
      );
      assert.match(message, /\/Invoice\/cac:TaxTotal\[2\]\/cbc:TaxAmount/u);
    }
  });

  test('is compared at the rate of the National Bank where the document states none', () => {
    const exchangeRate = { currency: 'EUR', date: '2026-11-02', rate: 61.5 };
    assert.ok(documentOf(statedVat('111.93', { exchangeRates: [] }), { exchangeRate }));
    const message = failureOf(statedVat('118.30', { exchangeRates: [] }), 'TOTALS-MISMATCH', { exchangeRate });
    assert.match(message, /118\.30, but 1\.82 EUR at the rate 61\.5 are 111\.93/u);
  });

  test('may be off by half a cent of each tax category', () => {
    const [one] = inEuros().lines;
    assert.ok(one !== undefined);
    const reduced = { ...one, item: { ...one.item, taxCategories: [category('S', '5')] } };
    const taxTotals = (value: string): readonly TaxTotal[] => [
      { path: '/Invoice/cac:TaxTotal', amount: denars(value), subtotals: [] },
    ];
    // 1.82 + 0.51 EUR
    const content = (value: string) => inEuros({ lines: [one, reduced], taxTotals: taxTotals(value) });
    assert.equal(documentOf(content('144.37')).docTotals.docVatAmount, 2.33);
    assert.match(failureOf(content('144.40'), 'TOTALS-MISMATCH'), /2\.33 EUR at the rate 61\.695 are 143\.75/u);
  });

  test('may be that of the lines where the VAT of each of them was rounded', () => {
    const [one] = inEuros().lines;
    assert.ok(one !== undefined);
    // 1.818 is rounded to 1.82 ten times, which makes 0.02 EUR; 18.18 EUR at the rate are 1121.62 denars.
    const own: TaxTotal = {
      path: '/Invoice/cac:TaxTotal[1]',
      amount: { value: '18.20', currency: 'EUR' },
      subtotals: [
        {
          path: '/Invoice/cac:TaxTotal[1]/cac:TaxSubtotal',
          taxable: { value: '101.00', currency: 'EUR' },
          tax: { value: '18.20', currency: 'EUR' },
          category: category('S', '18'),
        },
      ],
    };
    const content = (value: string) => {
      const accounting: TaxTotal = { path: '/Invoice/cac:TaxTotal[2]', amount: denars(value), subtotals: [] };
      return inEuros({ lines: Array(10).fill(one), taxTotals: [own, accounting] });
    };
    for (const value of ['1121.62', '1121.70', '1122.85']) {
      assert.equal(documentOf(content(value)).docTotals.docVatAmount, 18.2);
    }
    for (const value of ['1121.20', '1123.30']) {
      assert.match(failureOf(content(value), 'TOTALS-MISMATCH'), /18\.20 EUR at the rate 61\.695 are 1122\.85/u);
    }
  });

  test('in a third currency is not compared, nor is a second total of a document in denars', () => {
    const dollars: TaxTotal = { path: '/Invoice/cac:TaxTotal', amount: { value: '7', currency: 'USD' }, subtotals: [] };
    assert.ok(documentOf(inEuros({ taxTotals: [dollars] })));
    assert.ok(documentOf(invoice({ taxTotals: [dollars] })));
  });
});

test('a rate that no member takes is left out with a warning: of other currencies, and of a document in denars', () => {
  const toDollars = rate({ targetCurrency: 'USD', rate: '1.08', path: '/Invoice/cac:PaymentAlternativeExchangeRate' });
  assert.deepEqual(texts(converted(inEuros({ exchangeRates: [rate(), toDollars] })).warnings), [
    "Left out, because the authority's form has no member for it: the exchange rate “EUR → USD, multiply 1.08” (/Invoice/cac:PaymentAlternativeExchangeRate).",
  ]);
  const { payload, warnings } = converted(invoice({ exchangeRates: [rate(), rate({ sourceCurrency: 'MKD' })] }));
  assert.equal(payload.document.docPayment.docCurrencyExchRate, 1);
  assert.deepEqual(texts(warnings), [
    "Left out, because the authority's form has no member for it: the exchange rate “EUR → MKD, multiply 61.695” (/Invoice/cac:PaymentExchangeRate).",
  ]);
});
