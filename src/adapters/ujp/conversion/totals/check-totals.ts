import type { Amount, InvoiceContent, InvoiceLine } from '../../../../domain/documents/invoice-content.ts';
import {
  absolute,
  add,
  compare,
  type Decimal,
  format,
  round,
  subtract,
  sum,
} from '../../../../domain/values/decimal.ts';
import { ConversionFailure, withPath } from '../conversion-failure.ts';
import { DENAR, type MoneyReader, TOTAL_DECIMALS } from './money.ts';
import type { DocumentTotals } from './totals.ts';

/** UBL rounds every line to two decimals, so the difference may grow with the number of lines. */
const LINE_TOLERANCE: Decimal = { units: 1n, scale: 2 };
const MIN_DOCUMENT_TOLERANCE: Decimal = { units: 5n, scale: 2 };
/** The authority rounds the amount to pay to whole denars. */
const DENAR_ROUNDING: Decimal = { units: 50n, scale: 2 };

type Check = {
  readonly stated: Amount | null;
  readonly path: string;
  readonly computed: Decimal;
  readonly tolerance: Decimal;
  readonly what: string;
};

type Computed = {
  /** The net amounts of the UBL lines, before allowances and charges of the whole document. */
  readonly lineNets: readonly Decimal[];
  readonly totals: DocumentTotals;
  readonly currency: string;
  readonly money: MoneyReader;
};

export function checkLine({ lineExtension, path }: InvoiceLine, net: Decimal, money: MoneyReader): void {
  const elementPath = `${path}/cbc:LineExtensionAmount`;
  const what = 'quantity, price, allowances and charges of the line give';
  check({ stated: lineExtension, path: elementPath, computed: net, tolerance: LINE_TOLERANCE, what }, money);
}

/** Compares the totals that the document states with those computed for the authority. */
export function checkTotals(content: InvoiceContent, { lineNets, totals, currency, money }: Computed): void {
  const { totals: stated } = content;
  const tolerance = max(MIN_DOCUMENT_TOLERANCE, { units: BigInt(lineNets.length), scale: 2 });
  const payableTolerance = currency === DENAR ? add(tolerance, DENAR_ROUNDING) : tolerance;
  const checks: readonly (readonly [string, Amount | null, Decimal, Decimal, string])[] = [
    ['cbc:LineExtensionAmount', stated.lineExtension, sum(lineNets), tolerance, 'the lines add up to'],
    [
      'cbc:TaxExclusiveAmount',
      stated.taxExclusive,
      totals.netAfterDiscount,
      tolerance,
      'the lines without VAT add up to',
    ],
    ['cbc:TaxInclusiveAmount', stated.taxInclusive, totals.gross, tolerance, 'the lines with VAT add up to'],
    [
      'cbc:PayableRoundingAmount',
      stated.rounding,
      subtract(totals.grossRounded, totals.gross),
      payableTolerance,
      'rounding gives',
    ],
    ['cbc:PayableAmount', stated.payable, totals.final, payableTolerance, 'the amount to pay is'],
  ];
  for (const [name, amount, computed, allowed, what] of checks) {
    check({ stated: amount, path: `${stated.path}/${name}`, computed, tolerance: allowed, what }, money);
  }
  const taxed = content.taxTotals.filter(({ amount }) => amount !== null && (amount.currency ?? currency) === currency);
  const [first] = taxed;
  if (first === undefined) return;
  const tax = sum(taxed.flatMap(({ amount, path }) => (amount === null ? [] : money(amount, path))));
  const path = `${first.path}/cbc:TaxAmount`;
  const what = 'the VAT of the lines is';
  check({ stated: { value: format(tax), currency }, path, computed: totals.vat, tolerance, what }, money);
}

function check({ stated, path, computed, tolerance, what }: Check, money: MoneyReader): void {
  if (stated === null) return;
  const amount = money(stated, path);
  if (compare(absolute(subtract(amount, computed)), tolerance) <= 0) return;
  const sentence = `The document states ${stated.value}, but ${what} ${format(round(computed, TOTAL_DECIMALS))}`;
  throw new ConversionFailure('TOTALS-MISMATCH', withPath(sentence, path));
}

function max(left: Decimal, right: Decimal): Decimal {
  return compare(left, right) >= 0 ? left : right;
}
