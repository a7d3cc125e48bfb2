import type { InvoiceContent } from '../../../domain/documents/invoice-content.ts';
import type { ConversionContext, ServedLists } from './conversion-context.ts';
import { ConversionFailure, type ConversionFailureCode, notExpressible, quoted } from './conversion-failure.ts';
import { documentType } from './document-type.ts';
import { documentDate, header } from './header.ts';
import { buyerParty, requireSupplier, sellerParty } from './parties/parties.ts';
import type { UjpPayload } from './payload.ts';
import { correctionReason } from './references/correction-reason.ts';
import { references } from './references/references.ts';
import { inForce } from './served-code.ts';
import { documentFigures } from './totals/document-figures.ts';

const MOST_WARNINGS = 20;

export type Conversion =
  | {
      readonly outcome: 'converted';
      readonly docTypeCode: string;
      /** What is signed, but for the time of the request. */
      readonly payload: UjpPayload;
      /** What the authority's document leaves out or may be refused for, in sentences. */
      readonly warnings: readonly string[];
    }
  | { readonly outcome: 'failed'; readonly failureCode: ConversionFailureCode; readonly message: string };

/** Turns a UBL document into the authority's. Looks nothing up and reads no clock: the same in, the same out. */
export function convert(content: InvoiceContent, context: ConversionContext): Conversion {
  try {
    return converted(content, context);
  } catch (failure) {
    if (!(failure instanceof ConversionFailure)) throw failure;
    return { outcome: 'failed', failureCode: failure.failureCode, message: failure.message };
  }
}

function converted(content: InvoiceContent, context: ConversionContext): Conversion {
  requireSupplier(content, context);
  refuseUnreadable(content);
  const docDate = documentDate(content);
  const lists = listsOn(context.lists, docDate);
  const warnings: string[] = [];
  const { planned, type } = documentType(content, lists.documentTypes);
  const { storno } = planned;
  const parties = { context, countries: lists.countries, warnings };
  const referring = { docDate, storno, type, types: lists.referenceTypes, resolved: context.references };
  const document = {
    header: header(content, { docId: context.docId, docDate, storno, type }, warnings),
    docReferences: references(content, referring, warnings),
    seller: sellerParty(content, parties),
    buyer: buyerParty(content, parties),
    ...documentFigures(content, { context, lists, docDate, docType: type.code }, warnings),
  };
  const payload =
    storno === 0 ? { document } : { document, correctionReason: correctionReason(content, lists.correctionReasons) };
  return { outcome: 'converted', docTypeCode: type.code, payload, warnings: theFirst(warnings) };
}

/** A document can have thousands of lines, each with something to say about. */
function theFirst(warnings: readonly string[]): readonly string[] {
  const more = warnings.length - MOST_WARNINGS;
  return more <= 0 ? warnings : [...warnings.slice(0, MOST_WARNINGS), `There are ${more} more warnings.`];
}

function refuseUnreadable({ unreadable }: InvoiceContent): void {
  const [first] = unreadable;
  if (first !== undefined)
    notExpressible(`${quoted(first.text)} is no number or date that can be passed on`, first.path);
}

/** The lists on the day of the document. Tax indicators and groups stay whole, to tell an old code from an unknown one. */
function listsOn(lists: ServedLists, day: string): ServedLists {
  return {
    ...lists,
    documentTypes: inForce(lists.documentTypes, day),
    referenceTypes: inForce(lists.referenceTypes, day),
    paymentTypes: inForce(lists.paymentTypes, day),
    correctionReasons: inForce(lists.correctionReasons, day),
    currencies: inForce(lists.currencies, day),
    countries: inForce(lists.countries, day),
  };
}
