import type { DocumentReference, InvoiceContent } from '../../../domain/documents/invoice-content.ts';

/**
 * Values for the authority that UBL has no element for. An issuer can state them in one of these ways:
 * `cac:AdditionalDocumentReference/cbc:ID[@schemeID='UJP:docType']`, `cbc:ProfileID[@schemeID='UJP:docType']`, the same as
 * text (`UJP:docType:160`) in `cbc:ProfileID`, in `@name` of the type code or, for the reason of a correction, in a `cbc:Note`.
 */
const DOCUMENT_TYPE = 'UJP:docType';
const CORRECTION_REASON = 'UJP:correctionReason';
const DIRECTIVE_PREFIX = /^UJP:/u;

export type Directive = { readonly value: string; readonly comment: string | null; readonly path: string };

export function documentTypeDirective(content: InvoiceContent): Directive | null {
  const { path, kind, typeCode, profile } = content;
  const name = typeCode.name ?? '';
  const fromName = /^\d{3}$/u.test(name) ? name : parseDirective(name, DOCUMENT_TYPE)?.value;
  if (fromName !== undefined) return { value: fromName, comment: null, path: `${path}/cbc:${kind}TypeCode/@name` };
  const fromProfile =
    profile.scheme === DOCUMENT_TYPE ? profile.value : parseDirective(profile.value ?? '', DOCUMENT_TYPE)?.value;
  if (fromProfile !== undefined && fromProfile !== null) {
    return { value: fromProfile, comment: null, path: `${path}/cbc:ProfileID` };
  }
  return fromReference(content, DOCUMENT_TYPE);
}

export function correctionReasonDirective(content: InvoiceContent): Directive | null {
  const reference = fromReference(content, CORRECTION_REASON);
  if (reference !== null) return reference;
  for (const note of content.notes) {
    const reason = parseDirective(note, CORRECTION_REASON);
    if (reason !== null) return { ...reason, path: `${content.path}/cbc:Note` };
  }
  return null;
}

export function isDirectiveReference({ id }: DocumentReference): boolean {
  return DIRECTIVE_PREFIX.test(id.scheme ?? '');
}

/** The notes without directives. */
export function plainNotes({ notes }: InvoiceContent): readonly string[] {
  return notes.filter((note) => !DIRECTIVE_PREFIX.test(note));
}

function fromReference({ references }: InvoiceContent, scheme: string): Directive | null {
  const reference = references.find(({ id }) => id.scheme === scheme);
  if (reference === undefined || reference.id.value === null) return null;
  return { value: reference.id.value, comment: reference.description, path: `${reference.path}/cbc:ID` };
}

function parseDirective(text: string, name: string): Omit<Directive, 'path'> | null {
  const [value, ...words] = text.startsWith(`${name}:`)
    ? text
        .slice(name.length + 1)
        .trim()
        .split(' ')
    : [];
  return value === undefined || value === '' ? null : { value, comment: words.join(' ').trim() || null };
}
