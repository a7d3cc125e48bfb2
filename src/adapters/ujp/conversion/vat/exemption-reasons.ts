import type { TaxCategory } from '../../../../domain/documents/invoice-content.ts';
import { listed, message, type Value } from '../../../../domain/messages/message.ts';
import { foldHomoglyphs } from '../../../../domain/values/homoglyphs.ts';
import { findEntry } from '../code-matching.ts';
import type { TaxIndicator } from '../conversion-context.ts';
import { excerpt, notExpressible } from '../conversion-failure.ts';
import {
  comparable,
  isOtherNote,
  notedIndicator,
  notedIndicators,
  type ServedIndicators,
  usableIndicators,
} from './noted-indicators.ts';
import { categoryKey, namedCategory } from './vat-category.ts';
import type { VatWarnings } from './vat-warnings.ts';

export const EXEMPT_WITHOUT_CREDIT = 'DDV-9';
const EXPORT = 'DDV-7-I';
const PASS_THROUGH = 'DDV-PS';

/**
 * The reasons of the European list (VATEX) whose counterpart in the Macedonian VAT act is certain. Article 132 of the directive is the
 * public interest of its article 23: the point of that article where the two describe the same supply, else the article as a whole.
 * Missing on purpose: exemptions that the act does not have (132 f, k, l, m, o), those of imports (143, 144) and of trade within the
 * Union (IC, D, F, I, J), those with input credit whose item of article 24 depends on the supply (146, 148, 151, 153, 159, 309),
 * reasons that contradict an exemption (AE, O), and national codes of other countries.
 */
export const EXEMPTION_INDICATORS: ReadonlyMap<string, readonly string[]> = new Map([
  ['VATEX-EU-132', [EXEMPT_WITHOUT_CREDIT]],
  ['VATEX-EU-132-1A', ['DDV-9-4', EXEMPT_WITHOUT_CREDIT]],
  ['VATEX-EU-132-1B', ['DDV-9-10', EXEMPT_WITHOUT_CREDIT]],
  ['VATEX-EU-132-1C', ['DDV-9-14', EXEMPT_WITHOUT_CREDIT]],
  ['VATEX-EU-132-1D', ['DDV-9-16', EXEMPT_WITHOUT_CREDIT]],
  ['VATEX-EU-132-1E', [EXEMPT_WITHOUT_CREDIT]],
  ['VATEX-EU-132-1G', ['DDV-9-11', EXEMPT_WITHOUT_CREDIT]],
  ['VATEX-EU-132-1H', [EXEMPT_WITHOUT_CREDIT]],
  ['VATEX-EU-132-1I', ['DDV-9-17', EXEMPT_WITHOUT_CREDIT]],
  ['VATEX-EU-132-1J', [EXEMPT_WITHOUT_CREDIT]],
  ['VATEX-EU-132-1N', ['DDV-9-8', EXEMPT_WITHOUT_CREDIT]],
  ['VATEX-EU-132-1P', ['DDV-9-15', EXEMPT_WITHOUT_CREDIT]],
  ['VATEX-EU-132-1Q', ['DDV-9-9', EXEMPT_WITHOUT_CREDIT]],
  ['VATEX-EU-135-1', [EXEMPT_WITHOUT_CREDIT]],
  ['VATEX-EU-79-C', [PASS_THROUGH]],
  ['VATEX-EU-G', [EXPORT]],
]);

const REASONS = 'VATEX-';
const EUROPEAN_LIST = `${REASONS}EU-`;
const REVERSE_CHARGE_REASON = 'VATEX-EU-AE';

/** The code list of the interface that has them all. */
export const INDICATOR_LIST = 'tax-indicators';
const EXEMPT = 'OSLOBODEN';
export const EXEMPT_CATEGORY = 'E';
/** As many as a sentence can name. */
const MAX_NAMED = 10;

/** Where a category states its reason, or would. */
export function reasonPath({ path }: TaxCategory): string {
  return `${path}/cbc:TaxExemptionReasonCode`;
}

/** What decides of the words of a category: for an exempt supply they are quoted where they are no note, for any other only the note counts. */
export function decidingWords(category: TaxCategory, rules: ServedIndicators): readonly string[] | string | null {
  if (category.id !== EXEMPT_CATEGORY) return notedIndicators(category, rules);
  return category.exemptionReasonCode === null ? category.exemptionReason : null;
}

