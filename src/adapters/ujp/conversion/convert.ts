import type { ConversionWarning } from '../../../domain/documents/conversion-warning.ts';
import type { InvoiceContent } from '../../../domain/documents/invoice-content.ts';
import { DENAR } from '../../../domain/invoices/denar.ts';
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
import { unknownDirectives, unusedDirectives } from './directives.ts';
import { documentAmounts } from './document-amounts.ts';
import { documentType } from './document-type.ts';
import { createFailureCollector, type FailureCollector } from './failure-collector.ts';
import { documentDate, header } from './header.ts';
import { leftOutElements } from './left-out-elements.ts';
import { lineAt, namingLines } from './lines/line-of-element.ts';
import { buyerParty, requireSupplier, sellerParty } from './parties/parties.ts';
import type { UjpPayload } from './payload.ts';
import { correctionReason } from './references/correction-reason.ts';
import { references } from './references/references.ts';

const MAX_WARNINGS = 20;

type Converted = {
  readonly outcome: 'converted';
  readonly docTypeCode: string;
  /** What will be signed, apart from the request timestamp. */
  readonly payload: UjpPayload;
  /** What was left out or assumed, and what the authority may reject. */
  readonly warnings: readonly ConversionWarning[];
};

export type Conversion =
  | Converted
  | {
      readonly outcome: 'failed';
      readonly failureCode: ConversionFailureCode;
      readonly message: string;
      readonly sentences: readonly Sentence[];
      /** What was left out or assumed before it failed. */
      readonly warnings: readonly ConversionWarning[];
    };

/** Every failure that can be found without the step that failed before; the first is the one that delivery ends with. */
export type Rehearsal = {
  readonly failures: readonly { readonly failureCode: ConversionFailureCode; readonly sentence: Sentence }[];
  /** Null where there are failures. */
  readonly payload: UjpPayload | null;
  readonly warnings: readonly ConversionWarning[];
};

/** Converts a UBL document into the authority's JSON. A pure function: everything looked up is in the context. */
export function convert(content: InvoiceContent, context: ConversionContext): Conversion {
  const warnings: ConversionWarning[] = [];
  try {
    return convertOrThrow(content, context, warnings, createFailureCollector('end'));
  } catch (failure) {
    if (!(failure instanceof ConversionFailure)) throw failure;
    const { failureCode } = failure;
    const sentence = placed(content, failure);
    const kept = namingLines(content, limitWarnings(warnings));
    return { outcome: 'failed', failureCode, message: inEnglish(sentence), sentences: [sentence], warnings: kept };
  }
}

/** The same conversion, which goes on after a failure as far as it can. */
export function rehearseConversion(content: InvoiceContent, context: ConversionContext): Rehearsal {
  const warnings: ConversionWarning[] = [];
  const collector = createFailureCollector('go on');
  let payload: UjpPayload | null = null;
  try {
    payload = convertOrThrow(content, context, warnings, collector).payload;
  } catch (failure) {
    if (!(failure instanceof ConversionFailure)) throw failure;
    collector.keep(failure);
  }
  return {
    failures: collector.found.map((failure) => ({
      failureCode: failure.failureCode,
      sentence: placed(content, failure),
    })),
    payload,
    warnings: namingLines(content, limitWarnings(warnings)),
  };
}

function placed(content: InvoiceContent, { reason, path }: ConversionFailure): Sentence {
  return sentenceAt(reason, path, lineAt(content, path));
}

function convertOrThrow(
  content: InvoiceContent,
  context: ConversionContext,
  warnings: ConversionWarning[],
  collector: FailureCollector,
): Converted {
  const { attempt, complete } = collector;
  const isOwn = attempt(() => requireSupplier(content, context)) !== null;
  refuseUnreadable(content, collector);
  const isConvertible = attempt(() => refuseForeignCurrency(content, context)) !== null;
  const docDate = documentDate(content);
  const lists = listsInForce(context.lists, docDate);
  const { storno, type } = documentType(content, lists.documentTypes, context.buyer);
  warnings.push(...unknownDirectives(content), ...unusedDirectives(content, storno));
  warnings.push(...leftOutElements(content, context));
  const headerNeeds = { docId: context.docId, docDate, storno, type };
  const { references: resolved, refusesReferences, leftOutReferences } = context;
  const referenceTypes = { types: lists.referenceTypes, resolved, refusesReferences, leftOutReferences };
  const referenceNeeds = { docDate, storno, type, ...referenceTypes };
  const partyNeeds = { context, docType: type.code, countries: lists.countries, warnings };
  const amountNeeds = { context, lists, docDate, docType: type.code };
  const parts = {
    header: header(content, headerNeeds, warnings, collector),
    docReferences: attempt(() => references(content, referenceNeeds, warnings)),
    // What the register says of another seller has nothing to do with the tenant.
    seller: isOwn ? attempt(() => sellerParty(content, partyNeeds)) : null,
    buyer: attempt(() => buyerParty(content, partyNeeds)),
    // docPayment, docItems, docTotals and vatTotals; without the rate of the currency none of them can be judged
    amounts: isConvertible ? attempt(() => documentAmounts(content, amountNeeds, warnings, collector)) : null,
    correctionReason:
      storno === 0 ? 'none' : attempt(() => correctionReason(content, lists.correctionReasons, warnings)),
  } as const;
  const { amounts, correctionReason: reason, ...document } = complete(parts);
  const payload = { document: { ...document, ...amounts }, ...(reason === 'none' ? {} : { correctionReason: reason }) };
  return {
    outcome: 'converted',
    docTypeCode: type.code,
    payload,
    warnings: namingLines(content, limitWarnings(warnings)),
  };
}

/** A value that cannot be read counts as missing everywhere else, where that would be reported as well. */
function refuseUnreadable({ unreadable }: InvoiceContent, { attempt, endIfAny, found }: FailureCollector): void {
  const before = found.length;
  for (const { text, path, mostDigits } of unreadable) {
    const value = excerpt(text);
    const reason =
      mostDigits === null
        ? message('value-unusable', { value })
        : message('value-too-long', { value, most: mostDigits });
    attempt(() => notExpressible(reason, path));
  }
  endIfAny(before);
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
