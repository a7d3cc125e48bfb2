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
  /** Letter for letter as the authority serves it: some codes hold Cyrillic letters that look Latin. */
  readonly code: string;
  readonly name: string;
  readonly active: boolean;
  /** First day of validity, `YYYY-MM-DD` in Skopje; null where the authority sets no bound. */
  readonly validFrom: string | null;
  /** Last day of validity, itself included. */
  readonly validTo: string | null;
  /** What else the authority tells about the entry, by its own names: a rate, a note, a tax group; empty where nothing. */
  readonly details: Readonly<Record<string, string | number | boolean | null>>;
};

export function isCodeListType(text: string): text is CodeListType {
  return (CODE_LIST_TYPES as readonly string[]).includes(text);
}

/**
 * The entries in force on a day (`YYYY-MM-DD` in Skopje), in their order, each code once. The authority renames an entry
 * by adding a second one under the same code, and both may hold on the day of the change: the one that began last wins,
 * among equals the one listed first.
 */
export function activeEntries(entries: readonly CodeListEntry[], onDate: string): readonly CodeListEntry[] {
  const byCode = new Map<string, CodeListEntry>();
  for (const entry of entries) {
    if (!isInForce(entry, onDate)) continue;
    const rival = byCode.get(entry.code);
    if (rival === undefined || (entry.validFrom ?? '') > (rival.validFrom ?? '')) byCode.set(entry.code, entry);
  }
  return [...byCode.values()];
}

function isInForce({ active, validFrom, validTo }: CodeListEntry, onDate: string): boolean {
  return active && (validFrom === null || validFrom <= onDate) && (validTo === null || onDate <= validTo);
}
