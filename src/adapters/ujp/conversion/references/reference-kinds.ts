import type { DocumentReference, ReferenceSource } from '../../../../domain/documents/invoice-content.ts';
import type { CodeListEntry } from '../../../../domain/values/code-list.ts';
import { findEntry } from '../code-matching.ts';

export type ReferenceKind =
  | 'correction'
  | 'registered'
  | 'order'
  | 'contract'
  | 'tender'
  | 'transport'
  | 'offer'
  | 'proforma'
  | 'customs'
  | 'receipt'
  | 'other';

type TypeMatch = { readonly codes: readonly string[]; readonly name: RegExp | null };

/**
 * The authority's codes of a kind, newer ones first. For some kinds the code is not published and the entry is found by name.
 */
export const AUTHORITY_TYPES: Readonly<Record<ReferenceKind, TypeMatch>> = {
  correction: { codes: ['ST'], name: null },
  registered: { codes: ['SYS'], name: null },
  order: { codes: ['NAR', 'NAR_DOC'], name: null },
  contract: { codes: ['DOG'], name: null },
  tender: { codes: ['JN', 'DOC_JN'], name: null },
  transport: { codes: [], name: /транспорт/iu },
  offer: { codes: [], name: /понуда/iu },
  proforma: { codes: ['PRO', 'PRO_FAK'], name: null },
  customs: { codes: ['C_D', 'CAR_DEC'], name: null },
  receipt: { codes: ['FIS', 'FISK_SMET'], name: null },
  other: { codes: ['DOC', 'DR_DOG'], name: null },
};

export const KIND_BY_SOURCE: Readonly<Record<Exclude<ReferenceSource, 'billing' | 'additional'>, ReferenceKind>> = {
  order: 'order',
  contract: 'contract',
  originator: 'tender',
  despatch: 'transport',
  receipt: 'transport',
  statement: 'other',
};

/** Kinds of additional references by their UNTDID 1001 code. */
export const KIND_BY_TYPE_CODE: ReadonlyMap<string, ReferenceKind> = new Map([
  ['50', 'tender'],
  ['105', 'order'],
  ['220', 'order'],
  ['270', 'transport'],
  ['310', 'offer'],
  ['315', 'contract'],
  ['325', 'proforma'],
  ['351', 'transport'],
  ['632', 'transport'],
  ['730', 'transport'],
  ['758', 'tender'],
  ['830', 'customs'],
  ['929', 'customs'],
]);

/** The kind of document that a reference names. */
export function referenceKind({ source, typeCode }: DocumentReference): ReferenceKind {
  if (source === 'billing') return 'registered';
  return source === 'additional' ? (KIND_BY_TYPE_CODE.get(typeCode ?? '') ?? 'other') : KIND_BY_SOURCE[source];
}

/** The authority's reference type of a kind. If it has none, the type for other documents, except for earlier invoices. */
export function findReferenceType(kind: ReferenceKind, types: readonly CodeListEntry[]): CodeListEntry | null {
  const type = typeOfKind(kind, types);
  return type ?? (kind === 'correction' || kind === 'registered' ? null : typeOfKind('other', types));
}

function typeOfKind(kind: ReferenceKind, types: readonly CodeListEntry[]): CodeListEntry | null {
  const { codes, name } = AUTHORITY_TYPES[kind];
  for (const code of codes) {
    const entry = findEntry(types, code);
    if (entry !== null) return entry;
  }
  return name === null ? null : (types.find((entry) => name.test(entry.name)) ?? null);
}

/** The kind that one of the authority's reference types is of, by its code or else by its name. */
export function referenceKindOf(code: string, typeName: string): ReferenceKind {
  const kinds = Object.entries(AUTHORITY_TYPES) as readonly (readonly [ReferenceKind, TypeMatch])[];
  const found =
    kinds.find(([, { codes }]) => codes.includes(code)) ?? kinds.find(([, { name }]) => name?.test(typeName));
  return found?.[0] ?? 'other';
}
