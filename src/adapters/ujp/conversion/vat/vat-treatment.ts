import type { ConversionWarning } from '../../../../domain/documents/conversion-warning.ts';
import type { TaxCategory } from '../../../../domain/documents/invoice-content.ts';
import { message, type Value } from '../../../../domain/messages/message.ts';
import {
  compare,
  type Decimal,
  formatShortest,
  isZero,
  parseDecimal,
  ZERO,
} from '../../../../domain/values/decimal.ts';
import { entriesInForce } from '../code-matching.ts';
import type { TaxIndicator } from '../conversion-context.ts';
import { ConversionFailure, excerpt, notExpressible } from '../conversion-failure.ts';
import { decimalAt } from '../totals/money.ts';
import { decidingWords, INDICATOR_LIST } from './exemption-reasons.ts';
import { createTaxIndicators, type PlacedIndicator, statedIndicator, type VatRules } from './vat-indicator.ts';
import { createVatWarnings, type VatWarnings } from './vat-warnings.ts';

const IMPACTS = ['STANDARD', 'NULA', 'OSLOBODEN', 'PRENESEN'] as const;
/** The authority's `vatImpact`: taxed, zero-rated, exempt, reverse charge (the VAT appears in the VAT row only). */
export type VatImpact = (typeof IMPACTS)[number];

export type VatTreatment = {
  readonly indicator: string;
  readonly note: string;
  readonly group: string;
  /** The percentage that the authority's document shows. */
  readonly rate: Decimal;
  readonly impact: VatImpact;
};

/** Finds the VAT treatment of a tax category; each distinct category is resolved once. */
export function createVatResolver(
  rules: VatRules,
  warnings: ConversionWarning[],
): (category: TaxCategory) => VatTreatment {
  const warn = createVatWarnings(warnings);
  const indicatorOf = createTaxIndicators(rules, warn);
  const known = new Map<string, VatTreatment>();
  return (category) => {
    const { id, percent, exemptionReasonCode } = category;
    const key = JSON.stringify([id, percent, exemptionReasonCode, decidingWords(category, rules)]);
    const treatment = known.get(key) ?? resolve(category, indicatorOf(category), rules, warn);
    known.set(key, treatment);
    return treatment;
  };
}

/** What an allowance is meant for; one that is not certain may be another indicator of its category. */
export type AllowanceIndicator = { readonly code: string; readonly isCertain: boolean };

/**
 * The tax indicator that an allowance states, by code or note as on a line, refused where it would be there; else that of its European
 * reason, null where that has no counterpart. It is not certain if it follows from such a reason, or from a rate that was assumed.
 */
export function createAllowanceIndicators(rules: VatRules): (category: TaxCategory) => AllowanceIndicator | null {
  const treatmentOf = createVatResolver(rules, []);
  const indicatorOf = createIndicatorFinder(rules);
  return (category) => {
    const stated = statedIndicator(category, rules);
    if (stated !== null) return { code: treatmentOf(category).indicator, isCertain: !stated.isRateAssumed };
    const code = category.exemptionReasonCode === null ? null : indicatorOf(category);
    return code === null ? null : { code, isCertain: false };
  };
}

/**
 * The tax indicator that a line with a category would have, for subtotals and reasons of allowances: null where such a line would be
 * refused. What is assumed for that is not worth a warning.
 */
export function createIndicatorFinder(rules: VatRules): (category: TaxCategory) => string | null {
  const treatmentOf = createVatResolver(rules, []);
  return (category) => {
    try {
      return treatmentOf(category).indicator;
    } catch (failure) {
      if (!(failure instanceof ConversionFailure)) throw failure;
      return null;
    }
  };
}

function resolve(
  category: TaxCategory,
  { code, path }: PlacedIndicator,
  rules: VatRules,
  warn: VatWarnings,
): VatTreatment {
  const inForce = entriesInForce(
    rules.indicators,
    rules.docDate,
    'code and group',
    (entry) => `${entry.code} ${entry.taxGroupCode}`,
  );
  const candidates = inForce.filter((entry) => entry.code === code);
  if (candidates.length === 0) {
    const values = { code: excerpt(code), date: rules.docDate, list: INDICATOR_LIST };
    notExpressible(message('indicator-not-in-force', values), path);
  }
  if (rules.allowed !== null && !rules.allowed.has(code)) {
    const values = { code: excerpt(code), type: rules.docType };
    if (!candidates.some(isOrdinary)) notExpressible(message('indicator-not-allowed', values), path);
    warn('INDICATOR-UNLISTED', message('indicator-unlisted', values), path);
  }
  const found = treatmentAtRate(
    category,
    candidates.map((entry) => treatment(entry, rules, path)),
  );
  if (found.impact === 'NULA' && rules.sellerIsRegistered) {
    warn('SELLER-REGISTERED', message('seller-registered', { code: excerpt(code) }), path);
  }
  return found;
}

/**
 * The indicators that are named as their tax groups: ordinary rates and sellers without VAT. A list that lacks one of them is more likely
 * incomplete than a type that takes no ordinary invoice, and everything would end in 55 because of it.
 */
function isOrdinary({ code, taxGroupCode }: TaxIndicator): boolean {
  return code === taxGroupCode;
}

function treatment(indicator: TaxIndicator, { groups, docDate }: VatRules, path: string): VatTreatment {
  const impact = IMPACTS.find((known) => known === indicator.vatImpact);
  const group = entriesInForce(groups, docDate).find(({ code }) => code === indicator.taxGroupCode);
  const percent = group === undefined ? null : parseDecimal(String(group.percent));
  if (impact === undefined || group === undefined || percent === null) {
    const values = { code: excerpt(indicator.code), date: docDate };
    notExpressible(message('indicator-unexplained', values), path);
  }
  const isRated = impact === 'STANDARD' || impact === 'PRENESEN';
  const rate = isRated ? percent : ZERO;
  return { indicator: indicator.code, note: indicator.note, group: group.code, rate, impact };
}

/**
 * The treatment with the rate that the document states. Under reverse charge UBL states none or zero: the group's rate
 * applies.
 */
function treatmentAtRate(category: TaxCategory, treatments: readonly VatTreatment[]): VatTreatment {
  const stated = category.percent === null ? null : decimalAt(category.percent, `${category.path}/cbc:Percent`);
  const matches = treatments.filter(
    ({ rate, impact }) => stated === null || compare(stated, rate) === 0 || (impact === 'PRENESEN' && isZero(stated)),
  );
  const [treatment, another] = matches;
  const rates = alternatives(treatments.map(({ rate }) => `${formatShortest(rate)} %`));
  const elementPath = `${category.path}/cbc:Percent`;
  const code = excerpt(treatments[0]?.indicator ?? '');
  if (treatment === undefined)
    notExpressible(message('rate-unfit', { percent: category.percent ?? '', code, rates }), elementPath);
  if (another !== undefined) notExpressible(message('rate-ambiguous', { code, rates }), elementPath);
  return treatment;
}

/** `18 % or 5 %` */
function alternatives(rates: readonly string[]): Value {
  return rates.reduce<Value>((one, other) => (one === '' ? other : message('one-or-other', { one, other })), '');
}
