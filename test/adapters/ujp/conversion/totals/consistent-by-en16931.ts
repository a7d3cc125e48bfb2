import type { Amount, InvoiceContent, TaxCategory } from '../../../../../src/domain/documents/invoice-content.ts';
import { roundedQuotient } from './drawn-line.ts';

/** In cents; null for an amount with more than two decimals, which EN 16931 does not allow. */
function centsIn(amount: Amount | null): bigint | null {
  if (amount === null) return 0n;
  const [, sign = '', whole = '', fraction = ''] = /^([+-]?)(\d*)\.?(\d*)$/u.exec(amount.value) ?? [];
  if (fraction.replace(/0+$/u, '').length > 2) return null;
  const cents = BigInt(`${whole}${fraction.slice(0, 2).padEnd(2, '0')}`);
  return sign === '-' ? -cents : cents;
}

function keyOf({ id, percent }: TaxCategory): string {
  return `${id} ${Number(percent ?? 0)}`;
}

/** The rules of EN 16931 that a document does not keep: those on sums and VAT, by their names there. */
export function brokenRules(content: InvoiceContent): readonly string[] {
  const { lines, allowanceCharges, totals } = content;
  const [taxTotal] = content.taxTotals.filter(({ amount }) => amount?.currency === content.currency);
  const subtotals = taxTotal?.subtotals ?? [];
  const amounts = [
    ...lines.map(({ lineExtension }) => lineExtension),
    ...allowanceCharges.map(({ amount }) => amount),
    ...subtotals.flatMap(({ tax, taxable }) => [tax, taxable]),
    ...[taxTotal?.amount ?? null, totals.lineExtension, totals.taxExclusive, totals.taxInclusive],
    ...[totals.prepaid, totals.rounding, totals.payable],
  ];
  if (amounts.some((amount) => centsIn(amount) === null)) return ['BR-DEC'];
  const isComplete = [totals.lineExtension, totals.taxExclusive, totals.taxInclusive, totals.payable, taxTotal?.amount];
  if (isComplete.some((amount) => amount == null) || lines.some(({ lineExtension }) => lineExtension === null))
    return ['BR-12'];
  const cents = (amount: Amount | null | undefined) => centsIn(amount ?? null) ?? 0n;
  const byCategory = new Map<string, bigint>();
  const count = (tax: TaxCategory | undefined, amount: bigint) => {
    if (tax !== undefined) byCategory.set(keyOf(tax), (byCategory.get(keyOf(tax)) ?? 0n) + amount);
  };
  for (const { item, lineExtension } of lines) count(item.taxCategories[0], cents(lineExtension));
  for (const { amount, isCharge, taxCategories } of allowanceCharges)
    count(taxCategories[0], isCharge ? cents(amount) : -cents(amount));
  const lineSum = lines.reduce((sum, { lineExtension }) => sum + cents(lineExtension), 0n);
  const charged = allowanceCharges.reduce((sum, one) => sum + (one.isCharge ? 1n : -1n) * cents(one.amount), 0n);
  const vat = cents(taxTotal?.amount);
  const rules: readonly (readonly [string, boolean])[] = [
    ['BR-CO-10', lineSum === cents(totals.lineExtension)],
    ['BR-CO-13', lineSum + charged === cents(totals.taxExclusive)],
    ['BR-CO-14', subtotals.reduce((sum, { tax }) => sum + cents(tax), 0n) === vat],
    ['BR-CO-15', cents(totals.taxExclusive) + vat === cents(totals.taxInclusive)],
    ['BR-CO-16', cents(totals.taxInclusive) - cents(totals.prepaid) + cents(totals.rounding) === cents(totals.payable)],
    [
      'BR-CO-17',
      subtotals.every(({ category, taxable, tax }) => {
        const basisPoints = BigInt(Math.round(Number(category?.percent ?? 0) * 100));
        return roundedQuotient(cents(taxable) * basisPoints, 10_000n) === cents(tax);
      }),
    ],
    [
      'BR-S-08',
      subtotals.length > 0 &&
        subtotals.every(
          ({ category, taxable }) => category !== null && byCategory.get(keyOf(category)) === cents(taxable),
        ),
    ],
  ];
  return rules.flatMap(([name, isKept]) => (isKept ? [] : name));
}
