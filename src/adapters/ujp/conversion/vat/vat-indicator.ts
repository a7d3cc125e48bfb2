import type { TaxCategory } from '../../../../domain/documents/invoice-content.ts';
import { compare } from '../../../../domain/values/decimal.ts';
import { findEntry, findLookAlike, firstDifference, foldHomoglyphs } from '../code-matching.ts';
import type { TaxGroup, TaxIndicator } from '../conversion-context.ts';
import { notExpressible, quoted } from '../conversion-failure.ts';
import { decimalAt } from '../totals/money.ts';
import { categoryKey, rateOrZero } from './vat-category.ts';

export type VatRules = {
  readonly docDate: string;
  readonly docType: string;
  /** All that the authority serves, including those not in force. */
  readonly indicators: readonly TaxIndicator[];
  readonly groups: readonly TaxGroup[];
  /** Null when the authority does not say which indicators the document type allows. */
  readonly allowed: ReadonlySet<string> | null;
  readonly sellerIsRegistered: boolean;
  /** The VAT categories of the document's subtotals, which may state the indicator of their lines. */
  readonly subtotals: readonly TaxCategory[];
};

type DefaultIndicator = {
  readonly category: string;
  /** Null for any rate; whether it fits the indicator is checked afterwards. */
  readonly percent: string | null;
  readonly indicator: string;
  readonly onlyUnregisteredSeller: boolean;
};

/**
 * The indicator of a UBL tax category that states none itself. DDV-B is 5 % and DDV-V is 10 %, after the Cyrillic order
 * А Б В Г. Zero-rated (Z) and most supplies outside the scope (O) are missing: they have no unambiguous counterpart.
 */
const DEFAULT_INDICATORS: readonly DefaultIndicator[] = [
  defaultFor('S', '18', 'DDV-A'),
  defaultFor('S', '10', 'DDV-V'),
  defaultFor('S', '5', 'DDV-B'),
  defaultFor('AE', '18', 'DDV-11-A'),
  defaultFor('AE', '10', 'DDV-11-V'),
  defaultFor('AE', '5', 'DDV-11-B'),
  defaultFor('G', null, 'DDV-7-I'),
  defaultFor('E', null, 'DDV-9'),
  defaultFor('O', null, 'DDV-G', true),
];

/** Codes meant for the authority, as opposed to those of European lists such as `VATEX-EU-AE`. */
const AUTHORITY_CODE = /^(?:DDV|ZDSJD)-/u;

/** The authority's tax indicator of a UBL tax category: the one that the line states, else its subtotal, else the default. */
export function createTaxIndicators(rules: VatRules): (category: TaxCategory) => string {
  const subtotals = Map.groupBy(rules.subtotals, categoryKey);
  /** Looked through once for each category: a document can have thousands of subtotals and of lines. */
  const ofSubtotals = new Map<string, string | null>();
  return (category) => {
    const own = authorityCode(category, rules);
    if (own !== null) return own;
    const key = categoryKey(category);
    const known = ofSubtotals.get(key);
    const stated = known === undefined ? subtotalIndicator(category, subtotals.get(key) ?? [], rules) : known;
    ofSubtotals.set(key, stated);
    return stated ?? defaultIndicator(category, rules);
  };
}

function subtotalIndicator(category: TaxCategory, subtotals: readonly TaxCategory[], rules: VatRules): string | null {
  const codes = new Set(subtotals.flatMap((subtotal) => authorityCode(subtotal, rules) ?? []));
  if (codes.size > 1) {
    const sentence = `The subtotals of category ${quoted(category.id ?? '')} state several tax indicators (${[...codes].join(', ')}); state the one of this line`;
    notExpressible(sentence, `${category.path}/cbc:TaxExemptionReasonCode`);
  }
  return [...codes][0] ?? null;
}

/** Must match letter for letter: a code that only looks right would be rejected by the authority. */
function authorityCode({ exemptionReasonCode: code, path }: TaxCategory, { indicators }: VatRules): string | null {
  if (code === null || indicators.some((entry) => entry.code === code)) return code;
  const elementPath = `${path}/cbc:TaxExemptionReasonCode`;
  const lookAlike = findLookAlike(indicators, code);
  if (lookAlike !== null) {
    const difference = firstDifference(code, lookAlike.code);
    notExpressible(
      `${quoted(code)} only looks like the authority's tax indicator ${quoted(lookAlike.code)}, which ${difference}`,
      elementPath,
    );
  }
  if (AUTHORITY_CODE.test(foldHomoglyphs(code))) {
    notExpressible(`The authority has no tax indicator ${quoted(code)}`, elementPath);
  }
  return null;
}

function defaultIndicator(category: TaxCategory, rules: VatRules): string {
  const { id, percent, path } = category;
  if (id === null) notExpressible('The tax category is missing', `${path}/cbc:ID`);
  const match = DEFAULT_INDICATORS.find(
    (row) =>
      row.category === id &&
      (row.percent === null || compare(rateOrZero(category), decimalAt(row.percent, path)) === 0) &&
      !(row.onlyUnregisteredSeller && rules.sellerIsRegistered),
  );
  const entry = match === undefined ? null : findEntry(rules.indicators, match.indicator);
  if (entry !== null) return entry.code;
  const rate = percent === null ? 'without a rate' : `at ${percent} %`;
  const sentence = `Tax category ${quoted(id)} ${rate} has no counterpart at the authority; state one of its tax indicators in cbc:TaxExemptionReasonCode`;
  return notExpressible(sentence, path);
}

function defaultFor(
  category: string,
  percent: string | null,
  indicator: string,
  onlyUnregisteredSeller = false,
): DefaultIndicator {
  return { category, percent, indicator, onlyUnregisteredSeller };
}
