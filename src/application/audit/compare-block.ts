import type { AuditSeal } from '../../domain/audit/audit-seal.ts';
import { docUidTime, parseDocUid } from '../../domain/documents/doc-uid.ts';
import { formatInstant } from '../../domain/values/instant.ts';
import { shortText } from '../../domain/values/one-line-text.ts';
import type { FoundEntry, StrayRow } from '../ports/storage/audit-seal-store.ts';

/** The first place where the trail is not what was sealed. */
export type TrailBreak = {
  readonly kind:
    | 'changed'
    | 'removed'
    | 'inserted'
    | 'seal-changed'
    | 'seal-removed'
    | 'seal-inserted'
    | 'adoption-changed'
    | 'expired-early'
    | 'cut-off';
  readonly block: number | null;
  /** The identifier of the entry, where a single one is meant. */
  readonly entry: string | null;
  readonly message: string;
};

/** Compares the entries that a seal names with those that are there now; both are in the same order. */
export function compareBlock(seal: AuditSeal, found: readonly FoundEntry[]): TrailBreak | null {
  const named = seal.isExpired ? [] : seal.entries;
  const { block } = seal;
  let next = 0;
  for (const entry of found) {
    const expected = named[next];
    if (expected === undefined || entry.id < expected.id) return inserted(entry);
    if (entry.id > expected.id) return removed(expected.id, block);
    if (entry.digest !== expected.digest) return changed(entry);
    if (entry.chain !== seal.chain) return inOtherChain(entry, seal);
    next += 1;
  }
  const missing = named[next];
  return missing === undefined ? null : removed(missing.id, block);
}

export function changed(entry: FoundEntry): TrailBreak {
  const { block, id } = entry;
  return { kind: 'changed', block, entry: id, message: `${nameOf(id)} was changed after it was written.` };
}

export function inserted(entry: FoundEntry): TrailBreak {
  const { block, id } = entry;
  return { kind: 'inserted', block, entry: id, message: `${nameOf(id)} was inserted: no seal names it.` };
}

/** A row that neither waits nor is in a block that can have a seal. */
export function stray({ table, id, block }: StrayRow): TrailBreak {
  const where = `its block is ${shortText(block, 40)}, and no block has such a number`;
  if (table === 'entry') {
    const message = `${nameOf(id ?? '')} was inserted: ${where}.`;
    return { kind: 'inserted', block: null, entry: id, message };
  }
  return { kind: 'seal-inserted', block: null, entry: null, message: `A seal was inserted: ${where}.` };
}

/** Otherwise a command could be sealed among calls that expire after a month. */
function inOtherChain({ id, chain }: FoundEntry, { block, ...seal }: AuditSeal): TrailBreak {
  const message = `${nameOf(id)} belongs to the chain ${chain}, but block ${block} is of the chain ${seal.chain}.`;
  return { kind: 'seal-changed', block, entry: id, message };
}

/** Entries of a block whose seal is not there. */
export function withoutSeal({ id, block }: FoundEntry): TrailBreak {
  const message = `${nameOf(id)} is in block ${block}, which has no seal: the seal was removed, or the entry inserted.`;
  return { kind: 'seal-removed', block, entry: id, message };
}

function removed(id: string, block: number): TrailBreak {
  return { kind: 'removed', block, entry: id, message: `${nameOf(id)} was removed from block ${block}.` };
}

function nameOf(id: string): string {
  const docUid = parseDocUid(id);
  return docUid === null
    ? `The entry ${shortText(String(id), 80)}`
    : `The entry ${id} of ${formatInstant(docUidTime(docUid))}`;
}
