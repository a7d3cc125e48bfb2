import type { InvoiceContent, TaxCategory } from '../../../../domain/documents/invoice-content.ts';
import { type Decimal, formatShortest, isZero, ZERO } from '../../../../domain/values/decimal.ts';
import { foldHomoglyphs } from '../code-matching.ts';
import { notExpressible, quoted } from '../conversion-failure.ts';
import { decimalAt } from '../totals/money.ts';

const VAT_SCHEMES: ReadonlySet<string> = new Set(['VAT', 'DDV', 'ДДВ'].map(foldHomoglyphs));

/** Whether a tax scheme is value added tax; a missing scheme is taken as VAT. */
export function isVat(scheme: string | null): boolean {
  return scheme === null || VAT_SCHEMES.has(foldHomoglyphs(scheme));
}

/** The VAT category among the tax categories of a line, an allowance or a charge. */
export function vatCategory(categories: readonly TaxCategory[], path: string): TaxCategory | null {
  const [category, another] = categories.filter(({ scheme }) => isVat(scheme));
  if (another !== undefined) notExpressible('There is more than one VAT category where the authority takes one', path);
  return category ?? null;
}

/** The same for categories that UBL groups together: the same category at the same rate. A missing rate counts as zero. */
export function categoryKey(category: TaxCategory): string {
  return JSON.stringify([category.id, formatShortest(rateOrZero(category))]);
}

export function rateOrZero({ percent, path }: TaxCategory): Decimal {
  return percent === null ? ZERO : decimalAt(percent, `${path}/cbc:Percent`);
}

/** The authority's document has no member for a tax other than VAT. */
export function refuseOtherTaxes({ taxTotals }: InvoiceContent): void {
  for (const { category, tax, path } of taxTotals.flatMap(({ subtotals }) => subtotals)) {
    const scheme = category?.scheme ?? null;
    if (isVat(scheme) || tax === null || isZero(decimalAt(tax.value, `${path}/cbc:TaxAmount`))) continue;
    const sentence = `The document charges the tax ${quoted(scheme ?? '')}, but the authority's document takes VAT only`;
    notExpressible(sentence, `${path}/cac:TaxCategory/cac:TaxScheme/cbc:ID`);
  }
}
