import { AUDIT_CHAINS, type AuditChain } from '../../domain/audit/audit-seal.ts';
import { confirmedTime } from '../clocks/confirmed-time.ts';
import type { ClockWatch } from '../clocks/watch-clock.ts';
import type { Clock } from '../ports/platform.ts';
import type { Storage } from '../ports/storage/storage.ts';

/** How long entries of each chain are kept after they were sealed. */
export type RetentionDays = Readonly<Record<AuditChain, number>>;

type Needs = {
  readonly storage: Pick<Storage, 'auditSeals' | 'transaction'>;
  readonly clock: Clock;
  readonly clockWatch: Pick<ClockWatch, 'check'>;
  readonly retentionDays: RetentionDays;
};

/** Returns how many entries were deleted. */
export type ExpireAuditTrail = () => Promise<number>;

export const DAY_MS = 86_400_000;
/** The clock of the worker that sealed or deleted a block, or of the database, may be ahead of ours. */
export const CLOCK_DIFFERENCE_MS = 300_000;
/** A run is short, so that a stop does not wait for it; what is left expires in the next one. */
const MAX_BLOCKS_PER_RUN = 50;

/**
 * Deletes entries that were sealed longer ago than they are kept, one block in each transaction. The seal of the last deleted block
 * stays, so that the rest of the chain can still be verified.
 */
export function expireAuditTrail({ storage, clock, clockWatch, retentionDays }: Needs): ExpireAuditTrail {
  function expireOldest(chain: AuditChain, now: number): Promise<number | null> {
    return storage.transaction(async ({ auditSeals }) => {
      auditSeals.lock();
      const oldest = await auditSeals.oldestOf(chain);
      if (oldest === null || oldest.sealedAt > now - retentionDays[chain] * DAY_MS) return null;
      return auditSeals.expire(chain, oldest.block);
    });
  }

  return async () => {
    // What is deleted cannot be had back: not by a clock that no other has just confirmed.
    const now = await confirmedTime(clock, clockWatch);
    if (now === null) return 0;
    let deleted = 0;
    for (const chain of AUDIT_CHAINS) {
      for (let blocks = 0; blocks < MAX_BLOCKS_PER_RUN; blocks += 1) {
        const count = await expireOldest(chain, now);
        if (count === null) break;
        deleted += count;
      }
    }
    return deleted;
  };
}
