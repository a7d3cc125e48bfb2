import { type AuditChain, type AuditSeal, BEFORE_FIRST, sealText } from '../../domain/audit/audit-seal.ts';
import { toHex } from '../../domain/values/hex.ts';
import { formatInstant } from '../../domain/values/instant.ts';
import type { Hasher } from '../ports/platform.ts';
import type { TrailBreak } from './compare-block.ts';
import type { ChainHead } from './seal-audit-trail.ts';

export type ChainCheck = {
  /** Checks the next seal in the order of the blocks. */
  readonly next: (seal: AuditSeal) => TrailBreak | null;
  /** After the last seal: whether the trail reaches as far as the exported seals say. */
  readonly end: () => TrailBreak | null;
  readonly expiredEntries: (chain: AuditChain) => number;
};

/** Follows both chains from seal to seal, and compares them with seals that were exported earlier. */
export function createChainCheck(hasher: Hasher, exported: readonly ChainHead[]): ChainCheck {
  const first = new Map<AuditChain, AuditSeal>();
  const last = new Map<AuditChain, AuditSeal>();
  const confirmed = new Set<ChainHead>();

  function whyBroken(seal: AuditSeal): TrailBreak | null {
    if (toHex(hasher.sha256(sealText(seal))) !== seal.hash) return sealChanged(seal, 'was changed');
    const before = last.get(seal.chain);
    if (before === undefined) {
      const isFirst = seal.previous === BEFORE_FIRST && seal.total === seal.entries.length;
      return isFirst || seal.isExpired ? null : sealRemoved(seal, 'the beginning of its chain is missing');
    }
    if (seal.previous !== before.hash || seal.total !== before.total + seal.entries.length) {
      return sealRemoved(seal, `what was sealed between block ${before.block} and it is missing or in another order`);
    }
    return seal.isExpired ? sealChanged(seal, 'is marked as expired while older blocks are not') : null;
  }

  return {
    next(seal) {
      const broken = whyBroken(seal);
      if (broken !== null) return broken;
      if (!first.has(seal.chain)) first.set(seal.chain, seal);
      last.set(seal.chain, seal);
      const head = exported.find(({ block }) => block === seal.block);
      if (head === undefined) return null;
      confirmed.add(head);
      const isSame = head.hash === seal.hash && head.chain === seal.chain;
      return isSame ? null : sealChanged(seal, 'is not the one that was exported');
    },
    end() {
      for (const head of exported) {
        if (confirmed.has(head)) continue;
        // Retention has deleted what the exported seal vouches for, and the chain goes on from a later seal.
        if ((first.get(head.chain)?.block ?? 0) > head.block) continue;
        return cutOff(head, last.get(head.chain) ?? null);
      }
      return null;
    },
    expiredEntries(chain) {
      const seal = first.get(chain);
      if (seal === undefined) return 0;
      return seal.isExpired ? seal.total : 0;
    },
  };
}

function sealChanged({ block, chain }: AuditSeal, how: string): TrailBreak {
  return { kind: 'seal-changed', block, entry: null, message: `The seal of block ${block} (${chain}) ${how}.` };
}

function sealRemoved({ block, chain }: AuditSeal, how: string): TrailBreak {
  const message = `The seal of block ${block} (${chain}) does not follow: ${how}.`;
  return { kind: 'seal-removed', block, entry: null, message };
}

function cutOff(head: ChainHead, last: AuditSeal | null): TrailBreak {
  const { chain, block, total, sealedAt } = head;
  const known = `the exported seal of ${formatInstant(sealedAt)} ends at block ${block} with ${total} entries`;
  const reach = last === null ? 'has no seals' : `ends at block ${last.block} with ${last.total} entries`;
  return {
    kind: 'cut-off',
    block,
    entry: null,
    message: `The end was cut off: the chain ${chain} ${reach}, ${known}.`,
  };
}
