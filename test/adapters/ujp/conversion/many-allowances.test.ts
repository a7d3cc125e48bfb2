import assert from 'node:assert/strict';
import { test } from 'node:test';
import { convert } from '../../../../src/adapters/ujp/conversion/convert.ts';
import { applyAllowanceCharges } from '../../../../src/adapters/ujp/conversion/lines/document-allowances.ts';
import type { PricedLine } from '../../../../src/adapters/ujp/conversion/lines/priced-line.ts';
import { createMoneyReader } from '../../../../src/adapters/ujp/conversion/totals/money.ts';
import { divideVat } from '../../../../src/adapters/ujp/conversion/totals/vat-division.ts';
import { categoryKey } from '../../../../src/adapters/ujp/conversion/vat/vat-category.ts';
import type { TaxCategory } from '../../../../src/domain/documents/invoice-content.ts';
import {
  absolute,
  compare,
  type Decimal,
  format,
  multiply,
  ONE,
  subtract,
  sum,
  ZERO,
} from '../../../../src/domain/values/decimal.ts';
import { fc } from '../../../support/seeds.ts';
import { type NaiveAllowance, naiveAllowances } from './naive-allowances.ts';
import { allowance, CONTEXT, category, invoice, line, reference } from './sample-content.ts';

const RATES = ['18', '5'];
const INDICATORS = ['DDV-A', 'DDV-B', 'DDV-V'];
const CENT = 2;

function coded(rate: string, code: string | null): TaxCategory {
  return { ...category('S', rate), exemptionReasonCode: code };
}

const lineOf = fc
  .record({
    cents: fc.integer({ min: 1, max: 100_000 }),
    rate: fc.constantFrom(...RATES),
    indicator: fc.constantFrom(...INDICATORS),
    isReturned: fc.boolean(),
  })
  .map(({ cents, rate, indicator, isReturned }): PricedLine => {
    const quantity = isReturned ? { units: -1n, scale: 0 } : ONE;
    const treatment = { indicator, note: '', group: 'A', rate: ZERO, impact: 'STANDARD' as const };
    const text = {
      sku: null,
      sellersCode: null,
      buyersCode: null,
      description: 'Item',
      unit: '',
      domesticProduct: null,
      tariffCode: null,
    };
    const original = multiply(quantity, { units: BigInt(cents), scale: CENT });
    return {
      path: '/',
      quantity,
      original,
      discount: ZERO,
      unrounded: null,
      category: coded(rate, null),
      treatment,
      text,
    };
  });

const allowanceOf = fc
  .record({
    cents: fc.integer({ min: 1, max: 20_000 }),
    rate: fc.constantFrom(...RATES),
    code: fc.option(fc.constantFrom(...INDICATORS)),
  })
  .map(
    ({ cents, rate, code }): NaiveAllowance => ({
      amount: { units: BigInt(cents), scale: CENT },
      category: coded(rate, code),
    }),
  );

function outcomeOf(work: () => readonly PricedLine[]): readonly PricedLine[] | null {
  try {
    return work();
  } catch (error) {
    if (error instanceof Error && error.name === 'Error') return null;
    throw error;
  }
}

function applied(lines: readonly PricedLine[], allowances: readonly NaiveAllowance[]): readonly PricedLine[] {
  const stated = allowances.map(({ amount, category: of }) => allowance(format(amount), { taxCategories: [of] }));
  const treatmentOf = () => assert.fail('no charge');
  const indicatorOf = ({ exemptionReasonCode: code }: TaxCategory) =>
    code === null ? null : { code, isCertain: false };
  return applyAllowanceCharges(lines, stated, {
    money: createMoneyReader('MKD'),
    treatmentOf,
    indicatorOf,
    dividedOf: () => new Map(),
    warnings: [],
  });
}

function discounts(lines: readonly PricedLine[]): readonly Decimal[] {
  return lines.map(({ discount }) => discount);
}

test('allowances in linear time take what allowances one by one take: exactly in all, and within rounding on every line', () => {
  fc.assert(
    fc.property(fc.array(lineOf, { maxLength: 12 }), fc.array(allowanceOf, { maxLength: 8 }), (lines, allowances) => {
      const naive = outcomeOf(() => naiveAllowances(lines, allowances));
      const linear = outcomeOf(() => applied(lines, allowances));
      if (naive === null || linear === null) return assert.equal(linear, naive);
      for (const rate of RATES) {
        const of = (all: readonly PricedLine[]) => all.filter((one) => categoryKey(one.category).includes(`"${rate}"`));
        assert.equal(compare(sum(discounts(of(linear))), sum(discounts(of(naive)))), 0, 'in all');
      }
      const rounding: Decimal = { units: BigInt(2 * allowances.length), scale: CENT };
      for (const [index, { discount }] of linear.entries()) {
        const difference = absolute(subtract(discount, naive[index]?.discount ?? ZERO));
        assert.ok(compare(difference, rounding) <= 0, `line ${index}: ${format(difference)}`);
      }
    }),
  );
});

test('one allowance for each tax category gives the very same lines', () => {
  fc.assert(
    fc.property(fc.array(lineOf, { maxLength: 12 }), fc.array(allowanceOf, { maxLength: 8 }), (lines, all) => {
      const allowances = RATES.flatMap((rate) => all.find((one) => one.category.percent === rate) ?? []);
      const naive = outcomeOf(() => naiveAllowances(lines, allowances));
      const linear = outcomeOf(() => applied(lines, allowances));
      const shown = (result: readonly PricedLine[] | null) =>
        result && discounts(result).map((one) => (compare(one, ZERO) === 0 ? '0' : format(one)));
      assert.deepEqual(shown(linear), shown(naive));
    }),
  );
});

