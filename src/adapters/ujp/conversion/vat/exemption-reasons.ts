import type { ConversionWarning } from '../../../../domain/documents/conversion-warning.ts';
import type { TaxCategory } from '../../../../domain/documents/invoice-content.ts';
import { listed, message, type Value } from '../../../../domain/messages/message.ts';
import { entriesInForce, findEntry } from '../code-matching.ts';
import type { TaxIndicator } from '../conversion-context.ts';
import { excerpt, notExpressible, warning } from '../conversion-failure.ts';

export type ServedIndicators = {
  readonly docDate: string;
  /** All that the authority serves, including those not in force. */
  readonly indicators: readonly TaxIndicator[];
  /** Null when the authority does not say which indicators the document type allows. */
  readonly allowed: ReadonlySet<string> | null;
};

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

/** The code list of the interface that has them all. */
export const INDICATOR_LIST = 'tax-indicators';
const EXEMPT = 'OSLOBODEN';
/** As many as a sentence can name. */
const MAX_NAMED = 10;

/** Where a category states its reason, or would. */
export function reasonPath({ path }: TaxCategory): string {
  return `${path}/cbc:TaxExemptionReasonCode`;
}

/** The indicator of the reason that an exempt line states itself; null if it states none, or one without a certain counterpart. */
export function indicatorOfReason(category: TaxCategory, rules: ServedIndicators): string | null {
  const { exemptionReasonCode: reason } = category;
  return reason === null ? null : (counterpart(reason, usableIndicators(rules))?.code ?? null);
}

/**
 * The indicator of an exempt supply (category E) by its reason code, which is none of ours. It is stated on the line or, as EN 16931 has
 * it, once in the subtotal of its category. A subtotal without a reason beside others is that of the lines without one.
 */
export function exemptionIndicator(
  category: TaxCategory,
  subtotals: readonly TaxCategory[],
  rules: ServedIndicators,
  warnings: ConversionWarning[],
): string | null {
  const stated = category.exemptionReasonCode === null ? subtotals : [category];
  const silent = stated.find(({ exemptionReasonCode }) => !exemptionReasonCode);
  const reasoned = silent === undefined ? stated : [];
  const reasons = new Map(reasoned.map((one) => [one.exemptionReasonCode ?? '', one]));
  const [[reason, place] = [undefined, silent ?? category], another] = reasons;
  if (another !== undefined) {
    const named = [...reasons.keys()].slice(0, MAX_NAMED).map((one) => message('quotation', { text: excerpt(one) }));
    notExpressible(message('reasons-several', { reasons: listed(named) }), reasonPath(category));
  }
  const usable = usableIndicators(rules);
  if (reason === undefined) return indicatorWithoutCode(category, subtotals, { usable, place }, warnings);
  const found = counterpart(reason, usable);
  if (found === null) {
    const values = { reason: excerpt(reason), indicators: exemptCodes(usable) };
    notExpressible(message('reason-without-counterpart', values), reasonPath(place));
  }
  return found.code;
}

/** EN 16931 takes a text instead of a code: the note of an indicator, word for word, is as good as its code. Any other is a guess. */
function indicatorWithoutCode(
  category: TaxCategory,
  subtotals: readonly TaxCategory[],
  { usable, place }: { readonly usable: readonly TaxIndicator[]; readonly place: TaxCategory },
  warnings: ConversionWarning[],
): string | null {
  const text = statedText(category, subtotals);
  const words = comparable(text ?? '');
  const noted = usable.filter(
    ({ vatImpact, note }) => vatImpact === EXEMPT && words !== '' && comparable(note) === words,
  );
  const [only, another] = new Set(noted.map(({ code }) => code));
  if (only !== undefined && another === undefined) return only;
  const assumed = findEntry(usable, EXEMPT_WITHOUT_CREDIT);
  if (assumed === null) return null;
  const { code } = assumed;
  const sentence =
    text === null
      ? message('exemption-assumed', { code })
      : message('exemption-of-text-assumed', { text: excerpt(text), code });
  warnings.push(warning('EXEMPTION-ASSUMED', sentence, reasonPath(place)));
  return code;
}

/** That of the line itself, else the one of the subtotals without a code; null where these have several. */
function statedText({ exemptionReason }: TaxCategory, subtotals: readonly TaxCategory[]): string | null {
  if (exemptionReason !== null) return exemptionReason;
  const withoutCode = subtotals.filter(({ exemptionReasonCode }) => exemptionReasonCode === null);
  const [text, another] = new Set(withoutCode.flatMap((one) => one.exemptionReason ?? []));
  return another === undefined ? (text ?? null) : null;
}

function comparable(text: string): string {
  return text.trim().replace(/\s+/gu, ' ').replace(/\.$/u, '').toLowerCase();
}

function counterpart(reason: string, usable: readonly TaxIndicator[]): TaxIndicator | null {
  const candidates = EXEMPTION_INDICATORS.get(reason.toUpperCase()) ?? [];
  return candidates.flatMap((code) => findEntry(usable, code) ?? [])[0] ?? null;
}

/** In force on the date of the document and allowed on its type. */
function usableIndicators({ indicators, docDate, allowed }: ServedIndicators): readonly TaxIndicator[] {
  return entriesInForce(indicators, docDate).filter(({ code }) => allowed === null || allowed.has(code));
}

/** The general codes first; the others refine them. */
function exemptCodes(usable: readonly TaxIndicator[]): Value {
  const codes = usable.filter(({ vatImpact }) => vatImpact === EXEMPT).map(({ code }) => code);
  const named = codes.toSorted((a, b) => a.length - b.length).slice(0, MAX_NAMED);
  const more = codes.length - named.length;
  if (more <= 0) return listed(named);
  return message('indicators-and-more', { codes: listed(named), count: more, list: INDICATOR_LIST });
}
