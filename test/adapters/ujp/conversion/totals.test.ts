import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { InvoiceContent, TaxCategory } from '../../../../src/domain/documents/invoice-content.ts';
import { EXEMPT_NOTE, REVERSE_CHARGE_NOTE } from './authority-lists.ts';
import {
  allowance,
  category,
  converted,
  denars,
  documentOf,
  failureOf,
  invoice,
  line,
  texts,
  totals,
} from './sample-content.ts';

/** The numbers of an item, in the order of the authority's examples. */
function itemNumbers(content: InvoiceContent): readonly (number | undefined)[] {
  const [item] = documentOf(content).docItems;
  return [
    item?.docItemUnitOriginalPriceWoVat,
    item?.docItemUnitDiscountAmount,
    item?.docItemUnitPriceWoVat,
    item?.docItemUnitVat,
    item?.docItemVat,
    item?.docItemTotalOriginalPriceWoVat,
    item?.docItemTotalPriceWoVat,
    item?.docItemTotalVat,
    item?.docItemTotalPriceWVat,
  ];
}

function sums(net: number, discount: number, netDisc: number, vat: number, gross: number, rounded: number) {
  return {
    docNetAmount: net,
    docDiscountAmount: discount,
    docNetAmountDisc: netDisc,
    docVatAmount: vat,
    docGrossAmount: gross,
    docGrossAmountR: rounded,
    docAvansDate: null,
    docAvansDesc: null,
    docAvansAmount: 0,
    docFinalAmount: rounded,
  };
}

describe("the authority's examples are reproduced exactly:", () => {
  test('100 denars including 5 % VAT', () => {
    const stated = totals({ lineExtension: '95.24', taxExclusive: '95.24', taxInclusive: '100.00', payable: '100.00' });
    const own = line({ price: '100', base: '1.05', tax: category('S', '5'), lineExtension: denars('95.2381') });
    const content = invoice({ lines: [own], totals: stated });
    assert.deepEqual(itemNumbers(content), [95.2381, 0, 95.2381, 4.7619, 5, 95.2381, 95.2381, 4.7619, 100]);
    assert.deepEqual(documentOf(content).docTotals, sums(95.24, 0, 95.24, 4.76, 100, 100));
    assert.deepEqual(documentOf(content).vatTotals, [
      {
        vatTaxIndicator: 'DDV-B',
        vatTaxIndicatorNote: '',
        vatCode: 'DDV-B',
        vatPercent: 5,
        vatTaxableAmount: 95.24,
        vatAmount: 4.76,
        vatTotalAmount: 100,
      },
    ]);
  });

  /** Two pieces at 2000/1.18 each, less 10 %. */
  function twoPieces(tax: TaxCategory): InvoiceContent {
    const discount = allowance('338.983050847457627118644067797');
    return invoice({ lines: [line({ count: '2', price: '2000', base: '1.18', allowanceCharges: [discount], tax })] });
  }
  const unitAmounts = [1694.9153, 169.4915, 1525.4237, 0];
  const itemTotals = [3389.8305, 3050.8475, 0, 3050.8475];

  test('exempt from VAT with a discount of 10 %', () => {
    const content = twoPieces(category('E', '0', 'DDV-9'));
    assert.deepEqual(itemNumbers(content), [...unitAmounts, 0, ...itemTotals]);
    assert.deepEqual(documentOf(content).docTotals, sums(3389.83, 338.98, 3050.85, 0, 3050.85, 3051));
    assert.deepEqual(documentOf(content).vatTotals, [
      {
        vatTaxIndicator: 'DDV-9',
        vatTaxIndicatorNote: EXEMPT_NOTE,
        vatCode: 'DDV-G',
        vatPercent: 0,
        vatTaxableAmount: 3050.85,
        vatAmount: 0,
        vatTotalAmount: 3050.85,
      },
    ]);
  });

  test('the same under reverse charge: the VAT appears in the VAT row only', () => {
    const content = twoPieces(category('AE', '0', 'DDV-11-A'));
    assert.deepEqual(itemNumbers(content), [...unitAmounts, 18, ...itemTotals]);
    assert.deepEqual(documentOf(content).docTotals, sums(3389.83, 338.98, 3050.85, 0, 3050.85, 3051));
    assert.deepEqual(documentOf(content).vatTotals, [
      {
        vatTaxIndicator: 'DDV-11-A',
        vatTaxIndicatorNote: REVERSE_CHARGE_NOTE,
        vatCode: 'DDV-A',
        vatPercent: 18,
        vatTaxableAmount: 3050.85,
        vatAmount: 549.15,
        vatTotalAmount: 3600,
      },
    ]);
  });
});

