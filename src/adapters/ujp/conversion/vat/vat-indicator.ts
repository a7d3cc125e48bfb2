import type { ConversionWarning } from '../../../../domain/documents/conversion-warning.ts';
import type { TaxCategory } from '../../../../domain/documents/invoice-content.ts';
import { message } from '../../../../domain/messages/message.ts';
import { compare, type Decimal, formatShortest, isZero, parseDecimal } from '../../../../domain/values/decimal.ts';
import { foldHomoglyphs } from '../../../../domain/values/homoglyphs.ts';
import { entriesInForce, findEntry, findLookAlike, firstDifference } from '../code-matching.ts';
import type { TaxGroup } from '../conversion-context.ts';
import { excerpt, notExpressible, warning } from '../conversion-failure.ts';
import { decimalAt } from '../totals/money.ts';
import {
  EXEMPT_CATEGORY,
  exemptionIndicator,
  INDICATOR_LIST,
  indicatorOfReason,
  notedIndicator,
  reasonPath,
  type ServedIndicators,
} from './exemption-reasons.ts';
import { categoryKey, namedCategory, rateOrZero } from './vat-category.ts';

export type VatRules = ServedIndicators & {
  readonly docType: string;
  readonly groups: readonly TaxGroup[];
  readonly sellerIsRegistered: boolean;
  /** The VAT categories of the document's subtotals, which may state the indicator of their lines. */
  readonly subtotals: readonly TaxCategory[];
  /** The rate of a reverse charge that states none. */
  readonly reverseChargeRate: number;
};

type DefaultIndicator = {
  readonly category: string;
  /** Null for any rate; whether it fits the indicator is checked afterwards. */
  readonly percent: string | null;
  readonly indicator: string;
  readonly onlyUnregisteredSeller: boolean;
};

const STANDARD = 'S';
const REVERSE_CHARGE = 'AE';

/**
 * The indicator of a UBL tax category that states none itself; that of an exempt one (E) depends on its reason. DDV-B is 5 % and DDV-V is 10 %, after the Cyrillic order
 * А Б В Г. Zero-rated (Z) and most supplies outside the scope (O) are missing: they have no unambiguous counterpart.
 */
export const DEFAULT_INDICATORS: readonly DefaultIndicator[] = [
  defaultFor('S', '18', 'DDV-A'),
  defaultFor('S', '10', 'DDV-V'),
  defaultFor('S', '5', 'DDV-B'),
  defaultFor('AE', '18', 'DDV-11-A'),
  defaultFor('AE', '10', 'DDV-11-V'),
  defaultFor('AE', '5', 'DDV-11-B'),
  defaultFor('G', null, 'DDV-7-I'),
  defaultFor('O', null, 'DDV-G', true),
];

/** Codes meant for the authority, as opposed to those of European lists such as `VATEX-EU-AE`. */
const AUTHORITY_CODE = /^(?:DDV|ZDSJD)-/u;

/** An indicator, and the element that states it, or else the category that it follows from. */
export type PlacedIndicator = { readonly code: string; readonly path: string };

/**
 * The authority's tax indicator of a UBL tax category: the one that the line states, else that of the line's own reason, else the
 * one that all subtotals of the category state, else the default.
 */
export function createTaxIndicators(
  rules: VatRules,
  warnings: ConversionWarning[],
): (category: TaxCategory) => PlacedIndicator {
  const subtotals = Map.groupBy(rules.subtotals, categoryKey);
  /** Looked through once for each category: a document can have thousands of subtotals and of lines. */
  const ofSubtotals = new Map<string, readonly PlacedIndicator[]>();
  return (category) => {
    const own = statedIndicator(category, rules);
    if (own !== null) return own;
    const byReason = category.id === EXEMPT_CATEGORY ? indicatorOfReason(category, rules) : null;
    if (byReason !== null) return { code: byReason, path: reasonPath(category) };
    const key = categoryKey(category);
    const sameCategory = subtotals.get(key) ?? [];
    const stated = ofSubtotals.get(key) ?? subtotalIndicators(sameCategory, rules);
    ofSubtotals.set(key, stated);
    const [only, another] = stated;
    if (another !== undefined) refuseSeveral(category, stated);
    if (only !== undefined) return only;
    const code =
      category.id === EXEMPT_CATEGORY
        ? (exemptionIndicator(category, sameCategory, rules, warnings) ?? refuseCategory(category, rules))
        : defaultIndicator(category, rules, warnings);
    return { code, path: category.path };
  };
}

