import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { proRata } from '../../../../src/adapters/ujp/conversion/lines/pro-rata.ts';
import type { InvoiceContent } from '../../../../src/domain/documents/invoice-content.ts';
import {
  absolute,
  add,
  compare,
  type Decimal,
  divide,
  format,
  isNegative,
  multiply,
  parseDecimal,
  round,
  subtract,
  sum,
  ZERO,
} from '../../../../src/domain/values/decimal.ts';
import { fc } from '../../../support/seeds.ts';
import { allowance, category, denars, documentOf, invoice, line, totals } from './sample-content.ts';

const numRuns = process.env['TEST_LONG'] === '1' ? 5_000 : 300;

function decimals(max: number, scale: number, min = 0): fc.Arbitrary<Decimal> {
  return fc.bigInt({ min: BigInt(min), max: BigInt(max) }).map((units) => ({ units, scale }));
}

function near(left: Decimal, right: Decimal, tolerance: string): boolean {
  return compare(absolute(subtract(left, right)), parseDecimal(tolerance) ?? ZERO) <= 0;
}

function number(value: number): Decimal {
  return parseDecimal(value.toFixed(4)) ?? ZERO;
}

describe('amounts distributed pro rata', () => {
  const weights = fc.array(decimals(10_000_000, 3), { minLength: 1, maxLength: 40 });

  test('add up exactly, are not negative, and differ from the exact share by less than one unit', () => {
    fc.assert(
      fc.property(decimals(100_000_000, 2), weights, fc.constantFrom(2, 4, 20), (amount, shares, scale) => {
        const whole = sum(shares);
        fc.pre(compare(whole, ZERO) > 0);
        const parts = proRata(amount, shares, scale);
        assert.equal(compare(sum(parts), amount), 0);
        assert.ok(!parts.some(isNegative));
        for (const [index, part] of parts.entries()) {
          const share = divide(multiply(amount, shares[index] ?? ZERO), whole, 25);
          assert.ok(near(part, share, format({ units: 1n, scale })), `${format(part)} for ${format(share)}`);
        }
      }),
      { numRuns },
    );
  });

  test('add up exactly also if the amount has more decimals than requested', () => {
    fc.assert(
      fc.property(decimals(1_000_000, 7), weights, (amount, shares) => {
        fc.pre(compare(sum(shares), ZERO) > 0);
        assert.equal(compare(sum(proRata(amount, shares, 4)), amount), 0);
      }),
      { numRuns },
    );
  });
});

type DrawnLine = {
  readonly quantity: Decimal;
  readonly price: Decimal;
  readonly discountPercent: Decimal;
  readonly rate: '18' | '10' | '5';
};

const drawnLine: fc.Arbitrary<DrawnLine> = fc.record(
  {
    quantity: decimals(5_000_000, 3, 1),
    price: decimals(50_000_000, 4),
    discountPercent: decimals(30, 0),
    rate: fc.constantFrom('18', '10', '5'),
  },
  { noNullPrototype: true },
);

/** A consistent invoice: every line rounded to two decimals, VAT per category on the rounded sums. */
function consistentInvoice(drawn: readonly DrawnLine[], documentPercent: Decimal, withCharge: boolean) {
  const priced = drawn.map(({ quantity, price, discountPercent, rate }) => {
    const gross = multiply(quantity, price);
    const discount = round(multiply(multiply(gross, discountPercent), { units: 1n, scale: 2 }), 2);
    const net = round(subtract(gross, discount), 2);
    return { quantity, price, discount, net: isNegative(net) ? ZERO : net, rate };
  });
  const rates = [...new Set(priced.map(({ rate }) => rate))];
  const perRate = rates.map((rate) => {
    const lines = sum(priced.filter((own) => own.rate === rate).map(({ net }) => net));
    const reduction = round(multiply(multiply(lines, documentPercent), { units: 1n, scale: 2 }), 2);
    const charge = withCharge ? (parseDecimal('12.34') ?? ZERO) : ZERO;
    const taxable = add(subtract(lines, reduction), charge);
    const percent = parseDecimal(rate) ?? ZERO;
    return {
      rate,
      reduction,
      charge,
      taxable,
      vat: round(multiply(multiply(taxable, percent), { units: 1n, scale: 2 }), 2),
    };
  });
  const lineExtension = sum(priced.map(({ net }) => net));
  const net = sum(perRate.map(({ taxable }) => taxable));
  const vat = sum(perRate.map((row) => row.vat));
  const content: InvoiceContent = invoice({
    lines: priced.map((own) =>
      line({
        count: format(own.quantity),
        price: format(own.price),
        allowanceCharges: [allowance(format(own.discount))],
        lineExtension: denars(format(own.net)),
        tax: category('S', own.rate),
      }),
    ),
    allowanceCharges: perRate.flatMap(({ rate, reduction, charge }) => [
      allowance(format(reduction), { taxCategories: [category('S', rate)] }),
      allowance(format(charge), { isCharge: true, taxCategories: [category('S', rate)] }),
    ]),
    totals: totals({
      lineExtension: format(lineExtension),
      taxExclusive: format(net),
      taxInclusive: format(add(net, vat)),
      payable: format(add(net, vat)),
    }),
  });
  return { content, net, vat };
}

