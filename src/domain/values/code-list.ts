export const CODE_LIST_TYPES = [
  'document-types',
  'document-statuses',
  'reference-document-types',
  'tax-groups',
  'tax-indicators',
  'payment-types',
  'void-reasons',
  'correction-reasons',
  'reject-reasons',
  'currencies',
  'countries',
] as const;

export type CodeListType = (typeof CODE_LIST_TYPES)[number];

export type CodeListEntry = {
  /** Exactly as the authority serves it: some codes contain Cyrillic letters that look Latin. */
  readonly code: string;
  readonly name: string;
  readonly active: boolean;
  /** First day of validity, `YYYY-MM-DD` in Skopje; null when the authority sets no limit. */
  readonly validFrom: string | null;
  /** Last day of validity, inclusive. */
  readonly validTo: string | null;
  /** Other properties of the entry, under the authority's names: a rate, a note, a tax group. */
  readonly details: Readonly<Record<string, string | number | boolean | null>>;
};

export function isCodeListType(text: string): text is CodeListType {
  return (CODE_LIST_TYPES as readonly string[]).includes(text);
}

/**
 * The entries in force on a day (`YYYY-MM-DD` in Skopje), in their order, each key once; the key is the code unless another one
 * is given. The authority renames an entry by adding a second one with the same code, and both may be in force on the day of
 * the change: the one with the later start wins, of equals the first in the list.
 */
export function entriesInForce<Entry extends CodeListEntry>(
  entries: readonly Entry[],
  onDate: string,
  keyOf: (entry: Entry) => string = ({ code }) => code,
): readonly Entry[] {
  const byKey = new Map<string, Entry>();
  for (const entry of entries) {
    if (!isInForce(entry, onDate)) continue;
    const other = byKey.get(keyOf(entry));
    if (other === undefined || (entry.validFrom ?? '') > (other.validFrom ?? '')) byKey.set(keyOf(entry), entry);
  }
  return [...byKey.values()];
}

function isInForce({ active, validFrom, validTo }: CodeListEntry, onDate: string): boolean {
  return active && (validFrom === null || validFrom <= onDate) && (validTo === null || onDate <= validTo);
}
