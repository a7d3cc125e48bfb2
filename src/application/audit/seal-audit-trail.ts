import {
  AUDIT_CHAINS,
  type AuditChain,
  type AuditSeal,
  BEFORE_FIRST,
  sealText,
} from '../../domain/audit/audit-seal.ts';
import { toHex } from '../../domain/values/hex.ts';
import type { Clock, Hasher } from '../ports/platform.ts';
import type { Storage } from '../ports/storage/storage.ts';
import { adoptionWindow } from './adoption-window.ts';

type Needs = {
  readonly storage: Pick<Storage, 'auditSeals' | 'transaction'>;
  readonly hasher: Hasher;
  readonly clock: Clock;
};

/** The end of a chain, which vouches for everything before it. */
export type ChainHead = Pick<AuditSeal, 'chain' | 'block' | 'sealedAt' | 'total' | 'hash'>;

export type SealAuditTrail = {
  /** Seals what waits, unless a chain was sealed a moment ago. Returns how many entries were sealed. */
  readonly sealDue: () => Promise<number>;
  /** Seals all that waits and returns the ends of the chains. */
  readonly sealNow: () => Promise<readonly ChainHead[]>;
};

const BLOCK_ENTRIES = 1_000;
/** A run is short, so that a stop does not wait for it; what is left is sealed in the next one. */
const MAX_BLOCKS_PER_RUN = 50;
/** With several workers, blocks would otherwise be as small as the workers are many. */
const LEAST_PAUSE_MS = 4_000;

/** Seals entries in blocks after they were written, so that no submission waits for it. One process at a time. */
export function sealAuditTrail({ storage, hasher, clock }: Needs): SealAuditTrail {
  async function seal(evenIfRecent: boolean, maxBlocks: number): Promise<number> {
    if ((await storage.auditSeals.waiting(null, 1)).length === 0) return 0;
    await adopt(maxBlocks);
    let sealed = 0;
    for (const chain of AUDIT_CHAINS) {
      let isAnyTime = evenIfRecent;
      for (let blocks = 0; blocks < maxBlocks; blocks += 1) {
        const entries = await sealBlock(chain, isAnyTime);
        sealed += entries;
        if (entries < BLOCK_ENTRIES) break;
        isAnyTime = true;
      }
    }
    return sealed;
  }

  function sealBlock(chain: AuditChain, isAnyTime: boolean): Promise<number> {
    return storage.transaction(async ({ auditSeals }) => {
      auditSeals.lock();
      const before = await auditSeals.lastOf(chain);
      const sealedAt = clock.now();
      const pauseMs = before === null ? LEAST_PAUSE_MS : sealedAt - before.sealedAt;
      if (!isAnyTime && pauseMs >= 0 && pauseMs < LEAST_PAUSE_MS) return 0;
      const block = (await auditSeals.lastBlock()) + 1;
      const entries = await auditSeals.assign(chain, block, BLOCK_ENTRIES);
      if (entries.length === 0) return 0;
      const total = (before?.total ?? 0) + entries.length;
      const content = { chain, block, sealedAt, total, previous: before?.hash ?? BEFORE_FIRST, entries };
      await auditSeals.add({ ...content, hash: toHex(hasher.sha256(sealText(content))), isExpired: false });
      return entries.length;
    });
  }

  /** Entries of the version before have no digest; they are sealed as they are found, until its last process has stopped. */
  async function adopt(maxBatches: number): Promise<void> {
    const window = await adoptionWindow(storage.auditSeals);
    if (window === null) return;
    let isComplete = false;
    for (let batches = 0; batches < maxBatches && !isComplete; batches += 1) {
      const adopted = await storage.transaction(async ({ auditSeals }) => {
        auditSeals.lock();
        return auditSeals.adopt(window.until, BLOCK_ENTRIES);
      });
      isComplete = adopted < BLOCK_ENTRIES;
    }
    if (isComplete && clock.now() >= window.until)
      await storage.transaction(({ auditSeals }) => auditSeals.endAdoption());
  }

  return {
    sealDue: () => seal(false, MAX_BLOCKS_PER_RUN),
    async sealNow() {
      await seal(true, Number.POSITIVE_INFINITY);
      const heads = await Promise.all(AUDIT_CHAINS.map((chain) => storage.auditSeals.lastOf(chain)));
      return heads.filter((head) => head !== null).map(headOf);
    },
  };
}

export function headOf({ chain, block, sealedAt, total, hash }: AuditSeal): ChainHead {
  return { chain, block, sealedAt, total, hash };
}