test('15,000 allowances on 3,000 lines come to an end, whatever their tax indicators', () => {
  const lines = Array.from({ length: 3_000 }, () => line({ count: '1', price: '100' }));
  const codes = [null, 'DDV-A'];
  const allowanceCharges = Array.from({ length: 15_000 }, (_, index) =>
    allowance('0.01', { taxCategories: [{ ...category('S', '18'), exemptionReasonCode: codes[index % 2] ?? null }] }),
  );
  const conversion = convert(invoice({ lines, allowanceCharges }), CONTEXT);
  assert.ok(conversion.outcome === 'converted', JSON.stringify(conversion));
  assert.equal(conversion.payload.document.docTotals.docDiscountAmount, 150);
});

test('15,000 allowances with codes of their own beside 20,000 subtotals of two tax indicators come to an end', () => {
  const codes = ['DDV-A', 'DDV-PNPI-А'];
  const subtotals = Array.from({ length: 20_000 }, (_, index) => ({
    path: '/Invoice/cac:TaxTotal/cac:TaxSubtotal',
    taxable: null,
    tax: null,
    category: coded('18', codes[index % 2] ?? null),
  }));
  const taxTotals = [{ path: '/Invoice/cac:TaxTotal', amount: null, subtotals }];
  const allowanceCharges = Array.from({ length: 15_000 }, (_, index) =>
    allowance('0.01', { taxCategories: [coded('18', `VATEX-${index}`)] }),
  );
  const lines = [line({ price: '10000', tax: coded('18', 'DDV-A') })];
  assert.equal(convert(invoice({ lines, taxTotals, allowanceCharges }), CONTEXT).outcome, 'converted');
});

test('thousands of distinct tax categories beside thousands of subtotals come to an end', () => {
  const own = (index: number): TaxCategory => ({ ...category('S', '18'), exemptionReasonCode: `VATEX-${index}` });
  const lines = Array.from({ length: 5_000 }, (_, index) => line({ tax: own(index) }));
  const subtotals = Array.from({ length: 20_000 }, (_, index) => ({
    path: '/Invoice/cac:TaxTotal/cac:TaxSubtotal',
    taxable: null,
    tax: null,
    category: own(index),
  }));
  const taxTotals = [{ path: '/Invoice/cac:TaxTotal', amount: null, subtotals }];
  assert.equal(convert(invoice({ lines, taxTotals }), CONTEXT).outcome, 'converted');
});

test('thousands of cents that are left are divided over thousands of tax categories in the end', () => {
  const [one] = fc.sample(lineOf, 1);
  assert.ok(one !== undefined);
  // Of each 0.0054, which is rounded to a cent: 500.00 in all.
  const treatment = { ...one.treatment, rate: { units: 18n, scale: 0 } };
  const lines = [{ ...one, treatment, vat: { units: 54n, scale: 4 } }];
  const { groups, isExplained } = divideVat({ units: 270n, scale: 0 }, Array(50_000).fill(lines));
  const cents = Map.groupBy(groups, ({ vat }) => format(vat));
  assert.deepEqual([isExplained, cents.get('0.00')?.length, cents.get('0.01')?.length], [true, 23_000, 27_000]);
});

test('lines of distinct tax categories do not read every subtotal anew', () => {
  const [LINES, SUBTOTALS, MOST_READS] = [300, 400, 20];
  for (const tax of [category('S', '18'), category('AE', '0'), category('E', '0')]) {
    let reads = 0;
    const counted = Object.defineProperty({ ...tax }, 'exemptionReason', {
      get() {
        reads += 1;
        return null;
      },
    });
    const subtotals = Array.from({ length: SUBTOTALS }, () => ({
      path: '/Invoice/cac:TaxTotal/cac:TaxSubtotal',
      taxable: null,
      tax: null,
      category: counted,
    }));
    // What makes a category another one: words under an exemption, a code under any other.
    const distinct = (index: number) =>
      tax.id === 'E' ? { exemptionReason: `Words ${index}` } : { exemptionReasonCode: `VATEX-${index}` };
    const lines = Array.from({ length: LINES }, (_, index) => line({ tax: { ...tax, ...distinct(index) } }));
    const taxTotals = [{ path: '/Invoice/cac:TaxTotal', amount: null, subtotals }];
    assert.equal(convert(invoice({ lines, taxTotals }), CONTEXT).outcome, 'converted', `${tax.id}`);
    assert.ok(reads > 0 && reads < MOST_READS * SUBTOTALS, `${reads} reads under ${tax.id}`);
  }
});

test('30,000 references, all resolved, come to an end', () => {
  const references = Array.from({ length: 30_000 }, (_, index) => reference('billing', `E-${index}`));
  const resolved = references.map(({ id, issueDate }) => ({
    number: id.value ?? '',
    date: issueDate,
    euid: '019b8d43-7840-7433-b358-08891b53605c',
    issueDate: '2026-01-01',
  }));
  assert.equal(convert(invoice({ references }), { ...CONTEXT, references: resolved }).outcome, 'converted');
});
