import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { InvoiceLine, TaxCategory, TaxTotal } from '../../../../../src/domain/documents/invoice-content.ts';
import { indicator, LISTS } from '../authority-lists.ts';
import { allowance, category, denars, documentOf, failureOf, invoice, line, totals } from '../sample-content.ts';

const S18 = category('S', '18');
const S10 = category('S', '10');
const S5 = category('S', '5');

type Subtotal = readonly [TaxCategory | null, string, string];

function taxTotal(amount: string, ...subtotals: readonly Subtotal[]): TaxTotal {
  const path = '/Invoice/cac:TaxTotal';
  return {
    path,
    amount: denars(amount),
    subtotals: subtotals.map(([of, taxable, tax], index) => ({
      path: `${path}/cac:TaxSubtotal[${index + 1}]`,
      taxable: denars(taxable),
      tax: denars(tax),
      category: of,
    })),
  };
}

function linesOf(tax: TaxCategory, ...amounts: readonly string[]) {
  return amounts.map((price) => line({ price, tax, lineExtension: denars(price) }));
}

/** The VAT of every item, of the document and of every VAT row. */
function vatOf(content: Parameters<typeof documentOf>[0]) {
  const { docItems, docTotals, vatTotals } = documentOf(content);
  return [
    docItems.map((item) => item.docItemTotalVat),
    docTotals.docVatAmount,
    vatTotals.map(({ vatAmount }) => vatAmount),
  ];
}

describe('the VAT of an item', () => {
  test('is the rate of its net where the category is rounded once', () => {
    const content = invoice({
      lines: linesOf(S18, '10.01', '10.02'),
      taxTotals: [taxTotal('3.61', [S18, '20.03', '3.61'])],
    });
    assert.deepEqual(vatOf(content), [[1.8018, 1.8036], 3.61, [3.61]]);
  });

  test('adds up to the stated VAT where the issuer rounded it line by line, largest items first, half a cent at most', () => {
    const lines = linesOf(S18, '10.03', '20.03', '30.03');
    const up = invoice({ lines, taxTotals: [taxTotal('10.83', [S18, '60.09', '10.83'])] });
    assert.deepEqual(vatOf(up), [[1.8092, 3.6104, 5.4104], 10.83, [10.83]]);
  });

  test('never changes its sign, and stays zero on what costs nothing', () => {
    const lines = linesOf(S18, '0.00', '0.02', '0.02', '0.02', '0.02', '0.02', '0.02');
    const content = invoice({ lines, taxTotals: [taxTotal('0.00', [S18, '0.12', '0.00'])] });
    assert.deepEqual(vatOf(content), [[0, 0, 0, 0, 0, 0, 0], 0, [0]]);
  });

  test('adds up to the document where the rounding of three rates together is more than a cent', () => {
    const lines = [...linesOf(S18, '0.25'), ...linesOf(S10, '0.05'), ...linesOf(S5, '0.10')];
    const rows: readonly Subtotal[] = [
      [S18, '0.25', '0.05'],
      [S10, '0.05', '0.01'],
      [S5, '0.10', '0.01'],
    ];
    assert.deepEqual(vatOf(invoice({ lines, taxTotals: [taxTotal('0.07', ...rows)] })), [
      [0.05, 0.01, 0.01],
      0.07,
      [0.05, 0.01, 0.01],
    ]);
  });
});

