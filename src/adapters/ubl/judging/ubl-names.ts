import type { DocumentKind } from '../../../domain/documents/invoice-facts.ts';

const UBL = 'urn:oasis:names:specification:ubl:schema:xsd:';

export const documentNamespaces: Readonly<Record<DocumentKind, string>> = {
  Invoice: `${UBL}Invoice-2`,
  CreditNote: `${UBL}CreditNote-2`,
};

/** The usual prefixes, shown in paths and messages whatever prefixes a document uses; root elements have none. */
const usualPrefixes: ReadonlyMap<string, string> = new Map([
  [documentNamespaces.Invoice, ''],
  [documentNamespaces.CreditNote, ''],
  [`${UBL}CommonAggregateComponents-2`, 'cac:'],
  [`${UBL}CommonBasicComponents-2`, 'cbc:'],
  [`${UBL}CommonExtensionComponents-2`, 'ext:'],
  [`${UBL}CommonSignatureComponents-2`, 'sig:'],
  [`${UBL}SignatureAggregateComponents-2`, 'sac:'],
  [`${UBL}SignatureBasicComponents-2`, 'sbc:'],
  ['http://www.w3.org/2000/09/xmldsig#', 'ds:'],
  ['http://uri.etsi.org/01903/v1.3.2#', 'xades:'],
  ['http://www.w3.org/2001/XMLSchema-instance', 'xsi:'],
  ['http://www.w3.org/XML/1998/namespace', 'xml:'],
]);

/** `cbc:ID` or `Invoice`; with an unknown namespace `{urn:other}ID`. */
export function usualName(namespace: string, localName: string): string {
  return `${usualPrefix(namespace)}${localName}`;
}

export function usualPrefix(namespace: string): string {
  return usualPrefixes.get(namespace) ?? `{${namespace}}`;
}

export function documentKind(namespace: string, localName: string): DocumentKind | null {
  if (localName !== 'Invoice' && localName !== 'CreditNote') return null;
  return documentNamespaces[localName] === namespace ? localName : null;
}
