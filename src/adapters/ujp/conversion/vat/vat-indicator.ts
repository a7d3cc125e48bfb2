import type { TaxCategory } from '../../../../domain/documents/invoice-content.ts';
import { message } from '../../../../domain/messages/message.ts';
import { compare, type Decimal, formatShortest, isZero, parseDecimal } from '../../../../domain/values/decimal.ts';
import { foldHomoglyphs } from '../../../../domain/values/homoglyphs.ts';
import { entriesInForce, findEntry, findLookAlike, firstDifference } from '../code-matching.ts';
import { excerpt, notExpressible } from '../conversion-failure.ts';
import { decimalAt } from '../totals/money.ts';
import {
  EXEMPT_CATEGORY,
  exemptCodes,
  exemptionIndicator,
  INDICATOR_LIST,
  indicatorOfReason,
  reasonPath,
} from './exemption-reasons.ts';
import {
  isRateAssumed,
  notedIndicator,
  notedIndicators,
  REVERSE_CHARGE,
  type ServedIndicators,
  statesNoRate,
  usableIndicators,
} from './noted-indicators.ts';
import { categoryKey, namedCategory, rateOrZero } from './vat-category.ts';
import type { VatWarnings } from './vat-warnings.ts';

export type VatRules = ServedIndicators & {
  readonly docType: string;
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

const STANDARD = 'S';

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

/** How the indicators of supplies begin that are not taxable in the country. */
const OUTSIDE_SCOPE = 'DDV-10-';

/** Codes meant for the authority, as opposed to those of European lists such as `VATEX-EU-AE`. */
const AUTHORITY_CODE = /^(?:DDV|ZDSJD)-/u;

/** An indicator, and the element that states it, or else the category that it follows from. */
export type PlacedIndicator = { readonly code: string; readonly path: string };

/** One that a document states; which one of those with the same note, the rate that is set for the taxpayer may have decided. */
type StatedIndicator = PlacedIndicator & { readonly isRateAssumed: boolean };

/**
 * The authority's tax indicator of a UBL tax category: the one that the line states, else that of the line's own reason, else the
 * one that all subtotals of the category state, else the default.
 */
export function createTaxIndicators(rules: VatRules, warn: VatWarnings): (category: TaxCategory) => PlacedIndicator {
  const subtotals = Map.groupBy(rules.subtotals, categoryKey);
  /** Looked through once for each category: a document can have thousands of subtotals and of lines. */
  const ofSubtotals = new Map<string, readonly StatedIndicator[]>();
  const asStated = (category: TaxCategory, stated: StatedIndicator) => {
    if (stated.isRateAssumed) warnOfRate(category, stated.code, rules, warn);
    return stated;
  };
  return (category) => {
    const own = statedIndicator(category, rules);
    if (own !== null) return asStated(category, own);
    const byReason = category.id === EXEMPT_CATEGORY ? indicatorOfReason(category, rules) : null;
    if (byReason !== null) return { code: byReason, path: reasonPath(category) };
    const key = categoryKey(category);
    const sameCategory = subtotals.get(key) ?? [];
    const stated = ofSubtotals.get(key) ?? subtotalIndicators(sameCategory, rules);
    ofSubtotals.set(key, stated);
    const [only, another] = stated;
    if (another !== undefined) refuseSeveral(category, stated);
    if (only !== undefined) return asStated(category, only);
    const code =
      category.id === EXEMPT_CATEGORY
        ? (exemptionIndicator(category, sameCategory, rules, warn) ?? refuseCategory(category, rules))
        : defaultIndicator(category, sameCategory, rules, warn);
    return { code, path: category.path };
  };
}

/** Each indicator that the subtotals of a category state, once; none where some of them state none. */
function subtotalIndicators(subtotals: readonly TaxCategory[], rules: VatRules): readonly StatedIndicator[] {
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
export function statedIndicator(category: TaxCategory, rules: VatRules): StatedIndicator | null {
  const noted = notedIndicator(category, rules);
  if (noted !== null) return { code: noted, path: reasonPath(category), isRateAssumed: isRateAssumed(category, rules) };
  const stated = authorityCode(category, rules);
  return stated && { ...stated, isRateAssumed: false };
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

function defaultIndicator(
  category: TaxCategory,
  subtotals: readonly TaxCategory[],
  rules: VatRules,
  warn: VatWarnings,
): string {
  const { id, path } = category;
  if (id === null) notExpressible(message('tax-category-missing'), `${path}/cbc:ID`);
  const isAssumed = statesNoRate(category);
  const rate = isAssumed ? decimalAt(String(rules.reverseChargeRate), path) : rateOrZero(category);
  const match = DEFAULT_INDICATORS.find(
    (row) =>
      row.category === id &&
      (row.percent === null || compare(rate, decimalAt(row.percent, path)) === 0) &&
      !(row.onlyUnregisteredSeller && rules.sellerIsRegistered),
  );
  const entry = match === undefined ? null : findEntry(rules.indicators, match.indicator);
  if (entry === null) return refuseCategory(category, rules);
  refuseOtherNotes(entry.code, category, subtotals, rules);
  if (isAssumed) warnOfRate(category, entry.code, rules, warn);
  return entry.code;
}

/**
 * The notes of several indicators, none of them the default, say that the supply is another one, but not which. Words of a line that are
 * no note say nothing: those of the subtotals count, as the note of one indicator does.
 */
function refuseOtherNotes(
  code: string,
  category: TaxCategory,
  subtotals: readonly TaxCategory[],
  rules: VatRules,
): void {
  const own = notedIndicators(category, rules);
  const codes = own.length === 0 ? notedByAll(subtotals, rules) : own;
  if (codes.length === 0 || codes.includes(code)) return;
  const values = { category: excerpt(category.id ?? ''), codes: codes.join(', ') };
  notExpressible(
    message('note-of-several', values),
    reasonPath(own.length === 0 ? (subtotals[0] ?? category) : category),
  );
}

/** Thousands of lines have the same subtotals. */
const knownNotes = new WeakMap<readonly TaxCategory[], readonly string[]>();

/** Each indicator whose note one of the subtotals of a category states; none where some of them state none. */
function notedByAll(subtotals: readonly TaxCategory[], rules: VatRules): readonly string[] {
  const known = knownNotes.get(subtotals);
  if (known !== undefined) return known;
  const noted = subtotals.map((one) => notedIndicators(one, rules));
  const found = noted.some((ofOne) => ofOne.length === 0) ? [] : [...new Set(noted.flat())];
  knownNotes.set(subtotals, found);
  return found;
}

function warnOfRate({ path }: TaxCategory, code: string, { reverseChargeRate }: VatRules, warn: VatWarnings): void {
  const assumed = message('reverse-charge-rate-assumed', { percent: reverseChargeRate, code });
  warn('REVERSE-CHARGE-RATE-ASSUMED', assumed, `${path}/cbc:Percent`);
}

/** A rate that does not exist cannot be explained by an indicator: it has to be corrected. */
function refuseCategory(category: TaxCategory, rules: VatRules): never {
  const { groups, docDate, sellerIsRegistered } = rules;
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
  const isUnserved = percent !== null && !served.some((rate) => compare(rate, stated) === 0);
  const rates = { percent: excerpt(percent ?? ''), rates: shown(served) };
  const indicators = (beginning = '') => exemptCodes(usableIndicators(rules), beginning);
  if (isRated && isUnserved) notExpressible(message('rate-unserved', rates), path);
  const isOfOthers = DEFAULT_INDICATORS.some((row) => row.category === id && row.onlyUnregisteredSeller);
  if (isOfOthers && sellerIsRegistered) {
    const values = { category: id ?? '', indicators: indicators(OUTSIDE_SCOPE) };
    notExpressible(message('category-of-unregistered', values), category.path);
  }
  const named = namedCategory(category);
  if (isUnserved)
    notExpressible(message('category-and-rate-without-counterpart', { category: named.category, ...rates }), path);
  if (id !== REVERSE_CHARGE && isZero(stated)) {
    const values = { ...named, indicators: indicators() };
    notExpressible(message('untaxed-category-without-counterpart', values), category.path);
  }
  // Some software has category codes of its own, such as the groups of the fiscal till.
  const isOfOtherCode = !isRated;
  const key = isOfOtherCode ? 'category-at-rate-without-counterpart' : 'category-without-counterpart';
  return notExpressible(message(key, named), category.path);
}

function defaultFor(
  category: string,
  percent: string | null,
  indicator: string,
  onlyUnregisteredSeller = false,
): DefaultIndicator {
  return { category, percent, indicator, onlyUnregisteredSeller };
}