describe('the VAT of a category', () => {
  test('is divided over the rows of its tax indicators', () => {
    const split = [...linesOf(S18, '0.70'), ...linesOf(category('S', '18', 'DDV-PNPI-А'), '0.70')];
    const content = invoice({ lines: split, taxTotals: [taxTotal('0.25', [S18, '1.40', '0.25'])] });
    assert.deepEqual(vatOf(content), [[0.13, 0.12], 0.25, [0.13, 0.12]]);
  });

  test('is divided over these rows so that each is the VAT of its lines, rounded, but for the cents that are left', () => {
    // Each would be 0.0054, and both together 0.0108.
    const tiny = [...linesOf(S18, '0.03'), ...linesOf(category('S', '18', 'DDV-PNPI-А'), '0.03')];
    const content = invoice({ lines: tiny, taxTotals: [taxTotal('0.01', [S18, '0.06', '0.01'])] });
    assert.deepEqual(vatOf(content), [[0.01, 0], 0.01, [0.01, 0]]);
  });

  test('is divided over these rows in the same way whatever the order of the lines', () => {
    const lines = [...linesOf(S18, '43.14'), ...linesOf(category('S', '18', 'DDV-PNPI-А'), '147.59')];
    const rows = (own: typeof lines) =>
      documentOf(invoice({ lines: own })).vatTotals.map((row) => `${row.vatTaxIndicator} ${row.vatAmount}`);
    assert.deepEqual(rows(lines.toReversed()), rows(lines).toReversed());
  });

  test('is that of the lines where only the VAT of the document is stated, and each line was rounded', () => {
    const lines = linesOf(S18, '10.03', '20.03', '30.03');
    const only = (stated: string, own = lines) => invoice({ lines: own, taxTotals: [taxTotal(stated)] });
    assert.deepEqual(vatOf(only('10.83')), [[1.8092, 3.6104, 5.4104], 10.83, [10.83]]);
    assert.deepEqual(vatOf(only('10.82')), [[1.8054, 3.6054, 5.4054], 10.82, [10.82]]);
    assert.match(failureOf(only('10.84'), 'TOTALS-MISMATCH'), /states 10\.84, but .* adds up to 10\.82; /u);
    const rates = [...lines, ...linesOf(S5, '10.11', '20.11', '30.11')];
    // By the rates 10.8162 and 3.0165, of which the first is rounded up by more.
    assert.deepEqual(vatOf(only('13.83', rates)).slice(1), [13.83, [10.81, 3.02]]);
    assert.match(failureOf(only('13.90', rates), 'TOTALS-MISMATCH'), /states 13\.90, but .* adds up to 13\.84; /u);
  });

  test('is that of the lines, each rounded, where subtotals state the VAT of other categories alone', () => {
    const lines = [...linesOf(S18, '100.03'), ...linesOf(S5, '10.10', '20.10', '30.10'), ...linesOf(S10, '10.04')];
    const partial = (stated: string) => invoice({ lines, taxTotals: [taxTotal(stated, [S18, '100.03', '18.01'])] });
    // 3.015 at 5 %, but 0.51, 1.01 and 1.51 line by line; 1.004 at 10 %.
    assert.deepEqual(vatOf(partial('22.03')).slice(1), [22.03, [18.01, 3.02, 1]]);
    assert.deepEqual(vatOf(partial('22.04')).slice(1), [22.04, [18.01, 3.03, 1]]);
    assert.match(failureOf(partial('22.06'), 'TOTALS-MISMATCH'), /states 22\.06, but .* adds up to 22\.03; /u);
  });

  test('is divided over the categories so that the lines of each explain its part, where only the VAT of the document is stated', () => {
    const only = (stated: string, lines: readonly InvoiceLine[]) => invoice({ lines, taxTotals: [taxTotal(stated)] });
    // 1.9026 less 0.0270, rounded by themselves; 0.5055 is nearer to 0.50 than 1.8756 to 1.87, but has no discount to explain that.
    const discounted = line({ price: '10.57', tax: S18, allowanceCharges: [allowance('0.15')] });
    assert.deepEqual(vatOf(only('2.38', [discounted, ...linesOf(S5, '10.11')])), [[1.87, 0.51], 2.38, [1.87, 0.51]]);
    // 4.0040 and 3.6036 are 7.6076 together, but neither can be more than 4.00 and 3.60.
    const rounded = only('7.61', [...linesOf(S10, '40.04'), ...linesOf(S18, '20.02')]);
    assert.match(failureOf(rounded, 'TOTALS-MISMATCH'), /states 7\.61, but .* adds up to 7\.60; /u);
  });

  test('is divided over rows of which none explains a cent that is left where it is off the least', () => {
    // 0.0090 and 0.0018: with the cent they are off by 0.0110 or by 0.0082.
    const own = line({ price: '0.03', tax: category('S', '18', 'DDV-PNPI-А'), allowanceCharges: [allowance('0.02')] });
    const lines = [...linesOf(S18, '0.02', '0.03'), own];
    const content = invoice({ lines, taxTotals: [taxTotal('0.02', [S18, '0.06', '0.02'])] });
    assert.deepEqual(vatOf(content).slice(1), [0.02, [0.01, 0.01]]);
  });

  test('is never divided over a row whose items cost nothing', () => {
    // 0.0360 twice: both are rounded up, so that the cent that is left would be off the least on the free item.
    const lines = [
      ...linesOf(S18, '0.10', '0.10'),
      ...linesOf(category('S', '18', 'DDV-PNPI-А'), '0.10', '0.10'),
      ...linesOf(category('S', '18', 'DDV-vaucer-E'), '0.00'),
    ];
    const content = invoice({ lines, taxTotals: [taxTotal('0.09', [S18, '0.40', '0.09'])] });
    assert.deepEqual(vatOf(content).slice(1), [0.09, [0.04, 0.05, 0]]);
    const exempt = ['DDV-8', 'DDV-9'].flatMap((code) => linesOf(category('E', '0', code), '1.00'));
    const taxed = invoice({ lines: exempt, taxTotals: [taxTotal('0.01')] });
    assert.match(failureOf(taxed, 'TOTALS-MISMATCH'), /states 0\.01, but .* adds up to 0\.00; /u);
  });

  test('belongs to the only lines that fit where the subtotal leaves out category or rate', () => {
    for (const stated of [category('S', null), { ...S18, id: null }, null]) {
      const lines = linesOf(S18, '10.03', '20.03', '30.03');
      assert.equal(vatOf(invoice({ lines, taxTotals: [taxTotal('10.83', [stated, '60.09', '10.83'])] }))[1], 10.83);
    }
  });

  test('includes charges and allowances of the document', () => {
    const allowanceCharges = [
      allowance('10.00', { taxCategories: [S18] }),
      allowance('5.00', { isCharge: true, taxCategories: [S18] }),
    ];
    const content = invoice({ allowanceCharges, taxTotals: [taxTotal('17.10', [S18, '95.00', '17.10'])] });
    assert.equal(vatOf(content)[1], 17.1);
  });

  test('may be what a total with VAT leaves over its net, which was rounded first', () => {
    // 9013.00 with VAT are 7638.1356 without; of the rounded net it would be 1374.8652.
    const lines = linesOf(S18, '7638.14');
    const content = invoice({ lines, taxTotals: [taxTotal('1374.86', [S18, '7638.14', '1374.86'])] });
    assert.deepEqual(vatOf(content), [[1374.86], 1374.86, [1374.86]]);
    assert.equal(documentOf(content).docTotals.docGrossAmount, 9013);
    // 8333.35 with VAT are 7062.1610 without: no rounding gives 1271.18, which is 0.0088 less than the rate.
    const other = invoice({
      lines: linesOf(S18, '7062.16'),
      taxTotals: [taxTotal('1271.18', [S18, '7062.16', '1271.18'])],
    });
    assert.match(failureOf(other, 'TOTALS-MISMATCH'), /states 1271\.18, but the VAT .* is 1271\.19; /u);
  });

  test('may be almost a cent off for each item with a discount, whose VAT was rounded by itself', () => {
    // 285.6745 is rounded to 285.67 and 21.4255 to 21.43; of 5284.98 together it would be 264.25.
    const taxTotals = [taxTotal('264.24', [S5, '5284.98', '264.24'])];
    const lines = linesOf(S5, '5713.49');
    const allowanceCharges = [allowance('428.51', { taxCategories: [S5] })];
    assert.deepEqual(vatOf(invoice({ lines, allowanceCharges, taxTotals })), [[264.24], 264.24, [264.24]]);
    const own = line({ price: '5713.49', tax: S5, allowanceCharges: [allowance('428.51')] });
    assert.deepEqual(vatOf(invoice({ lines: [own], taxTotals })), [[264.24], 264.24, [264.24]]);
    const undiscounted = invoice({ lines: linesOf(S5, '5284.98'), taxTotals });
    assert.match(failureOf(undiscounted, 'TOTALS-MISMATCH'), /states 264\.24, but the VAT .* is 264\.25; /u);
    const cent = invoice({ lines: [own], taxTotals: [taxTotal('264.23', [S5, '5284.98', '264.23'])] });
    assert.match(failureOf(cent, 'TOTALS-MISMATCH'), /states 264\.23, but the VAT .* is 264\.25; /u);
  });

  test('is off by no more than half a cent for each item whose VAT is less than that', () => {
    const own = line({ price: '0.02', lineExtension: denars('0.01'), allowanceCharges: [allowance('0.01')] });
    for (const lines of [Array(100).fill(own), linesOf(S18, ...Array(100).fill('0.01'))]) {
      const content = (vat: string) => invoice({ lines, taxTotals: [taxTotal(vat, [S18, '1.00', vat])] });
      assert.equal(vatOf(content('0.68'))[1], 0.68);
      assert.match(failureOf(content('0.69'), 'TOTALS-MISMATCH'), /states 0\.69, but the VAT .* is 0\.18; /u);
    }
  });

  const refused: readonly (readonly [string, TaxTotal, RegExp])[] = [
    [
      'that no rounding explains',
      taxTotal('10.84', [S18, '60.09', '10.84']),
      /states 10\.84, but the VAT .* is 10\.82; .*TaxSubtotal\[1\]\/cbc:TaxAmount/u,
    ],
    [
      'on another sum than that of its lines',
      taxTotal('10.82', [S18, '60.10', '10.82']),
      /states 60\.10, but the lines, .* 60\.09; .*TaxableAmount/u,
    ],
    [
      'that no line has',
      taxTotal('10.82', [S18, '60.09', '10.82'], [S5, '1.00', '0.05']),
      /states 1\.00 and VAT of 0\.05 for the tax category “S” at 5 %, but no line has it/u,
    ],
    [
      'that is exempt',
      taxTotal('0.01', [S18, '60.09', '10.82'], [category('E', '0', 'DDV-9'), '0.00', '0.01']),
      /VAT of 0\.01 for the tax category “E”/u,
    ],
    [
      'and of the document that differ by a cent',
      taxTotal('10.83', [S18, '60.09', '10.82']),
      /states 10\.83, but the VAT of its tax categories adds up to 10\.82; .*TaxTotal\/cbc:TaxAmount/u,
    ],
  ];
  for (const [what, total, message] of refused) {
    test(`${what} makes the conversion fail`, () => {
      const content = invoice({ lines: linesOf(S18, '10.03', '20.03', '30.03'), taxTotals: [total] });
      assert.match(failureOf(content, 'TOTALS-MISMATCH'), message);
    });
  }

  test('may be repeated in a tax total without subtotals, as by issuers who state the currency of VAT though it is the same', () => {
    const lines = linesOf(S18, '100.00');
    const once = taxTotal('18.00', [S18, '100.00', '18.00']);
    const repeated = (amount: string) => invoice({ lines, taxTotals: [once, taxTotal(amount)] });
    assert.deepEqual(vatOf(repeated('18.00')), [[18], 18, [18]]);
    assert.match(
      failureOf(repeated('18.01'), 'TOTALS-MISMATCH'),
      /states 36\.01 \(18\.00 \+ 18\.01\), but .* 18\.00; /u,
    );
  });

  test('may be divided into two tax totals of the same amount of which one has no subtotals: the totals tell', () => {
    const lines = [...linesOf(S18, '100.00'), ...linesOf(S5, '360.00')];
    const taxTotals = [taxTotal('18.00'), taxTotal('18.00', [S18, '100.00', '18.00'])];
    const stating = (gross: string) =>
      invoice({ lines, taxTotals, totals: totals({ taxExclusive: '460.00', taxInclusive: gross }) });
    assert.deepEqual(vatOf(stating('496.00')), [[18, 18], 36, [18, 18]]);
    assert.match(failureOf(stating('478.00'), 'TOTALS-MISMATCH'), /states 18\.00, but .* 36\.00; /u);
  });

  test('that is stated in several places is refused with each figure that stands in the document, not with their sum alone', () => {
    const twice = taxTotal('18.00', [S18, '100.00', '18.00']);
    assert.match(
      failureOf(invoice({ taxTotals: [twice, twice] }), 'TOTALS-MISMATCH'),
      /taxable amount .* states 200\.00 \(100\.00 \+ 100\.00\), but .* 100\.00; /u,
    );
    const parts: readonly Subtotal[] = [
      [S18, '60.00', '10.80'],
      [S18, '50.00', '9.10'],
      [S18, '-10.00', '-1.80'],
    ];
    assert.match(
      failureOf(invoice({ taxTotals: [taxTotal('18.10', ...parts)] }), 'TOTALS-MISMATCH'),
      /VAT of the tax category .* states 18\.10 \(10\.80 \+ 9\.10 - 1\.80\), but .* 18\.00; /u,
    );
    const taxTotals = [...Array<string>(6).fill('3.00'), '0.01'].map((amount) => taxTotal(amount));
    assert.match(
      failureOf(invoice({ taxTotals }), 'TOTALS-MISMATCH'),
      /its VAT .* states 18\.01 \(3\.00 \+ 3\.00 \+ 3\.00 \+ 3\.00 \+ …\), but .* 18\.00; /u,
    );
  });

  test('of a reverse charge is refused as such, where only the indicator of the lines tells it, too', () => {
    const reversed = category('S', '18', 'DDV-11-A');
    const sentence =
      /“S” at 18 % the document states 18\.00, but it is 0\.00: lines with the tax indicator DDV-11-A are a reverse charge/u;
    const taxTotals = [taxTotal('18.00', [reversed, '100.00', '18.00'])];
    assert.match(failureOf(invoice({ lines: linesOf(reversed, '100.00'), taxTotals }), 'TOTALS-MISMATCH'), sentence);
    const AE18 = category('AE', '18');
    const ofCategory = [taxTotal('17.00', [AE18, '100.00', '17.00'])];
    assert.match(
      failureOf(invoice({ lines: linesOf(AE18, '100.00'), taxTotals: ofCategory }), 'TOTALS-MISMATCH'),
      /“AE” at 18 % .* states 17\.00, but it is 0\.00: .* DDV-11-A are a reverse charge/u,
    );
    const lines = [...linesOf(reversed, '100.00'), ...linesOf(S18, '50.00')];
    const together = (vat: string) => invoice({ lines, taxTotals: [taxTotal(vat, [S18, '150.00', vat])] });
    assert.match(failureOf(together('27.00'), 'TOTALS-MISMATCH'), /27\.00, but it is 9\.00: .* DDV-11-A/u);
    assert.match(failureOf(together('9.05'), 'TOTALS-MISMATCH'), /9\.05, but the VAT of the lines, .* is 9\.00;/u);
  });

  test('of a reverse charge is refused as such where a total alone states it', () => {
    const AE18 = category('AE', '18');
    const lines = [...linesOf(AE18, '100.00'), ...linesOf(S18, '50.00')];
    const subtotals: readonly Subtotal[] = [
      [AE18, '100.00', '0.00'],
      [S18, '50.00', '9.00'],
    ];
    const stated = (vat: string, more: Parameters<typeof totals>[0] = {}) =>
      failureOf(invoice({ lines, taxTotals: [taxTotal(vat, ...subtotals)], totals: totals(more) }), 'TOTALS-MISMATCH');
    assert.match(stated('27.00'), /As its VAT .* states 27\.00, but it is 9\.00: .* DDV-11-A are a reverse charge/u);
    assert.match(stated('26.00'), /As its VAT .* states 26\.00, but the VAT of its tax categories .* 9\.00; /u);
    assert.match(
      stated('9.00', { taxInclusive: '177.00' }),
      /As its total with VAT .* states 177\.00, but it is 159\.00: .* DDV-11-A are a reverse charge/u,
    );
    assert.match(
      stated('9.00', { taxInclusive: '159.00', prepaid: '9.00', payable: '168.00' }),
      /As the amount to pay .* states 168\.00, but it is 150\.00: .* DDV-11-A are a reverse charge/u,
    );
    assert.match(stated('9.00', { taxInclusive: '160.00' }), /160\.00, but its lines, .* add up to 159\.00; /u);
    const alone = invoice({ lines: linesOf(AE18, '100.00'), taxTotals: [taxTotal('17.00')] });
    assert.match(failureOf(alone, 'TOTALS-MISMATCH'), /states 17\.00, but it is 0\.00: .* are a reverse charge/u);
  });

  test('that only an allowance has is refused for the allowance', () => {
    const allowanceCharges = [allowance('1.00', { taxCategories: [S5] })];
    const taxTotals = [taxTotal('17.95', [S18, '100.00', '18.00'], [S5, '-1.00', '-0.05'])];
    assert.match(failureOf(invoice({ allowanceCharges, taxTotals })), /allowance .*cac:AllowanceCharge/u);
  });

  test('may be stated as zero for lines that are not there', () => {
    const taxTotals = [taxTotal('18.00', [S18, '100.00', '18.00'], [S5, '0.00', '0.00'])];
    assert.equal(vatOf(invoice({ taxTotals }))[1], 18);
  });
});