/** The indicator of the European reason that an exempt line states itself; null if it states none, or one without a certain counterpart. */
export function indicatorOfReason(
  { exemptionReasonCode: reason }: TaxCategory,
  rules: ServedIndicators,
): string | null {
  return reason === null ? null : (counterpart(reason, usableIndicators(rules))?.code ?? null);
}

/**
 * The indicator of an exempt supply (category E) by its reason, which is no code of ours. It is stated on the line or, as EN 16931 has
 * it, once in the subtotal of its category. A subtotal without a reason beside others is that of the lines without one.
 */
export function exemptionIndicator(
  category: TaxCategory,
  subtotals: readonly TaxCategory[],
  rules: ServedIndicators,
  warn: VatWarnings,
): string | null {
  const stated = statedReasons(category.exemptionReasonCode === null ? subtotals : [category], rules);
  const { reasons, unreasoned } = stated;
  if (unreasoned !== null || reasons.size === 0) return assumedIndicator(category, stated, rules, warn);
  if (reasons.size > 1) refuseReasons([...reasons.keys()], category);
  const usable = usableIndicators(rules);
  const [[reason, place] = ['', category]] = reasons;
  const found = counterpart(reason, usable);
  if (found === null) {
    const values = { reason: excerpt(reason), indicators: exemptCodes(usable) };
    notExpressible(message('reason-without-counterpart', values), reasonPath(place));
  }
  return found.code;
}

/** What the subtotals of a category, or a line, state as reasons. */
type StatedReasons = {
  /** By code, or by the note that stands for one. */
  readonly reasons: ReadonlyMap<string, TaxCategory>;
  /** The one of the lines without a reason; one without words comes first. */
  readonly unreasoned: TaxCategory | null;
  /** Those with words that are no reason, each words once; none beside one without words. */
  readonly inWords: readonly TaxCategory[];
};

/** Thousands of lines have the same subtotals. */
const knownReasons = new WeakMap<readonly TaxCategory[], StatedReasons>();

function statedReasons(categories: readonly TaxCategory[], rules: ServedIndicators): StatedReasons {
  const known = knownReasons.get(categories);
  if (known !== undefined) return known;
  const reasonOf = (one: TaxCategory) =>
    notedIndicator(one, rules) === null ? one.exemptionReasonCode : one.exemptionReason;
  const reasons = new Map(categories.map((one) => [reasonOf(one) ?? '', one]));
  const unreasoned = categories.filter((one) => !reasonOf(one));
  const silent = unreasoned.find(({ exemptionReason }) => exemptionReason === null);
  const inWords = silent === undefined ? unreasoned : [];
  const distinct = new Map(inWords.map((one) => [comparable(one.exemptionReason ?? ''), one]));
  const found = { reasons, unreasoned: silent ?? unreasoned[0] ?? null, inWords: [...distinct.values()] };
  knownReasons.set(categories, found);
  return found;
}

/** EN 16931 takes a text instead of a code. In other words than those of a note, the article that is meant is a guess. */
function assumedIndicator(
  category: TaxCategory,
  { unreasoned, inWords }: StatedReasons,
  rules: ServedIndicators,
  warn: VatWarnings,
): string | null {
  const assumed = findEntry(usableIndicators(rules), EXEMPT_WITHOUT_CREDIT);
  if (assumed === null) return null;
  const { code } = assumed;
  const stating = category.exemptionReason === null ? inWords : [category];
  const texts = stating.flatMap(({ exemptionReason }) => exemptionReason?.split('\n') ?? []);
  const sentence =
    texts.length === 0
      ? message('exemption-assumed', { code })
      : message('exemption-of-text-assumed', { text: excerpt(texts.join('; ')), code });
  const place = stating[0] ?? unreasoned ?? category;
  warn('EXEMPTION-ASSUMED', sentence, reasonPath(place));
  return code;
}

/** What a reason may contradict: the category of an item, and how it is registered. */
type TreatedItem = {
  readonly category: TaxCategory;
  readonly treatment: { readonly indicator: string; readonly group: string; readonly impact: string };
};

