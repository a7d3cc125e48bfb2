import type { ConversionWarning } from '../../../domain/documents/conversion-warning.ts';
import type { DocumentReference, InvoiceContent } from '../../../domain/documents/invoice-content.ts';
import {
  type Directive,
  DOCUMENT_TYPE,
  directiveInReference,
  documentTypeDirective,
  parseDirective,
} from '../../../domain/invoices/document-type-directive.ts';
import { CORRECTED_INVOICE } from '../../../domain/invoices/stated-codes.ts';
import { message } from '../../../domain/messages/message.ts';
import { excerpt, warning } from './conversion-failure.ts';

/**
 * Values for the authority that UBL has no element for. An issuer can state them in one of these ways:
 * `cac:AdditionalDocumentReference/cbc:ID[@schemeID='UJP:docType']`, `cbc:ProfileID[@schemeID='UJP:docType']`, the same as
 * text (`UJP:docType:160`) in `cbc:ProfileID`, in `@name` of the type code or, for the reason of a correction and the type of
 * payment, in a `cbc:Note`. The type of payment can also stand in `@name` of the payment means code.
 */
const CORRECTION_REASON = 'UJP:correctionReason';
const PAYMENT_TYPE = 'UJP:paymentType';
export const DIRECTIVES = [DOCUMENT_TYPE, CORRECTION_REASON, PAYMENT_TYPE] as const;
const IN_REFERENCES: ReadonlySet<string> = new Set(DIRECTIVES);
const IN_NOTES = [CORRECTION_REASON, PAYMENT_TYPE];
const DIRECTIVE_PREFIX = /^UJP:/u;

export function correctionReasonDirective(content: InvoiceContent): Directive | null {
  return directiveInReference(content, CORRECTION_REASON) ?? fromNote(content, CORRECTION_REASON);
}

export function paymentTypeDirective(content: InvoiceContent): Directive | null {
  const [means] = content.paymentMeans;
  const fromName = parseDirective(means?.name ?? '', PAYMENT_TYPE);
  if (fromName !== null) return { ...fromName, path: `${means?.path}/cbc:PaymentMeansCode/@name` };
  return directiveInReference(content, PAYMENT_TYPE) ?? fromNote(content, PAYMENT_TYPE);
}

/** What is written like a directive is not sent as a reference or a note, so one that nobody reads must not vanish in silence. */
export function unknownDirectives({ references, notes, path }: InvoiceContent): ConversionWarning[] {
  const schemes = references.filter((one) => isDirectiveReference(one) && !IN_REFERENCES.has(one.id.scheme ?? ''));
  const texts = notes.filter(
    (note) => DIRECTIVE_PREFIX.test(note) && !IN_NOTES.some((name) => parseDirective(note, name)),
  );
  return [
    ...schemes.map((one) => unknownDirective(one.id.scheme ?? '', `${one.path}/cbc:ID`)),
    ...texts.map((note) => unknownDirective(note, `${path}/cbc:Note`)),
  ];
}

/**
 * Those that are known and do not count: beside another of their kind, or the reason of a correction in a document that is none. It may have
 * been meant as one, and is registered beside the document that it was to replace.
 */
export function unusedDirectives(content: InvoiceContent, storno: 0 | 2): ConversionWarning[] {
  const counting = new Map([
    [DOCUMENT_TYPE, documentTypeDirective(content)],
    [PAYMENT_TYPE, paymentTypeDirective(content)],
    [CORRECTION_REASON, storno === 0 ? null : correctionReasonDirective(content)],
  ]);
  return statedDirectives(content).flatMap(({ name, value, path }) => {
    const counts = counting.get(name) ?? null;
    if (counts?.value === value) return [];
    const text = excerpt(`${name}:${value}`);
    const isOfCorrection = name === CORRECTION_REASON && counts === null;
    const reason = isOfCorrection
      ? message('correction-reason-unused', { text, type: CORRECTED_INVOICE })
      : message('directive-unused', { text });
    return [warning('DIRECTIVE-UNKNOWN', reason, path)];
  });
}

/** Those in references and notes. */
function statedDirectives({ references, notes, path }: InvoiceContent) {
  const inReferences = references.flatMap(({ id, path: place }) => {
    const isKnown = id.value !== null && IN_REFERENCES.has(id.scheme ?? '');
    return isKnown ? [{ name: id.scheme ?? '', value: id.value, path: `${place}/cbc:ID` }] : [];
  });
  const inNotes = notes.flatMap((note) =>
    IN_NOTES.flatMap((name) => {
      const stated = parseDirective(note, name);
      return stated === null ? [] : [{ name, value: stated.value, path: `${path}/cbc:Note` }];
    }),
  );
  return [...inReferences, ...inNotes];
}

function unknownDirective(text: string, path: string): ConversionWarning {
  return warning('DIRECTIVE-UNKNOWN', message('directive-unknown', { text: excerpt(text) }), path);
}

export function isDirectiveReference({ id }: DocumentReference): boolean {
  return DIRECTIVE_PREFIX.test(id.scheme ?? '');
}

/** The notes without directives. */
export function plainNotes({ notes }: InvoiceContent): readonly string[] {
  return notes.filter((note) => !DIRECTIVE_PREFIX.test(note));
}

function fromNote({ notes, path }: InvoiceContent, name: string): Directive | null {
  for (const note of notes) {
    const directive = parseDirective(note, name);
    if (directive !== null) return { ...directive, path: `${path}/cbc:Note` };
  }
  return null;
}