describe('any consistent invoice', () => {
  const drawnLines = fc.array(drawnLine, { minLength: 1, maxLength: 30 });

  test('is converted with totals that add up and match the stated ones within the tolerance', () => {
    fc.assert(
      fc.property(drawnLines, decimals(20, 0), fc.boolean(), (drawn, documentPercent, withCharge) => {
        const { content, net, vat } = consistentInvoice(drawn, documentPercent, withCharge);
        const { docItems, docTotals, vatTotals } = documentOf(content);
        const tolerance = format({ units: BigInt(Math.max(5, drawn.length)), scale: 2 });
        assert.ok(near(number(docTotals.docNetAmountDisc), net, tolerance));
        assert.ok(near(number(docTotals.docVatAmount), vat, tolerance));
        assert.ok(Number.isInteger(docTotals.docGrossAmountR) && Number.isInteger(docTotals.docFinalAmount));
        const exact = (left: Decimal, right: Decimal) => assert.equal(compare(left, right), 0);
        exact(
          subtract(number(docTotals.docNetAmount), number(docTotals.docDiscountAmount)),
          number(docTotals.docNetAmountDisc),
        );
        exact(
          add(number(docTotals.docNetAmountDisc), number(docTotals.docVatAmount)),
          number(docTotals.docGrossAmount),
        );
        for (const row of vatTotals) {
          exact(add(number(row.vatTaxableAmount), number(row.vatAmount)), number(row.vatTotalAmount));
        }
        const drift = format({ units: BigInt(10 + docItems.length), scale: 3 });
        const taxable = sum(docItems.map((item) => number(item.docItemTotalPriceWoVat)));
        assert.ok(near(taxable, number(docTotals.docNetAmountDisc), drift));
        assert.ok(
          near(sum(docItems.map((item) => number(item.docItemTotalVat))), number(docTotals.docVatAmount), drift),
        );
      }),
      { numRuns },
    );
  });

  test("fulfils the authority's formulas on every item, within four decimals", () => {
    fc.assert(
      fc.property(drawnLines, decimals(20, 0), (drawn, documentPercent) => {
        for (const item of documentOf(consistentInvoice(drawn, documentPercent, false).content).docItems) {
          const slack = 0.0001 + item.docItemQty * 0.0001;
          const close = (left: number, right: number) => assert.ok(Math.abs(left - right) <= slack, `${left} ${right}`);
          close(item.docItemQty * item.docItemUnitOriginalPriceWoVat, item.docItemTotalOriginalPriceWoVat);
          close(item.docItemQty * item.docItemUnitPriceWoVat, item.docItemTotalPriceWoVat);
          close(item.docItemQty * item.docItemUnitVat, item.docItemTotalVat);
          close(item.docItemTotalPriceWoVat + item.docItemTotalVat, item.docItemTotalPriceWVat);
          close(item.docItemUnitOriginalPriceWoVat - item.docItemUnitDiscountAmount, item.docItemUnitPriceWoVat);
        }
      }),
      { numRuns },
    );
  });
});
