import type { AuditChain, AuditSeal } from '../../domain/audit/audit-seal.ts';
import { docUidTime, parseDocUid } from '../../domain/documents/doc-uid.ts';
import { type Message, message } from '../../domain/messages/message.ts';
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
  readonly said: Message;
};

const CHAIN_NAMES: Readonly<Record<AuditChain, Message>> = {
  recognised: message('trail-recognised'),
  unrecognised: message('trail-unrecognised'),
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
  return { kind: 'changed', block, entry: id, said: message('trail-entry-changed', { entry: nameOf(id) }) };
}

export function inserted(entry: FoundEntry): TrailBreak {
  const { block, id } = entry;
  return { kind: 'inserted', block, entry: id, said: message('trail-entry-inserted', { entry: nameOf(id) }) };
}

/** A row that neither waits nor is in a block that can have a seal. */
export function stray({ table, id, ...row }: StrayRow): TrailBreak {
  const block = shortText(row.block, 40);
  if (table === 'entry') {
    const said = message('trail-entry-stray', { entry: nameOf(id ?? ''), block });
    return { kind: 'inserted', block: null, entry: id, said };
  }
  return { kind: 'seal-inserted', block: null, entry: null, said: message('trail-seal-stray', { block }) };
}

/** Otherwise a command could be sealed among calls that expire after a month. */
function inOtherChain({ id, chain }: FoundEntry, { block, ...seal }: AuditSeal): TrailBreak {
  const chains = { chain: chainName(chain), other: chainName(seal.chain) };
  const said = message('trail-entry-in-other-chain', { entry: nameOf(id), block, ...chains });
  return { kind: 'seal-changed', block, entry: id, said };
}

/** Entries of a block whose seal is not there. */
export function withoutSeal({ id, block }: FoundEntry): TrailBreak {
  const said = message('trail-entry-without-seal', { entry: nameOf(id), block: String(block) });
  return { kind: 'seal-removed', block, entry: id, said };
}

function removed(id: string, block: number): TrailBreak {
  return { kind: 'removed', block, entry: id, said: message('trail-entry-removed', { entry: nameOf(id), block }) };
}

function nameOf(id: string): Message {
  const docUid = parseDocUid(id);
  return docUid === null
    ? message('trail-entry', { id: shortText(String(id), 80) })
    : message('trail-entry-of', { id, at: formatInstant(docUidTime(docUid)) });
}

/** Whoever forges a seal may have put anything in its place. */
export function chainName(chain: AuditChain): Message | string {
  return Object.hasOwn(CHAIN_NAMES, chain) ? CHAIN_NAMES[chain] : shortText(String(chain), 40);
}
