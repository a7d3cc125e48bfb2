import type { DocumentReference, ReferenceSource } from '../../../../domain/documents/invoice-content.ts';
import type { CodeListEntry } from '../../../../domain/values/code-list.ts';
import { servedEntry } from '../served-code.ts';

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

type ServedKind = { readonly codes: readonly string[]; readonly name: RegExp | null };

/** Codes in the order of preference; of some kinds only the name is public, and an older generation of codes is longer. */
const SERVED_AS: Readonly<Record<ReferenceKind, ServedKind>> = {
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

const OF_SOURCE: Readonly<Record<Exclude<ReferenceSource, 'billing' | 'additional'>, ReferenceKind>> = {
  order: 'order',
  contract: 'contract',
  originator: 'tender',
  despatch: 'transport',
  receipt: 'transport',
  statement: 'other',
};

/** UNTDID 1001 codes of additional references. */
const OF_TYPE_CODE: ReadonlyMap<string, ReferenceKind> = new Map([
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

/** What kind of document a reference other than to an earlier invoice means. */
export function referenceKind({ source, typeCode }: DocumentReference): ReferenceKind {
  if (source === 'billing') return 'registered';
  return source === 'additional' ? (OF_TYPE_CODE.get(typeCode ?? '') ?? 'other') : OF_SOURCE[source];
}

/** The served type of a kind; where the authority serves none, the one for other documents. */
export function servedReferenceType(kind: ReferenceKind, types: readonly CodeListEntry[]): CodeListEntry | null {
  const own = ownType(kind, types);
  return own ?? (kind === 'correction' || kind === 'registered' ? null : ownType('other', types));
}

function ownType(kind: ReferenceKind, types: readonly CodeListEntry[]): CodeListEntry | null {
  const { codes, name } = SERVED_AS[kind];
  for (const code of codes) {
    const entry = servedEntry(types, code);
    if (entry !== null) return entry;
  }
  return name === null ? null : (types.find((entry) => name.test(entry.name)) ?? null);
}
