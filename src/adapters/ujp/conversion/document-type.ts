import type { InvoiceContent } from '../../../domain/documents/invoice-content.ts';
import type { DocumentKind } from '../../../domain/documents/invoice-facts.ts';
import { documentTypeDirective } from '../../../domain/invoices/document-type-directive.ts';
import { ADVANCE_INVOICE, CORRECTED_INVOICE, DEBIT_NOTES } from '../../../domain/invoices/stated-codes.ts';
import { message } from '../../../domain/messages/message.ts';
import { findEntry } from './code-matching.ts';
import type { DocumentType, RegistryCompany } from './conversion-context.ts';
import { excerpt, notExpressible } from './conversion-failure.ts';
import { identityOf } from './parties/party-identity.ts';

export type MappedType = {
  readonly code: string;
  /** The authority's `docStorno`: 2 for a correction, 0 otherwise. 1 (storno, a void) has no counterpart in UBL. */
  readonly storno: 0 | 2;
  readonly path: string;
};

type TypeRule = { readonly code: string; readonly storno: 0 | 2 };

/** UBL type codes and the authority's types. A credit note is not a void: it has a type of its own and positive amounts. */
export const TYPES: Readonly<Record<DocumentKind, ReadonlyMap<string, TypeRule>>> = {
  Invoice: new Map([
    ...ordinary('100', '380', '82', '326', '393', '395', '780'),
    ...ordinary('120', ...DEBIT_NOTES),
    [CORRECTED_INVOICE, { code: '100', storno: 2 }],
    ...ordinary('130', ADVANCE_INVOICE),
  ]),
  CreditNote: new Map(ordinary('110', '381', '81', '83', '396')),
};

const INVOICE = '100';
export const INVOICE_TO_PERSON = '170';

const CREDIT_AND_DEBIT_NOTES: ReadonlySet<string> = new Set(['110', '120']);

const UNSUPPORTED_TYPES = new Map([
  ['325', 'type-proforma'],
  ['389', 'type-self-billed-invoice'],
  ['261', 'type-self-billed-credit-note'],
] as const);

/** Software states the type of a credit note in an invoice, and the other way round. */
const OTHER = {
  Invoice: { kind: 'CreditNote', message: 'type-of-credit-note' },
  CreditNote: { kind: 'Invoice', message: 'type-of-invoice' },
} as const;

function ordinary(code: string, ...typeCodes: readonly string[]): readonly (readonly [string, TypeRule])[] {
  return typeCodes.map((typeCode) => [typeCode, { code, storno: 0 }]);
}

export function isCreditOrDebitNote(code: string): boolean {
  return CREDIT_AND_DEBIT_NOTES.has(code);
}

/**
 * The authority's type by the type code, the buyer and directives, before it is checked against the list; null for an
 * unsupported type code without a directive. `buyer` is the buyer in the authority's registry.
 */
export function mappedType(content: InvoiceContent, buyer: RegistryCompany | null): MappedType | null {
  const path = `${content.path}/cbc:${content.kind}TypeCode`;
  const rule = TYPES[content.kind].get(content.typeCode.value ?? '');
  const directive = documentTypeDirective(content);
  if (directive !== null) return { code: directive.value, storno: rule?.storno ?? 0, path: directive.path };
  if (rule === undefined) return null;
  const toPerson = rule.code === INVOICE && identityOf(content.customer, buyer).kind === 'person';
  return { code: toPerson ? INVOICE_TO_PERSON : rule.code, storno: rule.storno, path };
}

/** The authority's document type, which must be in force on the document's date. */
export function documentType(
  content: InvoiceContent,
  types: readonly DocumentType[],
  buyer: RegistryCompany | null,
): { readonly storno: MappedType['storno']; readonly type: DocumentType } {
  const mapped = mappedType(content, buyer) ?? refuseTypeCode(content);
  const type = findEntry(types, mapped.code);
  if (type === null) {
    const date = content.issueDate ?? '';
    if (types.length === 0) notExpressible(message('no-type-in-force', { date }), `${content.path}/cbc:IssueDate`);
    const values = { code: excerpt(mapped.code), date, list: 'document-types' };
    notExpressible(message('type-not-in-force', values), mapped.path);
  }
  return { storno: mapped.storno, type };
}

function refuseTypeCode({ kind, typeCode, path }: InvoiceContent): never {
  const elementPath = `${path}/cbc:${kind}TypeCode`;
  const code = typeCode.value;
  for (const [unsupported, key] of UNSUPPORTED_TYPES) {
    if (code === unsupported) notExpressible(message(key, { code }), elementPath);
  }
  const expected = [...TYPES[kind].keys()].join(', ');
  const directive = 'UJP:docType';
  if (code === null) notExpressible(message('type-code-missing', { expected, directive }), elementPath);
  const unknown = TYPES[OTHER[kind].kind].has(code) ? OTHER[kind].message : 'type-code-unknown';
  notExpressible(message(unknown, { code: excerpt(code), expected, directive }), elementPath);
}
