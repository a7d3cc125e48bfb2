/**
 * The trail has two chains, because they are kept for different times: calls with a recognised key and the operator's commands,
 * and calls without. A block has entries of one chain alone, so that it expires as a whole.
 */
export const AUDIT_CHAINS = ['recognised', 'unrecognised'] as const;

export type AuditChain = (typeof AUDIT_CHAINS)[number];

/** An entry as a seal names it: by its identifier and the SHA-256 of all its fields, in base64url, which is short. */
export type SealedEntry = { readonly id: string; readonly digest: string };

/** What the seal of a block vouches for. */
export type SealContent = {
  readonly chain: AuditChain;
  /** Ascending over both chains. */
  readonly block: number;
  readonly sealedAt: number;
  /** How many entries the chain has had up to the end of this block, expired ones included. */
  readonly total: number;
  /** The hash of the chain's block before; of the first one, `BEFORE_FIRST`. */
  readonly previous: string;
  readonly entries: readonly SealedEntry[];
};

export type AuditSeal = SealContent & {
  readonly hash: string;
  /** Its entries, and all blocks of the chain before it, were deleted by retention. */
  readonly isExpired: boolean;
};

export const BEFORE_FIRST = '0'.repeat(64);

/** The text whose SHA-256 is the digest of an entry: all its values, in the order of the columns. */
export function entryText(values: readonly (string | number | null)[]): string {
  return JSON.stringify(values);
}

/** The text whose SHA-256 is the hash of a seal. */
export function sealText({ chain, block, sealedAt, total, previous, entries }: SealContent): string {
  return JSON.stringify([chain, block, sealedAt, total, previous, sealedEntriesText(entries)]);
}

/** One line for each entry, as a seal is stored. */
export function sealedEntriesText(entries: readonly SealedEntry[]): string {
  return entries.map(({ id, digest }) => `${id} ${digest}\n`).join('');
}

/** What follows the last line break counts as an entry, so that nothing can stand in a seal that its hash does not cover. */
export function parseSealedEntries(text: string): readonly SealedEntry[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.map((line) => {
    const end = line.lastIndexOf(' ');
    return { id: line.slice(0, end), digest: line.slice(end + 1) };
  });
}