describe('totals', () => {
  test('have one VAT row for each combination of tax group and indicator', () => {
    const lines = [
      line({ tax: category('S', '18') }),
      line({ tax: category('S', '5') }),
      line({ tax: category('S', '18.00') }),
      line({ tax: category('S', '18', 'DDV-PNPI-А') }),
    ];
    const rows = documentOf(invoice({ lines })).vatTotals;
    assert.deepEqual(
      rows.map((row) => [row.vatCode, row.vatTaxIndicator, row.vatTaxableAmount, row.vatAmount, row.vatTotalAmount]),
      [
        ['DDV-A', 'DDV-A', 200, 36, 236],
        ['DDV-B', 'DDV-B', 100, 5, 105],
        ['DDV-A', 'DDV-PNPI-А', 100, 18, 118],
      ],
    );
  });

  test('round half a denar away from zero', () => {
    const { docTotals } = documentOf(invoice({ lines: [line({ price: '100.50', tax: category('E', '0') })] }));
    assert.deepEqual(
      [docTotals.docGrossAmount, docTotals.docGrossAmountR, docTotals.docFinalAmount],
      [100.5, 101, 101],
    );
  });

  test('deduct the prepaid amount, stated or summed up from the prepayments', () => {
    const prepaidPayments = [
      { path: '/Invoice/cac:PrepaidPayment[1]', id: 'АВ-1', amount: denars('20'), receivedDate: '2026-10-01' },
      { path: '/Invoice/cac:PrepaidPayment[2]', id: 'АВ-2', amount: denars('30'), receivedDate: '2026-10-15' },
    ];
    for (const stated of [totals({ prepaid: '50.00', payable: '68.00' }), totals({ payable: '68.00' })]) {
      const { payload, warnings } = converted(invoice({ prepaidPayments, totals: stated }));
      const { docTotals } = payload.document;
      assert.deepEqual(texts(warnings), [
        'There are several prepayments; only one amount for all of them, 50.00, was sent (/Invoice/cac:PrepaidPayment[1]/cbc:PaidAmount).',
        'The prepayments were received on several days; only the last, 2026-10-15, was sent (/Invoice/cac:PrepaidPayment[1]/cbc:ReceivedDate).',
      ]);
      assert.deepEqual(
        [docTotals.docAvansAmount, docTotals.docAvansDate, docTotals.docAvansDesc, docTotals.docFinalAmount],
        [50, '2026-10-15', 'АВ-1, АВ-2', 68],
      );
    }
    const unpaid = prepaidPayments.map((one) => ({ ...one, amount: null }));
    const { payload, warnings } = converted(invoice({ prepaidPayments: unpaid }));
    assert.equal(payload.document.docTotals.docAvansDesc, null);
    assert.deepEqual(texts(warnings), [
      'By its totals nothing of the document is prepaid: the numbers and dates of its prepayments were left out; if something is prepaid, state the amount (/Invoice/cac:PrepaidPayment[1]).',
    ]);
  });

  test('take the stated prepaid amount where the prepayments add up to another one, with a warning', () => {
    const path = '/Invoice/cac:PrepaidPayment';
    const warned = (prepaid: string, ...paid: readonly (string | null)[]) => {
      const prepaidPayments = paid.map((value) => ({
        path,
        id: null,
        amount: value === null ? null : denars(value),
        receivedDate: null,
      }));
      const { payload, warnings } = converted(invoice({ prepaidPayments, totals: totals({ prepaid }) }));
      assert.equal(payload.document.docTotals.docAvansAmount, Number(prepaid));
      return texts(warnings.filter(({ code }) => code === 'PREPAID-TOTAL-DIFFERS'));
    };
    assert.deepEqual(warned('50', '20', '20'), [
      'As its prepaid amount the document states 50.00, but its prepayments add up to 40.00; the former was registered (/Invoice/cac:LegalMonetaryTotal/cbc:PrepaidAmount).',
    ]);
    assert.equal(warned('0', '20').length, 1);
    for (const paid of [['50.00'], ['49.995', '0.001'], [], ['20', null]]) assert.deepEqual(warned('50', ...paid), []);
  });

  const refused: readonly (readonly [string, Partial<InvoiceContent>, RegExp])[] = [
    ['a prepayment above the total', { totals: totals({ prepaid: '119' }) }, /prepaid amount exceeds/u],
    [
      'a prepayment above the total and nothing to pay',
      { totals: totals({ prepaid: '120', payable: '0' }) },
      /prepaid amount exceeds .* 120\.00 of 118\.00; .* only as much of it as this document uses up/u,
    ],
    ['a negative prepayment', { totals: totals({ prepaid: '-1' }) }, /prepaid amount is negative/u],
    [
      'too many digits',
      { lines: [line({ price: '99999999999' }), ...Array(200).fill(line({ price: '99999999999' }))] },
      /more than 15 digits/u,
    ],
  ];
  for (const [what, content, message] of refused) {
    test(`with ${what} make the conversion fail`, () => assert.match(failureOf(invoice(content)), message));
  }
});

