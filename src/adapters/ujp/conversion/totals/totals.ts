import type { InvoiceContent } from '../../../../domain/documents/invoice-content.ts';
import { add, type Decimal, isNegative, isZero, round, subtract, sum } from '../../../../domain/values/decimal.ts';
import { notExpressible } from '../conversion-failure.ts';
import { netOf, type PricedLine } from '../lines/priced-line.ts';
import type { UjpTotals, UjpVatTotal } from '../payload.ts';
import { chargedVat, fullVat } from '../vat/vat-amounts.ts';
import { DENAR, exactFigure, figure, type MoneyReader, TOTAL_DECIMALS } from './money.ts';

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
 * The authority's formulas on figures that are rounded to two decimals first, so that what is shown adds up. Denars are
 * paid whole; of other currencies the authority says nothing, and rounding them to whole units would change what is owed.
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

/** What was paid before, as the totals state it, else as the payments add up. */
export function prepaidAmount(content: InvoiceContent, money: MoneyReader, currency: string): Decimal {
  const { totals, prepaidPayments } = content;
  const path = `${totals.path}/cbc:PrepaidAmount`;
  const stated = totals.prepaid === null ? null : money(totals.prepaid, path);
  const payments = prepaidPayments.flatMap(({ amount, path: payment }) =>
    amount === null ? [] : money(amount, `${payment}/cbc:PaidAmount`),
  );
  const prepaid = round(stated ?? sum(payments), TOTAL_DECIMALS);
  if (isNegative(prepaid)) notExpressible('The amount paid before is negative', path);
  // The amount to pay is whole denars, and it is the difference to a whole amount.
  if (currency === DENAR && !isZero(subtract(prepaid, round(prepaid, 0)))) {
    notExpressible('The amount paid before is not in whole denars, as the amount to pay must be', path);
  }
  return prepaid;
}

export function ujpTotals(totals: DocumentTotals, content: InvoiceContent): UjpTotals {
  const { path } = content.totals;
  if (isNegative(totals.gross)) {
    notExpressible('The document comes to less than nothing, which is for a credit note to say', content.path);
  }
  if (isNegative(totals.final)) {
    notExpressible('More was paid before than the document amounts to', `${path}/cbc:PrepaidAmount`);
  }
  const shown = (value: Decimal) => figure(value, TOTAL_DECIMALS, path);
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

/** One row for each pair of tax group and indicator, in the order of their first lines. */
export function vatTotals(lines: readonly PricedLine[]): readonly UjpVatTotal[] {
  const rows = Map.groupBy(lines, ({ treatment }) => JSON.stringify([treatment.group, treatment.indicator]));
  return [...rows.values()].flatMap((alike) => {
    const [first] = alike;
    if (first === undefined) return [];
    const { path, treatment } = first;
    const taxable = total(alike.map(netOf));
    const vat = total(alike.map(fullVat));
    return {
      vatTaxIndicator: treatment.indicator,
      vatTaxIndicatorNote: treatment.note,
      vatCode: treatment.group,
      vatPercent: exactFigure(treatment.rate, path),
      vatTaxableAmount: exactFigure(taxable, path),
      vatAmount: exactFigure(vat, path),
      vatTotalAmount: exactFigure(add(taxable, vat), path),
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
