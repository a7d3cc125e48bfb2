import type { Edb } from '../../domain/accounts/edb.ts';
import { docUidTime } from '../../domain/documents/doc-uid.ts';
import { OUTBOUND_STATUS } from '../../domain/documents/outbound-status.ts';
import { stepOfTime } from '../../domain/operations/delivery-times.ts';
import {
  type ActivityCount,
  type ActivityMeasure,
  HOUR_MS,
  hourOf,
} from '../../domain/operations/document-activity.ts';
import type { Clock } from '../ports/platform.ts';
import type { CountedMove } from '../ports/storage/operations/activity-store.ts';
import type { Storage } from '../ports/storage/storage.ts';

type Needs = { readonly storage: Storage; readonly clock: Clock };

/** Counts what the change feed has more than the last time; returns whether there is more to count. */
export type CountActivity = () => Promise<boolean>;

/** What one transaction reads: it is over before others have to wait for it. */
const MOST_ENTRIES = 2_000;
/** To look up a tenant and write its progress takes as long as so many entries. */
const ENTRIES_OF_A_TENANT = 20;
/** So that a feed of many years does not keep a worker from its other jobs. */
const MOST_BATCHES = 50;
/** A day more than the console shows. */
const KEPT_MS = 31 * 24 * HOUR_MS;

export function countActivity({ storage, clock }: Needs): CountActivity {
  /** Counts and progress in one transaction: whatever ends the process, each entry is counted once. Returns the tenants that are left. */
  function countBatch(tenants: readonly Edb[]): Promise<readonly Edb[]> {
    return storage.transaction(async ({ activity }) => {
      activity.lock();
      const moves: CountedMove[] = [];
      let counted = 0;
      for (let room = MOST_ENTRIES; room > 0 && counted < tenants.length; ) {
        const tenant = tenants[counted] as Edb;
        // Another process may have counted them meanwhile.
        const next = await activity.moves(tenant, await activity.countedUpTo(tenant), room);
        moves.push(...next.moves);
        if (next.last !== null) await activity.setCounted(tenant, next.last);
        if (next.entries < room) counted += 1;
        room -= Math.max(next.entries, ENTRIES_OF_A_TENANT);
      }
      const oldest = hourOf(clock.now() - KEPT_MS);
      await activity.add(countsOf(moves.filter(({ at }) => at >= oldest)));
      await activity.deleteBefore(oldest);
      return tenants.slice(counted);
    });
  }

  return async () => {
    // Once for all batches: it looks up every tenant. Without a lock, so that a quiet service writes nothing.
    let tenants = await storage.activity.behind();
    for (let batches = 0; batches < MOST_BATCHES && tenants.length > 0; batches += 1)
      tenants = await countBatch(tenants);
    return tenants.length > 0;
  };
}

const { processing, accepted, rejected, failed } = OUTBOUND_STATUS;

function countsOf(moves: readonly CountedMove[]): readonly ActivityCount[] {
  const counts = new Map<string, ActivityCount>();

  function count(at: number, measure: ActivityMeasure, label: string): void {
    const hour = hourOf(at);
    const key = `${hour} ${measure} ${label}`;
    counts.set(key, { hour, measure, label, documents: (counts.get(key)?.documents ?? 0) + 1 });
  }

  for (const { at, docUid, status, failureCode } of moves) {
    // A later status of the authority is a row of the history as well, with a code and without a move.
    if (status === accepted && failureCode !== null) continue;
    count(at, 'status', String(status));
    if (status === accepted) count(at, 'delivery-time', String(stepOfTime(at - docUidTime(docUid))));
    if (failureCode === null) continue;
    if (status === rejected || status === failed) count(at, 'failure', failureCode);
    if (status === processing) count(at, 'retry', failureCode);
  }
  return [...counts.values()];
}