describe('the totals that the document states', () => {
  const stated = {
    lineExtension: '100.00',
    taxExclusive: '100.00',
    taxInclusive: '118.00',
    payable: '118.00',
  } as const;
  const taxTotal = (value: string, currency = 'MKD') => ({
    path: '/Invoice/cac:TaxTotal',
    amount: { value, currency },
    subtotals: [],
  });

  test('are the same to the cent as what is registered; more than two decimals are rounded', () => {
    const same = { lineExtension: '100', taxExclusive: '100.001', taxInclusive: '118.0000', payable: '118.00' };
    const content = invoice({ totals: totals(same), taxTotals: [taxTotal('18.004'), taxTotal('0.29', 'EUR')] });
    assert.equal(converted(content).outcome, 'converted');
  });

  test('have no tolerance however many lines there are', () => {
    const lines = Array.from({ length: 20 }, () => line({ price: '10.005', lineExtension: denars('10.01') }));
    const rounded = { lineExtension: '200.20', taxExclusive: '200.20', taxInclusive: '236.24' };
    const { docTotals } = documentOf(invoice({ lines, totals: totals(rounded) }));
    assert.deepEqual(
      [docTotals.docNetAmountDisc, docTotals.docVatAmount, docTotals.docGrossAmount],
      [200.2, 36.04, 236.24],
    );
    const off = totals({ ...rounded, taxInclusive: '236.25' });
    assert.match(failureOf(invoice({ lines, totals: off }), 'TOTALS-MISMATCH'), /states 236\.25, but .* 236\.24; /u);
  });

  test('may state the VAT in several tax totals', () => {
    assert.equal(converted(invoice({ taxTotals: [taxTotal('10'), taxTotal('8')] })).outcome, 'converted');
  });

  const rows: readonly (readonly [Partial<InvoiceContent>, RegExp])[] = [
    [
      { totals: totals({ ...stated, lineExtension: '100.01' }) },
      /states 100\.01, but the lines add up to 100\.00; .*LineExtensionAmount/u,
    ],
    [{ totals: totals({ ...stated, taxExclusive: '99.99' }) }, /states 99\.99, but .* 100\.00; .*TaxExclusiveAmount/u],
    [
      { totals: totals({ ...stated, taxInclusive: '118.01' }) },
      /states 118\.01, but .* 118\.00; .*TaxInclusiveAmount/u,
    ],
    [
      { totals: totals({ ...stated, payable: '118.01' }) },
      /states 118\.01, but by total, prepaid amount and rounding it is 118\.00; .*PayableAmount/u,
    ],
    [
      { totals: totals({ ...stated, rounding: '-0.01' }) },
      /states -0\.01, but rounding the total, before the prepaid amount, to whole denars gives 0\.00; .*PayableRoundingAmount/u,
    ],
    [
      { taxTotals: [taxTotal('18.01')] },
      /states 18\.01, but the VAT of its tax categories adds up to 18\.00; .*TaxTotal\/cbc:TaxAmount/u,
    ],
  ];
  for (const [content, message] of rows) {
    test(`that differ by a cent make the conversion fail: ${message.source}`, () =>
      assert.match(failureOf(invoice(content), 'TOTALS-MISMATCH'), message));
  }
});

