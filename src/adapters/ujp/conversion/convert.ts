import type { ConversionWarning } from '../../../domain/documents/conversion-warning.ts';
import type { InvoiceContent } from '../../../domain/documents/invoice-content.ts';
import { message, type Sentence } from '../../../domain/messages/message.ts';
import { inEnglish } from '../../../domain/messages/render.ts';
import { entriesInForce } from './code-matching.ts';
import type { ConversionContext, ServedLists } from './conversion-context.ts';
import {
  ConversionFailure,
  type ConversionFailureCode,
  excerpt,
  notExpressible,
  sentenceAt,
} from './conversion-failure.ts';
import { unknownDirectives } from './directives.ts';
import { documentAmounts } from './document-amounts.ts';
import { documentType } from './document-type.ts';
import { documentDate, header } from './header.ts';
import { leftOutElements } from './left-out-elements.ts';
import { lineAt, namingLines } from './lines/line-of-element.ts';
import { buyerParty, requireSupplier, sellerParty } from './parties/parties.ts';
import type { UjpPayload } from './payload.ts';
import { correctionReason } from './references/correction-reason.ts';
import { references } from './references/references.ts';
import { DENAR } from './totals/money.ts';

const MAX_WARNINGS = 20;

export type Conversion =
  | {
      readonly outcome: 'converted';
      readonly docTypeCode: string;
      /** What will be signed, apart from the request timestamp. */
      readonly payload: UjpPayload;
      /** What was left out or assumed, and what the authority may reject. */
      readonly warnings: readonly ConversionWarning[];
    }
  | {
      readonly outcome: 'failed';
      readonly failureCode: ConversionFailureCode;
      readonly message: string;
      readonly sentences: readonly Sentence[];
      /** What was left out or assumed before it failed. */
      readonly warnings: readonly ConversionWarning[];
    };

/** Converts a UBL document into the authority's JSON. A pure function: everything looked up is in the context. */
export function convert(content: InvoiceContent, context: ConversionContext): Conversion {
  const warnings: ConversionWarning[] = [];
  try {
    return convertOrThrow(content, context, warnings);
  } catch (failure) {
    if (!(failure instanceof ConversionFailure)) throw failure;
    const { failureCode, reason, path } = failure;
    const sentence = sentenceAt(reason, path, lineAt(content, path));
    const kept = namingLines(content, limitWarnings(warnings));
    return { outcome: 'failed', failureCode, message: inEnglish(sentence), sentences: [sentence], warnings: kept };
  }
}

function convertOrThrow(
  content: InvoiceContent,
  context: ConversionContext,
  warnings: ConversionWarning[],
): Conversion {
  requireSupplier(content, context);
  refuseUnreadable(content);
  refuseForeignCurrency(content, context);
  const docDate = documentDate(content);
  const lists = listsInForce(context.lists, docDate);
  const { storno, type } = documentType(content, lists.documentTypes, context.buyer);
  warnings.push(...unknownDirectives(content), ...leftOutElements(content, context));
  const headerNeeds = { docId: context.docId, docDate, storno, type };
  const { references: resolved, refusesReferences, leftOutReferences } = context;
  const referenceTypes = { types: lists.referenceTypes, resolved, refusesReferences, leftOutReferences };
  const referenceNeeds = { docDate, storno, type, ...referenceTypes };
  const partyNeeds = { context, docType: type.code, countries: lists.countries, warnings };
  const document = {
    header: header(content, headerNeeds, warnings),
    docReferences: references(content, referenceNeeds, warnings),
    seller: sellerParty(content, partyNeeds),
    buyer: buyerParty(content, partyNeeds),
    // docPayment, docItems, docTotals and vatTotals
    ...documentAmounts(content, { context, lists, docDate, docType: type.code }, warnings),
  };
  const payload =
    storno === 0
      ? { document }
      : { document, correctionReason: correctionReason(content, lists.correctionReasons, warnings) };
  return {
    outcome: 'converted',
    docTypeCode: type.code,
    payload,
    warnings: namingLines(content, limitWarnings(warnings)),
  };
}

function refuseUnreadable({ unreadable }: InvoiceContent): void {
  const [first] = unreadable;
  if (first !== undefined) notExpressible(message('value-unusable', { value: excerpt(first.text) }), first.path);
}

/**
 * The authority's documents do not say whether amounts may be in another currency: its `docCurrency` is called the currency of
 * payment, and an integrator reports that it takes denars only. So somebody who knows must confirm it first.
 */
function refuseForeignCurrency(
  { currency, path }: InvoiceContent,
  { foreignCurrency, tenantEdb }: ConversionContext,
): void {
  if (currency === null || currency === DENAR || foreignCurrency) return;
  const command = `tenant set ${tenantEdb} --foreign-currency yes`;
  const doubt = message('foreign-currency-unconfirmed', { currency: excerpt(currency), denar: DENAR, command });
  notExpressible(doubt, `${path}/cbc:DocumentCurrencyCode`);
}

/** The entries in force on a day. Tax indicators and groups stay complete, to tell an expired code from an unknown one. */
function listsInForce(lists: ServedLists, day: string): ServedLists {
  return {
    ...lists,
    documentTypes: entriesInForce(lists.documentTypes, day),
    referenceTypes: entriesInForce(lists.referenceTypes, day),
    paymentTypes: entriesInForce(lists.paymentTypes, day),
    correctionReasons: entriesInForce(lists.correctionReasons, day),
    currencies: entriesInForce(lists.currencies, day),
    countries: entriesInForce(lists.countries, day),
  };
}

/** A document can have thousands of lines with a warning each; none of them takes the place of the first of another code. */
function limitWarnings(warnings: readonly ConversionWarning[]): readonly ConversionWarning[] {
  const more = warnings.length - MAX_WARNINGS;
  if (more <= 0) return warnings;
  const seen = new Map<string, number>();
  const repetitions = warnings.map(({ code }, index) => {
    const repetition = seen.get(code) ?? 0;
    seen.set(code, repetition + 1);
    return { repetition, index };
  });
  const byRepetition = repetitions.toSorted((a, b) => a.repetition - b.repetition || a.index - b.index);
  const kept = new Set(byRepetition.slice(0, MAX_WARNINGS).map(({ index }) => index));
  const sentence = message('more-warnings', { count: more });
  const last = { code: 'MORE-WARNINGS', text: inEnglish(sentence), path: null, sentence } as const;
  return [...warnings.filter((_, index) => kept.has(index)), last];
}
