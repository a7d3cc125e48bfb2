import type { InvoiceContent } from '../documents/invoice-content.ts';

/** The document type of the authority, where it is another than follows from the type code. */
export const DOCUMENT_TYPE = 'UJP:docType';

/** A value for the authority that UBL has no element for. */
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
  return directiveInReference(content, DOCUMENT_TYPE);
}

export function directiveInReference({ references }: InvoiceContent, scheme: string): Directive | null {
  const reference = references.find(({ id }) => id.scheme === scheme);
  if (reference === undefined || reference.id.value === null) return null;
  return { value: reference.id.value, comment: reference.description, path: `${reference.path}/cbc:ID` };
}

/** `UJP:docType:160`, with words behind the value. */
export function parseDirective(text: string, name: string): Omit<Directive, 'path'> | null {
  const [value, ...words] = text.startsWith(`${name}:`)
    ? text
        .slice(name.length + 1)
        .trim()
        .split(/\s/u)
    : [];
  return value === undefined || value === '' ? null : { value, comment: words.join(' ').trim() || null };
}