test('totals from which an allowance was not deducted are told what they consist of, not the sum of the lines alone', () => {
  const reduced = (more: Partial<InvoiceContent>) =>
    failureOf(invoice({ allowanceCharges: [allowance('10')], ...more }), 'TOTALS-MISMATCH');
  const given = 'its lines, allowances and charges';
  assert.ok(reduced({ totals: totals({ taxExclusive: '100' }) }).includes(`100.00, but ${given} add up to 90.00;`));
  const gross = reduced({ totals: totals({ taxInclusive: '118' }) });
  assert.ok(gross.includes(`118.00, but ${given} with their VAT add up to 106.20;`), gross);
  const row = {
    path: '/Invoice/subtotal',
    taxable: denars('100'),
    tax: denars('16.20'),
    category: category('S', '18'),
  };
  const taxTotals = [{ path: '/Invoice/cac:TaxTotal', amount: null, subtotals: [row] }];
  assert.match(reduced({ taxTotals }), /states 100\.00, but the lines, allowances and charges .* add up to 90\.00;/u);
  const allowances = [allowance('60'), allowance('60')];
  assert.match(failureOf(invoice({ allowanceCharges: allowances })), /of 60\.00 exceeds what is left .*: 40\.00;/u);
});

describe('the sums of allowances and charges of the whole document (BT-107, BT-108)', () => {
  const content = (stated: Parameters<typeof totals>[0]) =>
    invoice({
      lines: [line({ price: '100', allowanceCharges: [allowance('7')] })],
      allowanceCharges: [allowance('10'), allowance('2.5'), allowance('4', { isCharge: true })],
      totals: totals(stated),
    });
  const warned = (stated: Parameters<typeof totals>[0]) =>
    converted(content(stated)).warnings.map(({ code, text }) => `${code} ${text}`);

  test('may be left out, and are accepted where they are right', () => {
    for (const stated of [{}, { allowanceTotal: '12.50', chargeTotal: '4' }, { chargeTotal: '4.00' }]) {
      assert.deepEqual(warned(stated), []);
    }
  });

  test('that differ are warned of with both figures, because what is registered does not depend on them', () => {
    assert.deepEqual(warned({ allowanceTotal: '19.50', chargeTotal: '0' }), [
      'ALLOWANCE-TOTAL-DIFFERS As the sum of its allowances the document states 19.50, but they add up to 12.50; the latter was registered (/Invoice/cac:LegalMonetaryTotal/cbc:AllowanceTotalAmount).',
      'ALLOWANCE-TOTAL-DIFFERS As the sum of its charges the document states 0.00, but they add up to 4.00; the latter was registered (/Invoice/cac:LegalMonetaryTotal/cbc:ChargeTotalAmount).',
    ]);
  });
});
