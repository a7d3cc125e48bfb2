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

/** What one transaction reads. */
const MOST_ENTRIES = 2_000;
/** So that a feed of many years does not keep a worker from its other jobs. */
const MOST_BATCHES = 50;
/** A day more than the console shows. */
const KEPT_MS = 31 * 24 * HOUR_MS;

export function countActivity({ storage, clock }: Needs): CountActivity {
  /** Counts and progress in one transaction: whatever ends the process, each entry is counted once. */
  function countBatch(): Promise<boolean> {
    return storage.transaction(async (tx) => {
      tx.activity.lock();
      const [next] = await tx.activity.behind();
      if (next === undefined) return false;
      const { moves, last } = await tx.activity.moves(next.tenant, next.counted, MOST_ENTRIES);
      const oldest = hourOf(clock.now() - KEPT_MS);
      await tx.activity.add(countsOf(moves.filter(({ at }) => at >= oldest)));
      await tx.activity.deleteBefore(oldest);
      await tx.activity.setCounted(next.tenant, last ?? next.last);
      return true;
    });
  }

  return async () => {
    // Without a lock, so that a quiet service writes nothing.
    if ((await storage.activity.behind()).length === 0) return false;
    for (let batches = 0; batches < MOST_BATCHES; batches += 1) if (!(await countBatch())) return false;
    return true;
  };
}

const { processing, accepted, rejected, failed } = OUTBOUND_STATUS;

export function countsOf(moves: readonly CountedMove[]): readonly ActivityCount[] {
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
