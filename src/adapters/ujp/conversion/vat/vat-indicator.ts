import type { TaxCategory } from '../../../../domain/documents/invoice-content.ts';
import { compare, type Decimal, ZERO } from '../../../../domain/values/decimal.ts';
import type { TaxGroup, TaxIndicator } from '../conversion-context.ts';
import { notExpressible, quoted } from '../conversion-failure.ts';
import { firstDifference, lookAlike, servedEntry, shapeOf } from '../served-code.ts';
import { decimalAt } from '../totals/money.ts';
import { VAT_DEFAULTS } from './vat-defaults.ts';

export type VatRules = {
  readonly docDate: string;
  readonly docType: string;
  /** As served, those out of force included. */
  readonly indicators: readonly TaxIndicator[];
  readonly groups: readonly TaxGroup[];
  /** Null where nothing is known about the document type. */
  readonly allowed: ReadonlySet<string> | null;
  readonly sellerIsRegistered: boolean;
  /** The tax categories of the document's subtotals, which may state the reason for their lines. */
  readonly subtotals: readonly TaxCategory[];
};

/** A code that is meant for the authority, not one of the European lists such as `VATEX-EU-AE`. */
const AUTHORITY_CODE = /^(?:DDV|ZDSJD)-/u;

/** The code by which the authority knows how a tax category is taxed. */
export function taxIndicator(category: TaxCategory, rules: VatRules): string {
  return statedIndicator(category, rules) ?? defaultIndicator(category, rules);
}

/** Alike for UBL: the same category at the same rate, a missing rate being none. */
export function isSameCategory(left: TaxCategory, right: TaxCategory): boolean {
  return left.id === right.id && compare(percentOrZero(left), percentOrZero(right)) === 0;
}

/** The indicator that the line states, else the one its subtotal states, letter for letter as served. */
function statedIndicator(category: TaxCategory, rules: VatRules): string | null {
  const own = authorityCode(category, rules);
  if (own !== null) return own;
  const alike = rules.subtotals.filter((subtotal) => isSameCategory(subtotal, category));
  const codes = new Set(alike.flatMap((subtotal) => authorityCode(subtotal, rules) ?? []));
  if (codes.size > 1) {
    const sentence = `The subtotals of category ${quoted(category.id ?? '')} state several tax indicators (${[...codes].join(', ')}); state the one of this line`;
    notExpressible(sentence, `${category.path}/cbc:TaxExemptionReasonCode`);
  }
  return [...codes][0] ?? null;
}

function authorityCode({ exemptionReasonCode: code, path }: TaxCategory, { indicators }: VatRules): string | null {
  if (code === null || indicators.some((entry) => entry.code === code)) return code;
  const place = `${path}/cbc:TaxExemptionReasonCode`;
  const alike = lookAlike(indicators, code);
  if (alike !== null) {
    const difference = firstDifference(code, alike.code);
    notExpressible(
      `${quoted(code)} only looks like the authority's tax indicator ${quoted(alike.code)}, which ${difference}`,
      place,
    );
  }
  if (AUTHORITY_CODE.test(shapeOf(code))) notExpressible(`The authority has no tax indicator ${quoted(code)}`, place);
  return null;
}

function defaultIndicator(category: TaxCategory, rules: VatRules): string {
  const { id, percent, path } = category;
  if (id === null) notExpressible('The tax category is missing', `${path}/cbc:ID`);
  const fits = VAT_DEFAULTS.find(
    (row) =>
      row.category === id &&
      (row.percent === null || compare(percentOrZero(category), decimalAt(row.percent, path)) === 0) &&
      !(row.onlyUnregisteredSeller && rules.sellerIsRegistered),
  );
  const served = fits === undefined ? null : servedEntry(rules.indicators, fits.indicator);
  if (served !== null) return served.code;
  const rate = percent === null ? 'without a rate' : `at ${percent} %`;
  const sentence = `Tax category ${quoted(id)} ${rate} has no counterpart at the authority; state one of its tax indicators in cbc:TaxExemptionReasonCode`;
  return notExpressible(sentence, path);
}

function percentOrZero({ percent, path }: TaxCategory): Decimal {
  return percent === null ? ZERO : decimalAt(percent, `${path}/cbc:Percent`);
}