describe('subtotals that divide a category by tax indicator', () => {
  const E8 = category('E', '0', 'DDV-8');
  const E9 = category('E', '0', 'DDV-9');
  const ENFORCED = category('S', '18', 'DDV-PNPI-А');

  function divided(one: TaxCategory, other: TaxCategory, vat: string, ...subtotals: readonly Subtotal[]) {
    const lines = [...linesOf(one, '100.00'), ...linesOf(other, '200.00')];
    return invoice({ lines, taxTotals: [taxTotal(vat, ...subtotals)] });
  }
  const amountsOf = (content: Parameters<typeof documentOf>[0]) =>
    documentOf(content).vatTotals.map((row) => [row.vatTaxIndicator, row.vatTaxableAmount, row.vatAmount]);

  test('are the VAT rows', () => {
    const exempt = divided(E9, E8, '0.00', [E8, '200.00', '0.00'], [E9, '100.00', '0.00']);
    assert.deepEqual(amountsOf(exempt), [
      ['DDV-9', 100, 0],
      ['DDV-8', 200, 0],
    ]);
    const taxed = divided(S18, ENFORCED, '54.00', [S18, '100.00', '18.00'], [ENFORCED, '200.00', '36.00']);
    assert.deepEqual(amountsOf(taxed), [
      ['DDV-A', 100, 18],
      ['DDV-PNPI-А', 200, 36],
    ]);
  });

  test('may be off by less than a cent each, as parts of the VAT of the category', () => {
    const three = [S18, ENFORCED, category('S', '18', 'DDV-vaucer-E')];
    const lines = three.flatMap((tax) => linesOf(tax, '0.02'));
    const parts = (...vat: readonly string[]) =>
      invoice({
        lines,
        taxTotals: [taxTotal('0.01', ...three.map((tax, index): Subtotal => [tax, '0.02', vat[index] ?? '']))],
      });
    assert.deepEqual(amountsOf(parts('0.00', '0.01', '0.00')), [
      ['DDV-A', 0.02, 0],
      ['DDV-PNPI-А', 0.02, 0.01],
      ['DDV-vaucer-E', 0.02, 0],
    ]);
    assert.match(
      failureOf(parts('0.00', '0.02', '-0.01'), 'TOTALS-MISMATCH'),
      /“DDV-PNPI-А” .* states 0\.02, but .* is 0\.00; /u,
    );
  });

  test('that are off so have items that add up to them: together they would be more than a cent off the document', () => {
    // By the rate 180.0702 and 180.00.
    const parts = Array.from({ length: 8 }, (_, index) => ({
      tax: category('S', '18', `DDV-${index}`),
      net: index < 3 ? '1000.39' : '1000.00',
      vat: index < 3 ? '180.08' : '180.00',
    }));
    const content = invoice({
      lines: parts.flatMap(({ tax, net }) => linesOf(tax, net)),
      taxTotals: [taxTotal('1440.24', ...parts.map(({ tax, net, vat }): Subtotal => [tax, net, vat]))],
    });
    const taxIndicators = parts.map((_, index) => indicator(`DDV-${index}`, 'DDV-A', 'STANDARD'));
    const { docItems } = documentOf(content, { lists: { ...LISTS, taxIndicators } });
    assert.deepEqual(
      docItems.map((item) => item.docItemTotalVat),
      parts.map(({ vat }) => Number(vat)),
    );
  });

  test('are the VAT rows where VAT was rounded line by line, and the items add up to each of them', () => {
    const lines = [...linesOf(S18, ...Array(10).fill('1.03')), ...linesOf(ENFORCED, ...Array(10).fill('1.01'))];
    for (const [other, total] of [
      ['1.80', '3.70'],
      ['1.77', '3.67'],
    ] as const) {
      const taxTotals = [taxTotal(total, [S18, '10.30', '1.90'], [ENFORCED, '10.10', other])];
      const content = invoice({ lines, taxTotals });
      assert.deepEqual(amountsOf(content), [
        ['DDV-A', 10.3, 1.9],
        ['DDV-PNPI-А', 10.1, Number(other)],
      ]);
      const items = documentOf(content).docItems.map((item) => item.docItemTotalVat);
      const sums = [items.slice(0, 10), items.slice(10)].map((own) => own.reduce((sum, vat) => sum + vat));
      assert.deepEqual(
        sums.map((sum) => sum.toFixed(4)),
        ['1.9000', `${other}00`],
      );
    }
  });

  test('are rounded one by one where lines have more than two decimals', () => {
    const lines = [...linesOf(E9, '1.735'), ...linesOf(E8, '1.725')];
    for (const [eight, nine] of [
      ['1.73', '1.74'],
      ['1.725', '1.735'],
    ] as const) {
      const content = invoice({ lines, taxTotals: [taxTotal('0.00', [E8, eight, '0.00'], [E9, nine, '0.00'])] });
      assert.deepEqual(amountsOf(content), [
        ['DDV-9', 1.74, 0],
        ['DDV-8', 1.73, 0],
      ]);
      assert.equal(documentOf(content).docTotals.docNetAmountDisc, 3.46);
    }
  });

  test('have the same VAT rows in any order, with more than two decimals, too', () => {
    const lines = [...linesOf(S18, '10.25'), ...linesOf(ENFORCED, '20.25')];
    const subtotals: readonly Subtotal[] = [
      [S18, '10.25', '1.845'],
      [ENFORCED, '20.25', '3.645'],
    ];
    for (const own of [subtotals, subtotals.toReversed()]) {
      assert.deepEqual(amountsOf(invoice({ lines, taxTotals: [taxTotal('5.49', ...own)] })), [
        ['DDV-A', 10.25, 1.85],
        ['DDV-PNPI-А', 20.25, 3.64],
      ]);
    }
  });

  test('that do not divide it give the same VAT rows in any order of lines of the same size', () => {
    const lines = [...linesOf(S18, '0.02', '0.11', '0.22'), ...linesOf(ENFORCED, '0.02')];
    const taxTotals = [taxTotal('0.08', [S18, '0.37', '0.08'])];
    const rows = [
      ['DDV-A', 0.35, 0.07],
      ['DDV-PNPI-А', 0.02, 0.01],
    ];
    assert.deepEqual(amountsOf(invoice({ lines, taxTotals })), rows);
    assert.deepEqual(amountsOf(invoice({ lines: lines.toReversed(), taxTotals })), rows.toReversed());
  });

  test('tell which of them an allowance of the category reduces, where it states no code', () => {
    const lines = [...linesOf(S18, '100.00'), ...linesOf(ENFORCED, '200.00', '100.00')];
    const allowanceCharges = [
      allowance('30.00', { taxCategories: [S18] }),
      allowance('10.00', { taxCategories: [S18] }),
    ];
    const amounts = (total: TaxTotal, more = allowanceCharges) =>
      amountsOf(invoice({ lines, allowanceCharges: more, taxTotals: [total] }));
    const ordinary = taxTotal('64.80', [S18, '60.00', '10.80'], [ENFORCED, '300.00', '54.00']);
    assert.deepEqual(amounts(ordinary), [
      ['DDV-A', 60, 10.8],
      ['DDV-PNPI-А', 300, 54],
    ]);
    const both = taxTotal('64.80', [S18, '95.00', '17.10'], [ENFORCED, '265.00', '47.70']);
    assert.deepEqual(amounts(both), [
      ['DDV-A', 95, 17.1],
      ['DDV-PNPI-А', 265, 47.7],
    ]);
    const coded = [...allowanceCharges, allowance('50.00', { taxCategories: [ENFORCED] })];
    const rest = taxTotal('55.80', [S18, '60.00', '10.80'], [ENFORCED, '250.00', '45.00']);
    assert.deepEqual(amounts(rest, coded), [
      ['DDV-A', 60, 10.8],
      ['DDV-PNPI-А', 250, 45],
    ]);
    const wrong = taxTotal('64.80', [S18, '110.00', '19.80'], [ENFORCED, '250.00', '45.00']);
    assert.match(
      failureOf(invoice({ lines, allowanceCharges, taxTotals: [wrong] }), 'TOTALS-MISMATCH'),
      /“DDV-A” .* states 110\.00, but .* 90\.00/u,
    );
  });

  test('tell it in whole cents, whatever decimals they and the lines have', () => {
    const allowanceCharges = [allowance('10.00', { taxCategories: [category('E', '0')] })];
    const nets = (lines: readonly InvoiceLine[], nine: string, eight: string) => {
      const taxTotals = [taxTotal('0.00', [E9, nine, '0.00'], [E8, eight, '0.00'])];
      const { docItems } = documentOf(invoice({ lines, allowanceCharges, taxTotals }));
      return docItems.map((item) => item.docItemTotalPriceWoVat);
    };
    const lines = [...linesOf(E9, '100.00'), ...linesOf(E8, '200.00')];
    assert.deepEqual(nets(lines, '96.666667', '193.333333'), [96.67, 193.33]);
    assert.deepEqual(nets(lines, '98.0004', '191.9996'), [98, 192]);
    const more = [...linesOf(E9, '100.005'), ...linesOf(E8, '200.005')];
    assert.deepEqual(nets(more, '100.01', '190.01'), [100.005, 190.005]);
    assert.deepEqual(nets(more, '100.005', '190.005'), [100.005, 190.005]);
  });

  test('must have the taxable amounts of their lines', () => {
    const swapped = divided(E9, E8, '0.00', [E9, '200.00', '0.00'], [E8, '100.00', '0.00']);
    assert.match(
      failureOf(swapped, 'TOTALS-MISMATCH'),
      /“DDV-9” .*“E” at 0 %\) the document states 200\.00, but .* 100\.00; .*TaxSubtotal\[1\]\/cbc:TaxableAmount/u,
    );
    const plain = divided(
      category('AE', '0'),
      category('AE', '0', 'DDV-11-B'),
      '0.00',
      [category('AE', '0'), '200.00', '0.00'],
      [category('AE', '0', 'DDV-11-B'), '100.00', '0.00'],
    );
    assert.match(failureOf(plain, 'TOTALS-MISMATCH'), /“DDV-11-A” .* states 200\.00, but .* 100\.00/u);
  });

  test('must have the VAT of their lines', () => {
    const swapped = divided(S18, ENFORCED, '54.00', [S18, '100.00', '36.00'], [ENFORCED, '200.00', '18.00']);
    assert.match(failureOf(swapped, 'TOTALS-MISMATCH'), /“DDV-A” .* states 36\.00, but .* is 18\.00; .*cbc:TaxAmount/u);
  });

  test('must have lines with their indicator', () => {
    const unmarked = divided(S18, S18, '54.00', [S18, '100.00', '18.00'], [ENFORCED, '200.00', '36.00']);
    assert.match(failureOf(unmarked, 'TOTALS-MISMATCH'), /“DDV-A” .* states 100\.00, but .* 300\.00/u);
  });

  test('may name the same indicator in several ways', () => {
    const A = category('S', '18', 'DDV-A');
    const content = divided(S18, A, '54.00', [S18, '100.00', '18.00'], [A, '200.00', '36.00']);
    assert.deepEqual(amountsOf(content), [['DDV-A', 300, 54]]);
  });

  test('are compared as one where it is unknown what one of them is', () => {
    const unknown = category('E', '0', 'VATEX-EU-143');
    const content = divided(E9, E8, '0.00', [E8, '100.00', '0.00'], [unknown, '200.00', '0.00']);
    assert.equal(amountsOf(content).length, 2);
  });
});
