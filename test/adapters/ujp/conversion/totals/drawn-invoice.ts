import type { AllowanceCharge, InvoiceContent, TaxTotal } from '../../../../../src/domain/documents/invoice-content.ts';
import type { Random } from '../../../../support/seeds.ts';
import { allowance, category, creditNote, denars, invoice, totals } from '../sample-content.ts';
import {
  type DrawnCategory,
  type DrawnLine,
  drawLine,
  pick,
  returnedLine,
  roundedQuotient,
  upTo,
  written,
} from './drawn-line.ts';

/** A document that is consistent by EN 16931, calculated in whole cents, and what the authority's register must show of it. */
export type DrawnInvoice = { readonly content: InvoiceContent; readonly registered: Registered };

/** In cents. */
export type Registered = {
  readonly net: bigint;
  readonly vat: bigint;
  readonly gross: bigint;
  readonly prepaid: bigint;
  readonly final: bigint;
  readonly payable: bigint;
};

type CategorySum = DrawnCategory & {
  readonly allowances: readonly AllowanceCharge[];
  readonly taxable: bigint;
  readonly vat: bigint;
};

const TAXED: readonly DrawnCategory[] = ['18', '10', '5'].map((rate) => ({
  tax: category('S', rate),
  percent: BigInt(rate),
}));
const UNTAXED: readonly DrawnCategory[] = [
  { tax: category('E', '0', 'DDV-9'), percent: 0n },
  { tax: category('AE', '0', 'DDV-11-A'), percent: 0n },
];
const DENAR = 100n;

export function drawInvoice(random: Random, lineCount: number): DrawnInvoice {
  const taxed = TAXED.filter(() => random() < 0.6);
  const untaxed = UNTAXED.filter(() => random() < 0.15);
  const categories = taxed.length + untaxed.length === 0 ? TAXED.slice(0, 1) : [...taxed, ...untaxed];
  const isCreditNote = random() < 0.2;
  const lines = drawLines(random, categories, lineCount, isCreditNote ? 0 : 0.03);
  const isVatByLine = random() < 0.3;
  const sums = categories.flatMap((one) => {
    const own = lines.filter(({ of }) => of === one);
    return own.length === 0 ? [] : drawSum(random, one, own, isVatByLine);
  });
  const withSubtotals = isVatByLine || random() < 0.95;
  return stated(random, lines, sums, isCreditNote ? creditNote : invoice, withSubtotals);
}

function drawLines(random: Random, categories: readonly DrawnCategory[], count: number, returned: number): DrawnLine[] {
  const lines: DrawnLine[] = [];
  const givenBack = new Set<DrawnLine>();
  while (lines.length < count) {
    const before = lines.at(-1);
    const canComeBack = before !== undefined && !givenBack.has(before) && random() < returned;
    const back = canComeBack ? returnedLine(random, before, lines.length + 1) : null;
    if (back !== null) givenBack.add(back);
    lines.push(back ?? drawLine(random, pick(random, categories), lines.length + 1));
  }
  return lines;
}

/** Allowances and charges of a category, and its VAT: the rate of the sum, or the sum of what each line was rounded to. */
function drawSum(random: Random, of: DrawnCategory, lines: readonly DrawnLine[], isVatByLine: boolean): CategorySum {
  const { tax, percent } = of;
  const net = lines.reduce((sum, { cents }) => sum + cents, 0n);
  const charges = random() < 0.2 ? [upTo(random, 50_000), upTo(random, 50_000)].slice(0, random() < 0.8 ? 1 : 2) : [];
  const reductions = random() < 0.3 && !isVatByLine ? drawReductions(random, net) : [];
  const taxable = sumOf([net, ...charges, ...reductions.map((cents) => -cents)]);
  const byLine = [...lines.map(({ cents }) => cents), ...charges].map((cents) => vatOn(cents, percent));
  const taxCategories = [tax];
  return {
    ...of,
    taxable,
    vat: isVatByLine ? sumOf(byLine) : vatOn(taxable, percent),
    allowances: [
      ...charges.map((cents) => allowance(written(cents, 2), { isCharge: true, taxCategories })),
      ...reductions.map((cents) => allowance(written(cents, 2), { taxCategories })),
    ],
  };
}

function drawReductions(random: Random, net: bigint): readonly bigint[] {
  if (random() < 0.1) return net > 0n ? [net] : [];
  const part = () => (net * upTo(random, 20)) / 100n;
  return (random() < 0.7 ? [part()] : [part(), part(), part()]).filter((cents) => cents > 0n);
}

function stated(
  random: Random,
  lines: readonly DrawnLine[],
  sums: readonly CategorySum[],
  document: typeof invoice,
  withSubtotals: boolean,
): DrawnInvoice {
  const net = sumOf(sums.map(({ taxable }) => taxable));
  const vat = sumOf(sums.map((one) => one.vat));
  const gross = net + vat;
  const prepaid = random() < 0.3 ? (random() < 0.2 ? gross : (gross * upTo(random, 99)) / 100n) : 0n;
  const rounding = random() < 0.4 ? roundedQuotient(gross, DENAR) * DENAR - gross : 0n;
  const payable = gross - prepaid + rounding;
  const content = document({
    lines: lines.map((one) => one.content),
    allowanceCharges: sums.flatMap(({ allowances }) => allowances),
    taxTotals: [taxTotal(sums, vat, withSubtotals)],
    totals: totals({
      lineExtension: written(sumOf(lines.map(({ cents }) => cents)), 2),
      taxExclusive: written(net, 2),
      taxInclusive: written(gross, 2),
      payable: written(payable, 2),
      ...(prepaid === 0n ? {} : { prepaid: written(prepaid, 2) }),
      ...(rounding === 0n ? {} : { rounding: written(rounding, 2) }),
    }),
  });
  const final = roundedQuotient(gross, DENAR) * DENAR - prepaid;
  return { content, registered: { net, vat, gross, prepaid, final, payable } };
}

function taxTotal(sums: readonly CategorySum[], vat: bigint, withSubtotals: boolean): TaxTotal {
  const path = '/Invoice/cac:TaxTotal';
  const subtotals = sums.map((one, index) => ({
    path: `${path}/cac:TaxSubtotal[${index + 1}]`,
    taxable: denars(written(one.taxable, 2)),
    tax: denars(written(one.vat, 2)),
    category: one.tax,
  }));
  return { path, amount: denars(written(vat, 2)), subtotals: withSubtotals ? subtotals : [] };
}

function vatOn(cents: bigint, percent: bigint): bigint {
  return roundedQuotient(cents * percent, 100n);
}

function sumOf(values: readonly bigint[]): bigint {
  return values.reduce((sum, value) => sum + value, 0n);
}
