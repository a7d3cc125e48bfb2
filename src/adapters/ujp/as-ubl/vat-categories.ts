import { isNegative, isZero, ZERO } from '../../../domain/values/decimal.ts';
import { foldHomoglyphs } from '../../../domain/values/homoglyphs.ts';
import type { KnownDocument, KnownItem, KnownVatTotal } from '../document-schema/document-fields.ts';

/** The VAT category of UBL (UNTDID 5305) for a tax indicator in a tax group. */
export type VatCategories = {
  readonly ofItem: (item: KnownItem) => string;
  readonly ofRow: (row: KnownVatTotal) => string;
};

const STANDARD = 'S';
const REVERSE_CHARGE = 'AE';
const EXEMPT = 'E';
const EXPORT = 'G';
const OUTSIDE = 'O';
const ZERO_RATED = 'Z';

/** Indicators without VAT that are not exemptions; a seller who is not registered for VAT is outside of its scope. */
const WITHOUT_VAT: ReadonlyMap<string, string> = new Map([
  ['DDV-7-I', EXPORT],
  ['DDV-G', OUTSIDE],
  [foldHomoglyphs('ДДВ 0'), ZERO_RATED],
]);

/**
 * The authority's document does not say which indicators mean reverse charge, but shows it: the row has VAT, which the buyer owes, and
 * no item of it has any.
 */
export function vatCategories({ docItems, vatTotals }: KnownDocument): VatCategories {
  const charged = new Set(
    docItems.flatMap((item) =>
      isZero(item.docItemTotalVat) ? [] : key(item.docItemTaxIndicator, item.docItemVatGroup),
    ),
  );
  const owed = new Set(
    vatTotals.flatMap(({ vatTaxIndicator, vatCode, vatAmount }) => {
      const row = key(vatTaxIndicator, vatCode);
      return isZero(vatAmount) || charged.has(row) ? [] : row;
    }),
  );
  const categoryOf = (indicator: string, group: string, percent = ZERO) => {
    if (owed.has(key(indicator, group))) return REVERSE_CHARGE;
    if (!isZero(percent) && !isNegative(percent)) return STANDARD;
    return WITHOUT_VAT.get(foldHomoglyphs(indicator)) ?? EXEMPT;
  };
  return {
    ofItem: (item) => categoryOf(item.docItemTaxIndicator, item.docItemVatGroup, item.docItemVat),
    ofRow: (row) => categoryOf(row.vatTaxIndicator, row.vatCode, row.vatPercent),
  };
}

export function isReverseCharge(category: string): boolean {
  return category === REVERSE_CHARGE;
}

function key(indicator: string, group: string): string {
  return JSON.stringify([indicator, group]);
}