/** Each indicator that the subtotals of a category state, once; none where some of them state none. */
function subtotalIndicators(subtotals: readonly TaxCategory[], rules: VatRules): readonly PlacedIndicator[] {
  const stated = subtotals.flatMap((subtotal) => statedIndicator(subtotal, rules) ?? []);
  if (stated.length < subtotals.length) return [];
  return [...Map.groupBy(stated, ({ code }) => code).values()].flatMap(([first]) => first ?? []);
}

/** A subtotal with another code stands for other lines: which of them a line belongs to would be a guess. */
function refuseSeveral(category: TaxCategory, stated: readonly PlacedIndicator[]): never {
  const values = { category: excerpt(category.id ?? ''), codes: stated.map(({ code }) => code).join(', ') };
  return notExpressible(message('indicators-several', values), reasonPath(category));
}

/** The indicator that a category states: its code, or in words its note. */
export function statedIndicator(category: TaxCategory, rules: VatRules): PlacedIndicator | null {
  const noted = notedIndicator(category, rules);
  return noted === null ? authorityCode(category, rules) : { code: noted, path: reasonPath(category) };
}

/** Must match letter for letter: a code that only looks right would be rejected by the authority. */
function authorityCode(category: TaxCategory, { indicators }: VatRules): PlacedIndicator | null {
  const { exemptionReasonCode: code } = category;
  if (code === null) return null;
  const path = reasonPath(category);
  if (indicators.some((entry) => entry.code === code)) return { code, path };
  const lookAlike = findLookAlike(indicators, code);
  if (lookAlike !== null) {
    const difference = firstDifference(code, lookAlike.code);
    const values = { written: excerpt(code), served: excerpt(lookAlike.code), difference, list: INDICATOR_LIST };
    notExpressible(message('indicator-look-alike', values), path);
  }
  if (AUTHORITY_CODE.test(foldHomoglyphs(code))) {
    notExpressible(message('indicator-unknown', { code: excerpt(code), list: INDICATOR_LIST }), path);
  }
  return null;
}

function defaultIndicator(category: TaxCategory, rules: VatRules, warnings: ConversionWarning[]): string {
  const { id, path } = category;
  if (id === null) notExpressible(message('tax-category-missing'), `${path}/cbc:ID`);
  // EN 16931 requires the rate 0 under reverse charge; the authority takes the rate that the buyer owes.
  const isAssumed = id === REVERSE_CHARGE && isZero(rateOrZero(category));
  const rate = isAssumed ? decimalAt(String(rules.reverseChargeRate), path) : rateOrZero(category);
  const match = DEFAULT_INDICATORS.find(
    (row) =>
      row.category === id &&
      (row.percent === null || compare(rate, decimalAt(row.percent, path)) === 0) &&
      !(row.onlyUnregisteredSeller && rules.sellerIsRegistered),
  );
  const entry = match === undefined ? null : findEntry(rules.indicators, match.indicator);
  if (entry === null) return refuseCategory(category, rules);
  if (isAssumed) {
    const assumed = message('reverse-charge-rate-assumed', { percent: rules.reverseChargeRate, code: entry.code });
    warnings.push(warning('REVERSE-CHARGE-RATE-ASSUMED', assumed, `${path}/cbc:Percent`));
  }
  return entry.code;
}

/** A rate that does not exist cannot be explained by an indicator: it has to be corrected. */
function refuseCategory(category: TaxCategory, { groups, docDate }: VatRules): never {
  const { id, percent } = category;
  const path = `${category.path}/cbc:Percent`;
  const served = entriesInForce(groups, docDate).flatMap((group) => parseDecimal(String(group.percent)) ?? []);
  const shown = (rates: readonly Decimal[]) => rates.map((rate) => `${formatShortest(rate)} %`).join(', ');
  if (id === STANDARD && percent === null) {
    const rates = shown(served.filter((rate) => !isZero(rate)));
    notExpressible(message('rate-of-category-missing', { category: id, rates }), path);
  }
  const isRated = id === STANDARD || id === REVERSE_CHARGE;
  const stated = rateOrZero(category);
  if (isRated && percent !== null && !served.some((rate) => compare(rate, stated) === 0)) {
    notExpressible(message('rate-unserved', { percent: excerpt(percent), rates: shown(served) }), path);
  }
  return notExpressible(message('category-without-counterpart', namedCategory(category)), category.path);
}

function defaultFor(
  category: string,
  percent: string | null,
  indicator: string,
  onlyUnregisteredSeller = false,
): DefaultIndicator {
  return { category, percent, indicator, onlyUnregisteredSeller };
}
