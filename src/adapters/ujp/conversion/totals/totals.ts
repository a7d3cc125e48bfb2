import type { InvoiceContent } from '../../../../domain/documents/invoice-content.ts';
import { add, type Decimal, isNegative, isZero, round, subtract, sum } from '../../../../domain/values/decimal.ts';
import { notExpressible } from '../conversion-failure.ts';
import { chargedVat, netOf, type PricedLine, vatOfRow } from '../lines/priced-line.ts';
import type { UjpTotals, UjpVatTotal } from '../payload.ts';
import { DENAR, exactNumber, type MoneyReader, roundedNumber, TOTAL_DECIMALS } from './money.ts';

export type DocumentTotals = {
  readonly net: Decimal;
  readonly discount: Decimal;
  readonly netAfterDiscount: Decimal;
  readonly vat: Decimal;
  readonly gross: Decimal;
  readonly grossRounded: Decimal;
  readonly prepaid: Decimal;
  readonly final: Decimal;
};

/**
 * The authority's formulas, applied to amounts already rounded to two decimals, so that the shown amounts add up. Denars are
 * rounded to whole ones. Other currencies are not: the authority documents no rule, and rounding would change the debt.
 */
export function documentTotals(lines: readonly PricedLine[], prepaid: Decimal, currency: string): DocumentTotals {
  const net = total(lines.map(({ original }) => original));
  const netAfterDiscount = total(lines.map(netOf));
  const vat = total(lines.map(chargedVat));
  const gross = add(netAfterDiscount, vat);
  const grossRounded = currency === DENAR ? round(gross, 0) : gross;
  return {
    net,
    discount: subtract(net, netAfterDiscount),
    netAfterDiscount,
    vat,
    gross,
    grossRounded,
    prepaid,
    final: subtract(grossRounded, prepaid),
  };
}

/** The prepaid amount that the totals state, else the sum of the prepayments. */
export function prepaidAmount(content: InvoiceContent, money: MoneyReader, currency: string): Decimal {
  const { totals, prepaidPayments } = content;
  const path = `${totals.path}/cbc:PrepaidAmount`;
  const stated = totals.prepaid === null ? null : money(totals.prepaid, path);
  const payments = prepaidPayments.flatMap(({ amount, path: payment }) =>
    amount === null ? [] : money(amount, `${payment}/cbc:PaidAmount`),
  );
  const prepaid = round(stated ?? sum(payments), TOTAL_DECIMALS);
  if (isNegative(prepaid)) notExpressible('The prepaid amount is negative', path);
  // The amount to pay is a whole number of denars: the rounded total minus the prepaid amount.
  if (currency === DENAR && !isZero(subtract(prepaid, round(prepaid, 0)))) {
    notExpressible('The prepaid amount is not in whole denars, as the amount to pay must be', path);
  }
  return prepaid;
}

export function ujpTotals(totals: DocumentTotals, content: InvoiceContent): UjpTotals {
  const { path } = content.totals;
  if (isNegative(totals.gross)) {
    notExpressible('The document total is negative; issue a credit note instead', content.path);
  }
  if (isNegative(totals.final)) {
    notExpressible('The prepaid amount exceeds the document total', `${path}/cbc:PrepaidAmount`);
  }
  const shown = (value: Decimal) => roundedNumber(value, TOTAL_DECIMALS, path);
  return {
    docNetAmount: shown(totals.net),
    docDiscountAmount: shown(totals.discount),
    docNetAmountDisc: shown(totals.netAfterDiscount),
    docVatAmount: shown(totals.vat),
    docGrossAmount: shown(totals.gross),
    docGrossAmountR: shown(totals.grossRounded),
    ...prepayment(content, totals.prepaid),
    docAvansAmount: shown(totals.prepaid),
    docFinalAmount: shown(totals.final),
  };
}

/** One row for each combination of tax group and indicator, in the order of their first lines. */
export function vatTotals(lines: readonly PricedLine[]): readonly UjpVatTotal[] {
  const groups = Map.groupBy(lines, ({ treatment }) => JSON.stringify([treatment.group, treatment.indicator]));
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { path, treatment } = first;
    const taxable = total(group.map(netOf));
    const vat = total(group.map(vatOfRow));
    return {
      vatTaxIndicator: treatment.indicator,
      vatTaxIndicatorNote: treatment.note,
      vatCode: treatment.group,
      vatPercent: exactNumber(treatment.rate, path),
      vatTaxableAmount: exactNumber(taxable, path),
      vatAmount: exactNumber(vat, path),
      vatTotalAmount: exactNumber(add(taxable, vat), path),
    };
  });
}

function prepayment(
  { prepaidPayments }: InvoiceContent,
  prepaid: Decimal,
): Pick<UjpTotals, 'docAvansDate' | 'docAvansDesc'> {
  if (isZero(prepaid)) return { docAvansDate: null, docAvansDesc: null };
  const dates = prepaidPayments.flatMap(({ receivedDate }) => receivedDate ?? []);
  const descriptions = prepaidPayments.flatMap(({ id }) => id ?? []);
  return { docAvansDate: dates.toSorted().at(-1) ?? null, docAvansDesc: descriptions.join(', ') || null };
}

function total(values: readonly Decimal[]): Decimal {
  return round(sum(values), TOTAL_DECIMALS);
}
