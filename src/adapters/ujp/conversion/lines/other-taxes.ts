import type { InvoiceContent } from '../../../../domain/documents/invoice-content.ts';
import { isZero } from '../../../../domain/values/decimal.ts';
import { notExpressible, quoted } from '../conversion-failure.ts';
import { decimalAt } from '../totals/money.ts';
import { isVat } from '../vat/vat-scheme.ts';

/** The authority's document knows value added tax alone. */
export function refuseOtherTaxes({ taxTotals }: InvoiceContent): void {
  for (const { category, tax, path } of taxTotals.flatMap(({ subtotals }) => subtotals)) {
    const scheme = category?.scheme ?? null;
    if (isVat(scheme) || tax === null || isZero(decimalAt(tax.value, `${path}/cbc:TaxAmount`))) continue;
    const sentence = `The document charges the tax ${quoted(scheme ?? '')}, and the authority's document has VAT alone`;
    notExpressible(sentence, `${path}/cac:TaxCategory/cac:TaxScheme/cbc:ID`);
  }
}