/**
 * A reason that says another thing than what is registered: of a taxed supply any, of a reverse charge another one's, of an exempt supply
 * that of a reverse charge or of another article. The figures and the category tell what was invoiced; whoever stated the reason must learn that
 * it did not count. Subtotals, allowances and charges may state it for all items of their category.
 */
export function warnOfUnfitReasons(
  items: readonly TreatedItem[],
  others: readonly TaxCategory[],
  rules: ServedIndicators,
  warn: VatWarnings,
): void {
  const byCategory = new Map<string, Map<string, TreatedItem['treatment']>>();
  for (const { category, treatment } of items) {
    const key = categoryKey(category);
    byCategory.set(key, (byCategory.get(key) ?? new Map()).set(treatment.indicator, treatment));
  }
  const check = (category: TaxCategory, treatments: Iterable<TreatedItem['treatment']>) => {
    const own = [...treatments];
    const { exemptionReasonCode: code, exemptionReason: words } = category;
    if (own.length === 0 || own.some((one) => isFitting(category, one, rules))) return;
    const indicators = own.map(({ indicator }) => indicator).join(', ');
    const values = { reason: excerpt(code ?? words ?? ''), ...namedCategory(category), indicators };
    const place = code === null ? `${category.path}/cbc:TaxExemptionReason` : reasonPath(category);
    warn('ELEMENT-LEFT-OUT', message('exemption-reason-unfit', values), place);
  };
  for (const { category, treatment } of items) check(category, [treatment]);
  for (const category of others) check(category, byCategory.get(categoryKey(category))?.values() ?? []);
}

/** Words that are no note are judged for ordinary taxed supplies alone: what others mean by them would have to be read out of prose. */
function isFitting(category: TaxCategory, treatment: TreatedItem['treatment'], rules: ServedIndicators): boolean {
  const { exemptionReasonCode: code, exemptionReason: words } = category;
  const { indicator, group, impact } = treatment;
  const isTaxed = impact === 'STANDARD';
  if (code === null) {
    // Of an exempt supply they are quoted where they do not count.
    if (words === null || category.id === EXEMPT_CATEGORY || notedIndicators(category, rules).length > 0) return true;
    return !isOtherNote(category, rules) && !(isTaxed && indicator === group);
  }
  const reason = foldHomoglyphs(code);
  // Those of a single country say what is exempt there: of what is taxed here, that it should not be.
  if (!reason.startsWith(EUROPEAN_LIST)) return !(isTaxed && reason.startsWith(REASONS));
  if (isTaxed || impact === 'PRENESEN') return !isTaxed && reason === REVERSE_CHARGE_REASON;
  const counterparts = EXEMPTION_INDICATORS.get(reason) ?? [indicator];
  const isOfArticle = counterparts.some((one) => indicator === one || indicator.startsWith(`${one}-`));
  return isOfArticle && reason !== REVERSE_CHARGE_REASON;
}

function refuseReasons(stated: readonly string[], category: TaxCategory): never {
  const named = stated.slice(0, MAX_NAMED).map((one) => message('quotation', { text: excerpt(one) }));
  return notExpressible(message('reasons-several', { reasons: listed(named) }), reasonPath(category));
}

function counterpart(reason: string, usable: readonly TaxIndicator[]): TaxIndicator | null {
  const candidates = EXEMPTION_INDICATORS.get(foldHomoglyphs(reason)) ?? [];
  return candidates.flatMap((code) => findEntry(usable, code) ?? [])[0] ?? null;
}

/** Those that begin so, the general codes first; the others refine them. The code list where the document may have none of them. */
export function exemptCodes(usable: readonly TaxIndicator[], beginning = ''): Value {
  const wanted = usable.filter(({ code, vatImpact }) => vatImpact === EXEMPT && code.startsWith(beginning));
  const codes = wanted.map(({ code }) => code);
  if (codes.length === 0) return message('indicators-listed', { list: INDICATOR_LIST });
  const named = codes.toSorted((a, b) => a.length - b.length).slice(0, MAX_NAMED);
  const more = codes.length - named.length;
  if (more <= 0) return listed(named);
  return message('indicators-and-more', { codes: listed(named), count: more, list: INDICATOR_LIST });
}
