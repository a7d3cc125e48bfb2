import {
  AUDIT_CHAINS,
  type AuditChain,
  type AuditSeal,
  BEFORE_FIRST,
  sealText,
} from '../../domain/audit/audit-seal.ts';
import { toHex } from '../../domain/values/hex.ts';
import { formatInstant } from '../../domain/values/instant.ts';
import { shortText } from '../../domain/values/one-line-text.ts';
import type { Clock, Hasher } from '../ports/platform.ts';
import type { TrailBreak } from './compare-block.ts';
import { CLOCK_DIFFERENCE_MS, DAY_MS, type RetentionDays } from './expire-audit-trail.ts';
import type { ChainHead } from './seal-audit-trail.ts';

export type ChainCheck = {
  /** Checks the next seal in the order of the blocks. */
  readonly next: (seal: AuditSeal) => TrailBreak | null;
  /** After the last seal: whether the trail reaches as far as the exported seals say. */
  readonly end: () => TrailBreak | null;
  readonly expiredEntries: (chain: AuditChain) => number;
};

export type ChainCheckNeeds = {
  readonly hasher: Hasher;
  readonly clock: Clock;
  readonly retentionDays: RetentionDays;
};

/** The last that a date can have. */
const LATEST_INSTANT = 8.64e15;

/** Follows both chains from seal to seal, and compares them with seals that were exported earlier. */
export function createChainCheck(needs: ChainCheckNeeds, exported: readonly ChainHead[]): ChainCheck {
  const { hasher, clock, retentionDays } = needs;
  const first = new Map<AuditChain, AuditSeal>();
  const last = new Map<AuditChain, AuditSeal>();
  const confirmed = new Set<ChainHead>();
  let lastBlock = 0;
  let lastMissing = 0;

  function mayHaveExpired({ chain, sealedAt }: ChainHead): boolean {
    return sealedAt <= clock.now() - retentionDays[chain] * DAY_MS + CLOCK_DIFFERENCE_MS;
  }

  function whyBroken(seal: AuditSeal): TrailBreak | null {
    if (toHex(hasher.sha256(sealText(seal))) !== seal.hash) return sealChanged(seal, 'was changed');
    if (!isOurs(seal)) return sealInserted(seal);
    const before = last.get(seal.chain);
    if (before === undefined) return whyNoBeginning(seal);
    if (seal.previous !== before.hash || seal.total !== before.total + seal.entries.length) {
      return sealRemoved(seal, `what was sealed between block ${before.block} and it is missing or in another order`);
    }
    return seal.isExpired ? sealChanged(seal, 'is marked as expired while older blocks are not') : null;
  }

  function whyNoBeginning(seal: AuditSeal): TrailBreak | null {
    // The mark is not part of the hash, so only the time of the seal tells whether retention can have set it.
    if (seal.isExpired) return mayHaveExpired(seal) ? null : expiredEarly(seal, retentionDays[seal.chain]);
    const isFirst = seal.previous === BEFORE_FIRST && seal.total === seal.entries.length;
    return isFirst ? null : sealRemoved(seal, 'the beginning of its chain is missing');
  }

  /** Blocks of both chains are numbered in one sequence; numbers are missing only below the last expired seal. */
  function missingBlock(): TrailBreak | null {
    const expired = [...first.values()].filter(({ isExpired }) => isExpired).map(({ block }) => block);
    return lastMissing > Math.max(0, ...expired) ? blockMissing(lastMissing) : null;
  }

  function missingExported(head: ChainHead): TrailBreak | null {
    const beginning = first.get(head.chain);
    if (beginning === undefined || beginning.block < head.block) return cutOff(head, last.get(head.chain) ?? null);
    return beginning.isExpired && mayHaveExpired(head) ? null : exportedRemoved(head, beginning);
  }

  return {
    next(seal) {
      const broken = whyBroken(seal);
      if (broken !== null) return broken;
      if (!first.has(seal.chain)) first.set(seal.chain, seal);
      last.set(seal.chain, seal);
      if (seal.block > lastBlock + 1) lastMissing = seal.block - 1;
      lastBlock = seal.block;
      const head = exported.find(({ block }) => block === seal.block);
      if (head === undefined) return null;
      confirmed.add(head);
      const isSame = head.hash === seal.hash && head.chain === seal.chain;
      return isSame ? null : sealChanged(seal, 'is not the one that was exported');
    },
    end() {
      const missing = missingBlock();
      if (missing !== null) return missing;
      for (const head of exported) {
        const broken = confirmed.has(head) ? null : missingExported(head);
        if (broken !== null) return broken;
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

/** Whoever knows how seals are made can give a hash to any seal; the service makes only such. */
function isOurs({ chain, block, sealedAt }: AuditSeal): boolean {
  const isInstant = Number.isInteger(sealedAt) && sealedAt >= 0 && sealedAt <= LATEST_INSTANT;
  return AUDIT_CHAINS.includes(chain) && Number.isInteger(block) && block >= 1 && isInstant;
}

function sealInserted({ block, chain }: AuditSeal): TrailBreak {
  const message = `The seal of block ${block} (${shortText(String(chain), 40)}) was inserted: the service makes no such seals.`;
  return { kind: 'seal-inserted', block, entry: null, message };
}

function sealChanged({ block, chain }: AuditSeal, how: string): TrailBreak {
  return {
    kind: 'seal-changed',
    block,
    entry: null,
    message: `The seal of block ${block} (${shortText(String(chain), 40)}) ${how}.`,
  };
}

function sealRemoved({ block, chain }: AuditSeal, how: string): TrailBreak {
  const message = `The seal of block ${block} (${chain}) does not follow: ${how}.`;
  return { kind: 'seal-removed', block, entry: null, message };
}

function blockMissing(block: number): TrailBreak {
  const message = `The seal of block ${block} was removed: later blocks are there, and none of them has expired.`;
  return { kind: 'seal-removed', block, entry: null, message };
}

/** Also what a retention that was raised afterwards looks like, so the message says how to tell. */
function expiredEarly({ block, chain, sealedAt }: AuditSeal, days: number): TrailBreak {
  const message =
    `Block ${block} (${chain}) is marked as expired, but was sealed at ${formatInstant(sealedAt)} and is kept for ${days} days: ` +
    'its entries were removed. Unless the retention was raised since: then verify with the former one.';
  return { kind: 'expired-early', block, entry: null, message };
}

function exportedRemoved({ block, chain, sealedAt }: ChainHead, beginning: AuditSeal): TrailBreak {
  const message =
    `The seal of block ${block} (${chain}) was removed: the chain begins at block ${beginning.block}, but the exported seal ` +
    `of ${formatInstant(sealedAt)} has not expired.`;
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
