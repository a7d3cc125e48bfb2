import type { InvoiceContent } from '../../../domain/documents/invoice-content.ts';
import type { DocumentKind } from '../../../domain/documents/invoice-facts.ts';
import type { DocumentType } from './conversion-context.ts';
import { notExpressible, quoted } from './conversion-failure.ts';
import { documentTypeDirective } from './directives.ts';
import { identityOf } from './parties/party-identity.ts';
import { servedEntry } from './served-code.ts';

export type PlannedType = {
  readonly code: string;
  /** 2 for a correction; a storno is no UBL document and comes another way. */
  readonly storno: 0 | 2;
  readonly path: string;
};

type TypeRule = { readonly code: string; readonly storno: 0 | 2 };

/** A credit note is not a storno: its amounts are positive and its type is its own. */
const TYPES: Readonly<Record<DocumentKind, ReadonlyMap<string, TypeRule>>> = {
  Invoice: new Map([
    ['380', { code: '100', storno: 0 }],
    ['383', { code: '120', storno: 0 }],
    ['384', { code: '100', storno: 2 }],
    ['386', { code: '130', storno: 0 }],
  ]),
  CreditNote: new Map([['381', { code: '110', storno: 0 }]]),
};

const INVOICE = '100';
const INVOICE_TO_A_PERSON = '170';

const NOTES: ReadonlySet<string> = new Set(['110', '120']);

const KNOWN_OTHERS: ReadonlyMap<string, string> = new Map([
  ['325', 'a proforma invoice, which is no invoice for the authority'],
  ['389', 'a self-billed invoice, which its receiver cannot issue through the authority'],
  ['261', 'a self-billed credit note, which its receiver cannot issue through the authority'],
]);

/** A credit or debit note. */
export function isNote(code: string): boolean {
  return NOTES.has(code);
}

/** The authority's type of the document before any list is looked at; null for a type code that has none. */
export function plannedType(content: InvoiceContent): PlannedType | null {
  const path = `${content.path}/cbc:${content.kind}TypeCode`;
  const rule = TYPES[content.kind].get(content.typeCode.value ?? '');
  if (rule === undefined) return null;
  const directive = documentTypeDirective(content);
  if (directive !== null) return { code: directive.value, storno: rule.storno, path: directive.path };
  const toPerson = rule.code === INVOICE && identityOf(content.customer).kind === 'person';
  return { code: toPerson ? INVOICE_TO_A_PERSON : rule.code, storno: rule.storno, path };
}

export function documentType(
  content: InvoiceContent,
  types: readonly DocumentType[],
): { readonly planned: PlannedType; readonly type: DocumentType } {
  const planned = plannedType(content) ?? refuseTypeCode(content);
  const type = servedEntry(types, planned.code);
  if (type === null) {
    notExpressible(
      `The authority's list has no document type ${quoted(planned.code)} in force on ${content.issueDate}`,
      planned.path,
    );
  }
  return { planned, type };
}

function refuseTypeCode({ kind, typeCode, path }: InvoiceContent): never {
  const place = `${path}/cbc:${kind}TypeCode`;
  const known = KNOWN_OTHERS.get(typeCode.value ?? '');
  if (known !== undefined) notExpressible(`Type ${typeCode.value} is ${known}`, place);
  const expected = [...TYPES[kind].keys()].join(', ');
  const stated =
    typeCode.value === null ? 'The type code is missing' : `The authority has no type ${quoted(typeCode.value)}`;
  notExpressible(`${stated}; expected one of ${expected}`, place);
}
