import type { ConversionWarning } from '../../../../domain/documents/conversion-warning.ts';
import type { TaxCategory } from '../../../../domain/documents/invoice-content.ts';
import { entriesInForce, findEntry } from '../code-matching.ts';
import type { TaxIndicator } from '../conversion-context.ts';
import { notExpressible, quoted, warning } from '../conversion-failure.ts';

export type ServedIndicators = {
  readonly docDate: string;
  /** All that the authority serves, including those not in force. */
  readonly indicators: readonly TaxIndicator[];
  /** Null when the authority does not say which indicators the document type allows. */
  readonly allowed: ReadonlySet<string> | null;
};

const EXEMPT_WITHOUT_CREDIT = 'DDV-9';
const EXPORT = 'DDV-7-I';
const PASS_THROUGH = 'DDV-PS';

/**
 * The reasons of the European list (VATEX) whose counterpart in the Macedonian VAT act is certain. Article 132 of the directive is the
 * public interest of its article 23: the point of that article where the two describe the same supply, else the article as a whole.
 * Missing on purpose: exemptions that the act does not have (132 f, k, l, m, o), those of imports (143, 144) and of trade within the
 * Union (IC, D, F, I, J), those with input credit whose item of article 24 depends on the supply (146, 148, 151, 153, 159, 309),
 * reasons that contradict an exemption (AE, O), and national codes of other countries.
 */
const INDICATORS: ReadonlyMap<string, readonly string[]> = new Map([
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

const EXEMPT = 'OSLOBODEN';
/** As many as a sentence can name. */
const MAX_NAMED = 10;

/** The indicator of an exempt supply (category E) by the reason codes that the line or its subtotals state, which are none of ours. */
export function exemptionIndicator(
  { path }: TaxCategory,
  reasons: readonly string[],
  rules: ServedIndicators,
  warnings: ConversionWarning[],
): TaxIndicator | null {
  const [reason, another] = reasons;
  const elementPath = `${path}/cbc:TaxExemptionReasonCode`;
  if (another !== undefined) {
    const sentence = `The subtotals state several exemption reasons (${reasons.slice(0, MAX_NAMED).map(quoted).join(', ')}); state the one of this line`;
    notExpressible(sentence, elementPath);
  }
  const candidates = reason === undefined ? [EXEMPT_WITHOUT_CREDIT] : (INDICATORS.get(reason.toUpperCase()) ?? []);
  const usable = usableIndicators(rules);
  const found = candidates.flatMap((code) => findEntry(usable, code) ?? [])[0];
  if (reason !== undefined && found === undefined) {
    const sentence = `The exemption reason ${quoted(reason)} has no certain counterpart at the authority; state one of its tax indicators instead (${exemptCodes(usable)})`;
    notExpressible(sentence, elementPath);
  }
  if (reason === undefined && found !== undefined) {
    const sentence = `The supply is exempt for no stated reason; ${found.code} (exempt without credit) was assumed`;
    warnings.push(warning('EXEMPTION-ASSUMED', sentence, elementPath));
  }
  return found ?? null;
}

/** In force on the date of the document and allowed on its type. */
function usableIndicators({ indicators, docDate, allowed }: ServedIndicators): readonly TaxIndicator[] {
  return entriesInForce(indicators, docDate).filter(({ code }) => allowed === null || allowed.has(code));
}

/** The general codes first; the others refine them. */
function exemptCodes(usable: readonly TaxIndicator[]): string {
  const codes = usable.filter(({ vatImpact }) => vatImpact === EXEMPT).map(({ code }) => code);
  const named = codes.toSorted((a, b) => a.length - b.length).slice(0, MAX_NAMED);
  const more = codes.length - named.length;
  return `${named.join(', ')}${more > 0 ? ` and ${more} more in the code list tax-indicators` : ''}`;
}
