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
import { ConversionFailure, located } from '../conversion-failure.ts';
import { DENAR, type MoneyReader, TOTAL_DECIMALS } from './money.ts';
import type { DocumentTotals } from './totals.ts';

/** UBL rounds every line to two decimals: a document of many lines may drift further than one of few. */
const PER_LINE: Decimal = { units: 1n, scale: 2 };
const PER_DOCUMENT: Decimal = { units: 5n, scale: 2 };
const WHOLE_DENAR: Decimal = { units: 50n, scale: 2 };

type Check = {
  readonly stated: Amount | null;
  readonly path: string;
  readonly computed: Decimal;
  readonly tolerance: Decimal;
  readonly what: string;
};

type Computed = {
  /** What the lines come to, before allowances and charges of the whole document. */
  readonly lineNets: readonly Decimal[];
  readonly totals: DocumentTotals;
  readonly currency: string;
  readonly money: MoneyReader;
};

export function checkLine({ lineExtension, path }: InvoiceLine, net: Decimal, money: MoneyReader): void {
  const place = `${path}/cbc:LineExtensionAmount`;
  const what = 'quantity, price, allowances and charges of the line give';
  check({ stated: lineExtension, path: place, computed: net, tolerance: PER_LINE, what }, money);
}

/** The document's own totals against those of the authority's document. */
export function checkTotals(content: InvoiceContent, { lineNets, totals, currency, money }: Computed): void {
  const { totals: stated } = content;
  const drift = largest(PER_DOCUMENT, { units: BigInt(lineNets.length), scale: 2 });
  const payable = currency === DENAR ? add(drift, WHOLE_DENAR) : drift;
  const checks: readonly (readonly [string, Amount | null, Decimal, Decimal, string])[] = [
    ['cbc:LineExtensionAmount', stated.lineExtension, sum(lineNets), drift, 'the lines add up to'],
    ['cbc:TaxExclusiveAmount', stated.taxExclusive, totals.netAfterDiscount, drift, 'the lines without VAT add up to'],
    ['cbc:TaxInclusiveAmount', stated.taxInclusive, totals.gross, drift, 'the lines with VAT add up to'],
    [
      'cbc:PayableRoundingAmount',
      stated.rounding,
      subtract(totals.grossRounded, totals.gross),
      payable,
      'rounding gives',
    ],
    ['cbc:PayableAmount', stated.payable, totals.final, payable, 'what is left to pay is'],
  ];
  for (const [name, amount, computed, tolerance, what] of checks) {
    check({ stated: amount, path: `${stated.path}/${name}`, computed, tolerance, what }, money);
  }
  const taxed = content.taxTotals.filter(({ amount }) => amount !== null && (amount.currency ?? currency) === currency);
  const [first] = taxed;
  if (first === undefined) return;
  const tax = sum(taxed.flatMap(({ amount, path }) => (amount === null ? [] : money(amount, path))));
  const path = `${first.path}/cbc:TaxAmount`;
  const what = 'the VAT of the lines is';
  check({ stated: { value: format(tax), currency }, path, computed: totals.vat, tolerance: drift, what }, money);
}

function check({ stated, path, computed, tolerance, what }: Check, money: MoneyReader): void {
  if (stated === null) return;
  const amount = money(stated, path);
  if (compare(absolute(subtract(amount, computed)), tolerance) <= 0) return;
  const sentence = `The document says ${stated.value}, but ${what} ${format(round(computed, TOTAL_DECIMALS))}`;
  throw new ConversionFailure('TOTALS-MISMATCH', located(sentence, path));
}

function largest(left: Decimal, right: Decimal): Decimal {
  return compare(left, right) >= 0 ? left : right;
}
