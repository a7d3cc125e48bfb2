import type { InvoiceContent, TaxCategory } from '../../../../domain/documents/invoice-content.ts';
import { isVat } from '../../../../domain/invoices/stated-codes.ts';
import { type Message, message } from '../../../../domain/messages/message.ts';
import { type Decimal, formatShortest, isZero, ZERO } from '../../../../domain/values/decimal.ts';
import { excerpt, notExpressible } from '../conversion-failure.ts';
import { decimalAt } from '../totals/money.ts';

/** The VAT category among the tax categories of a line, an allowance or a charge. */
export function vatCategory(categories: readonly TaxCategory[], path: string): TaxCategory | null {
  const [category, another] = categories.filter(({ scheme }) => isVat(scheme));
  if (another !== undefined) notExpressible(message('vat-category-several'), path);
  return category ?? null;
}

/** The same for categories that UBL groups together: the same category at the same rate. A missing rate counts as zero. */
export function categoryKey(category: TaxCategory): string {
  return JSON.stringify([category.id, formatShortest(rateOrZero(category))]);
}

export function rateOrZero({ percent, path }: TaxCategory): Decimal {
  return percent === null ? ZERO : decimalAt(percent, `${path}/cbc:Percent`);
}

/** A category and its rate as a message names them: `Tax category “S” at 18 %`. */
export function namedCategory(category: Pick<TaxCategory, 'id' | 'percent'> | null): {
  readonly category: string;
  readonly rate: Message;
} {
  const percent = category?.percent ?? null;
  const rate = percent === null ? message('without-rate') : message('at-rate', { percent: excerpt(percent) });
  return { category: excerpt(category?.id ?? ''), rate };
}

/** The authority's document has no member for a tax other than VAT. */
export function refuseOtherTaxes({ taxTotals }: InvoiceContent): void {
  for (const { category, tax, path } of taxTotals.flatMap(({ subtotals }) => subtotals)) {
    const scheme = category?.scheme ?? null;
    if (isVat(scheme) || tax === null || isZero(decimalAt(tax.value, `${path}/cbc:TaxAmount`))) continue;
    const other = message('tax-not-vat', { tax: excerpt(scheme ?? '') });
    notExpressible(other, `${path}/cac:TaxCategory/cac:TaxScheme/cbc:ID`);
  }
}
