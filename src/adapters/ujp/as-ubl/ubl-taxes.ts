import { TOTAL_DECIMALS } from '../../../domain/invoices/stated-totals.ts';
import {
  add,
  compare,
  type Decimal,
  format,
  formatShortest,
  leastScale,
  round,
  ZERO,
} from '../../../domain/values/decimal.ts';
import type { KnownDocument, KnownVatTotal } from '../document-schema/document-fields.ts';
import type { StatedMember } from './stated-members.ts';
import { isReverseCharge, type VatCategories } from './vat-categories.ts';
import { group, text, type XmlContent } from './xml-element.ts';

/** An amount in the currency of the document. */
export type Amounts = (name: string, value: Decimal) => XmlContent;

type Category = {
  readonly id: string;
  readonly group: string;
  readonly percent: Decimal;
  readonly indicator: string;
  readonly note: string | null;
};

/** With two decimals at least, and with all that it has. */
export function amountsIn(currency: string): Amounts {
  return (name, value) => {
    const shown = round(value, Math.max(TOTAL_DECIMALS, leastScale(value)));
    return text(name, format(shown), { currencyID: currency });
  };
}

export function taxCategory(name: string, { id, group: taxGroup, percent, indicator, note }: Category): XmlContent {
  return group(
    name,
    text('cbc:ID', id),
    text('cbc:Name', taxGroup),
    text('cbc:Percent', formatShortest(percent)),
    text('cbc:TaxExemptionReasonCode', indicator),
    text('cbc:TaxExemptionReason', note === '' ? null : note),
    group('cac:TaxScheme', text('cbc:ID', 'VAT')),
  );
}

export function taxTotal(document: KnownDocument, categories: VatCategories, amounts: Amounts): XmlContent {
  const subtotals = document.vatTotals.map((row) => {
    const id = categories.ofRow(row);
    return group(
      'cac:TaxSubtotal',
      amounts('cbc:TaxableAmount', row.vatTaxableAmount),
      amounts('cbc:TaxAmount', isReverseCharge(id) ? ZERO : row.vatAmount),
      taxCategory('cac:TaxCategory', {
        id,
        group: row.vatCode,
        percent: row.vatPercent,
        indicator: row.vatTaxIndicator,
        note: row.vatTaxIndicatorNote,
      }),
    );
  });
  return group('cac:TaxTotal', amounts('cbc:TaxAmount', document.docTotals.docVatAmount), ...subtotals);
}

/** What the rows say beyond UBL: the VAT that the buyer owes, and a total that is not their sum. */
export function vatMembers({ vatTotals }: KnownDocument, categories: VatCategories): readonly StatedMember[] {
  return vatTotals.flatMap((row, index) => {
    const isOwed = isReverseCharge(categories.ofRow(row));
    const member = (name: keyof KnownVatTotal, value: Decimal): StatedMember => [
      `vatTotals/${index + 1}/${name}`,
      formatShortest(value),
    ];
    const isSum = compare(add(row.vatTaxableAmount, row.vatAmount), row.vatTotalAmount) === 0;
    return [
      ...(isOwed ? [member('vatAmount', row.vatAmount)] : []),
      ...(isSum ? [] : [member('vatTotalAmount', row.vatTotalAmount)]),
    ];
  });
}
