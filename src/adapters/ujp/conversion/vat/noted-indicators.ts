import type { TaxCategory } from '../../../../domain/documents/invoice-content.ts';
import { compare, isZero, parseDecimal } from '../../../../domain/values/decimal.ts';
import { foldHomoglyphs } from '../../../../domain/values/homoglyphs.ts';
import { entriesInForce } from '../code-matching.ts';
import type { TaxGroup, TaxIndicator } from '../conversion-context.ts';
import { decimalAt } from '../totals/money.ts';
import { rateOrZero } from './vat-category.ts';

export type ServedIndicators = {
  readonly docDate: string;
  /** All that the authority serves, including those not in force. */
  readonly indicators: readonly TaxIndicator[];
  /** Null when the authority does not say which indicators the document type allows. */
  readonly allowed: ReadonlySet<string> | null;
  readonly groups: readonly TaxGroup[];
  /** The rate of a reverse charge that states none. */
  readonly reverseChargeRate: number;
};

export const REVERSE_CHARGE = 'AE';
/** What has no VAT: exempt supplies, and those of a seller who is not registered for it. */
const WITHOUT_VAT: readonly (string | null)[] = ['OSLOBODEN', 'NULA'];
/** The treatments that do not contradict a category: of taxed supplies and of reverse charges their own, of any other what has no VAT. */
const FITTING_IMPACTS: ReadonlyMap<string | null, readonly (string | null)[]> = new Map([
  ['S', ['STANDARD']],
  [REVERSE_CHARGE, ['PRENESEN']],
]);
/** More than the VAT row takes. */
const MAX_NOTE_LENGTH = 500;

/**
 * The one indicator whose note a category states instead of a code, word for word: it is as good as the code. One that the document may
 * not have is refused like its code, not replaced by another article.
 */
export function notedIndicator(category: TaxCategory, rules: ServedIndicators): string | null {
  const [only = null, another] = notedIndicators(category, rules);
  return another === undefined ? only : null;
}

/**
 * The indicators whose notes a category states. The same note may stand for each rate: then those of the rate are meant. Where none is
 * of the rate, all are left: the supply is no ordinary one either.
 */
export function notedIndicators(category: TaxCategory, rules: ServedIndicators): readonly string[] {
  const noted = fittingIndicators(category, rules);
  const codes = codesOf(noted);
  if (codes.length < 2) return codes;
  const ofRate = codesOf(noted.filter((one) => isOfRate(one, category, rules)));
  return ofRate.length === 0 ? codes : ofRate;
}

/** Whether the rate that is set for the taxpayer decided which indicator a note stands for. */
export function isRateAssumed(category: TaxCategory, rules: ServedIndicators): boolean {
  return statesNoRate(category) && codesOf(fittingIndicators(category, rules)).length > 1;
}

/** EN 16931 requires the rate 0 under reverse charge; the authority takes the rate that the buyer owes. */
export function statesNoRate(category: TaxCategory): boolean {
  return category.id === REVERSE_CHARGE && isZero(rateOrZero(category));
}

/** In force on the date of the document and allowed on its type. */
export function usableIndicators({ indicators, docDate, allowed }: ServedIndicators): readonly TaxIndicator[] {
  return entriesInForce(indicators, docDate).filter(({ code }) => allowed === null || allowed.has(code));
}

/** Letters of the other script that look the same are no other words. */
export function comparable(text: string): string {
  return foldHomoglyphs(text.replace(/\s+/gu, ' '), MAX_NOTE_LENGTH).replace(/\.$/u, '');
}

/** Whether a category states the note of an indicator that contradicts it, and none of one that fits. */
export function isOtherNote(category: TaxCategory, rules: ServedIndicators): boolean {
  const known = notes(rules.indicators);
  return statedTexts(category).some((text) => known.has(text)) && fittingIndicators(category, rules).length === 0;
}

function fittingIndicators(category: TaxCategory, rules: ServedIndicators): readonly TaxIndicator[] {
  return statedTexts(category).flatMap((text) => indicatorsOfNote(text, category, rules));
}

/** In several languages, or one note in several pieces. */
function statedTexts({ exemptionReasonCode, exemptionReason: words }: TaxCategory): readonly string[] {
  if (words === null || exemptionReasonCode !== null) return [];
  return [...new Set([words, ...words.split('\n')].map(comparable))];
}

/** Those that the document may have, else all. */
function indicatorsOfNote(text: string, { id }: TaxCategory, rules: ServedIndicators): readonly TaxIndicator[] {
  const impacts = FITTING_IMPACTS.get(id) ?? WITHOUT_VAT;
  const noted = notes(rules.indicators).get(text) ?? [];
  const fitting = noted.filter(({ vatImpact }) => impacts.includes(vatImpact));
  if (fitting.length === 0) return fitting;
  const usable = new Set(usableIndicators(rules).map(({ code }) => code));
  const allowed = fitting.filter(({ code }) => usable.has(code));
  return allowed.length === 0 ? fitting : allowed;
}

function isOfRate({ taxGroupCode }: TaxIndicator, category: TaxCategory, rules: ServedIndicators): boolean {
  const group = entriesInForce(rules.groups, rules.docDate).find(({ code }) => code === taxGroupCode);
  const percent = group === undefined ? null : parseDecimal(String(group.percent));
  const rate = statesNoRate(category)
    ? decimalAt(String(rules.reverseChargeRate), category.path)
    : rateOrZero(category);
  return percent !== null && compare(percent, rate) === 0;
}

function codesOf(indicators: readonly TaxIndicator[]): readonly string[] {
  return [...new Set(indicators.map(({ code }) => code))];
}

/** Thousands of lines may state a reason in words of their own. */
const knownNotes = new WeakMap<readonly TaxIndicator[], ReadonlyMap<string, readonly TaxIndicator[]>>();

function notes(indicators: readonly TaxIndicator[]): ReadonlyMap<string, readonly TaxIndicator[]> {
  const known = knownNotes.get(indicators);
  if (known !== undefined) return known;
  const noted = indicators.filter(({ note }) => comparable(note) !== '');
  const found = Map.groupBy(noted, ({ note }) => comparable(note));
  knownNotes.set(indicators, found);
  return found;
}
