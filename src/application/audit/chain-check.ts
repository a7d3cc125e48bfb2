import {
  AUDIT_CHAINS,
  type AuditChain,
  type AuditSeal,
  BEFORE_FIRST,
  sealText,
} from '../../domain/audit/audit-seal.ts';
import { message } from '../../domain/messages/message.ts';
import { toHex } from '../../domain/values/hex.ts';
import { formatInstant } from '../../domain/values/instant.ts';
import type { Clock, Hasher } from '../ports/platform.ts';
import { chainName, type TrailBreak } from './compare-block.ts';
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
    if (toHex(hasher.sha256(sealText(seal))) !== seal.hash) return sealChanged(seal, 'trail-seal-changed');
    if (!isOurs(seal)) return sealInserted(seal);
    const before = last.get(seal.chain);
    if (before === undefined) return whyNoBeginning(seal);
    if (seal.previous !== before.hash || seal.total !== before.total + seal.entries.length) {
      return sealRemoved(seal, before);
    }
    return seal.isExpired ? sealChanged(seal, 'trail-seal-expired-alone') : null;
  }

  function whyNoBeginning(seal: AuditSeal): TrailBreak | null {
    // The mark is not part of the hash, so only the time of the seal tells whether retention can have set it.
    if (seal.isExpired) return mayHaveExpired(seal) ? null : expiredEarly(seal, retentionDays[seal.chain]);
    const isFirst = seal.previous === BEFORE_FIRST && seal.total === seal.entries.length;
    return isFirst ? null : sealRemoved(seal, null);
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
      return isSame ? null : sealChanged(seal, 'trail-seal-not-exported');
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
  const said = message('trail-seal-inserted', { block: String(block), chain: chainName(chain) });
  return { kind: 'seal-inserted', block, entry: null, said };
}

type Changed = 'trail-seal-changed' | 'trail-seal-expired-alone' | 'trail-seal-not-exported';

function sealChanged({ block, chain }: AuditSeal, how: Changed): TrailBreak {
  return { kind: 'seal-changed', block, entry: null, said: message(how, { block, chain: chainName(chain) }) };
}

function sealRemoved({ block, chain }: AuditSeal, before: AuditSeal | null): TrailBreak {
  const which = { block, chain: chainName(chain) };
  const said =
    before === null
      ? message('trail-seal-no-beginning', which)
      : message('trail-seal-gap', { ...which, before: before.block });
  return { kind: 'seal-removed', block, entry: null, said };
}

function blockMissing(block: number): TrailBreak {
  return { kind: 'seal-removed', block, entry: null, said: message('trail-block-missing', { block }) };
}

/** Also what a retention that was raised afterwards looks like, so the message says how to tell. */
function expiredEarly({ block, chain, sealedAt }: AuditSeal, days: number): TrailBreak {
  const at = formatInstant(sealedAt);
  const said = message('trail-expired-early', { block, chain: chainName(chain), at, days });
  return { kind: 'expired-early', block, entry: null, said };
}

function exportedRemoved({ block, chain, sealedAt }: ChainHead, beginning: AuditSeal): TrailBreak {
  const values = { block, chain: chainName(chain), first: beginning.block, at: formatInstant(sealedAt) };
  return { kind: 'seal-removed', block, entry: null, said: message('trail-exported-removed', values) };
}

function cutOff({ chain, block, total, sealedAt }: ChainHead, last: AuditSeal | null): TrailBreak {
  const known = { chain: chainName(chain), at: formatInstant(sealedAt), block, entries: total };
  const said =
    last === null
      ? message('trail-no-seals', known)
      : message('trail-cut-off', { ...known, last: last.block, found: last.total });
  return { kind: 'cut-off', block, entry: null, said };
}
