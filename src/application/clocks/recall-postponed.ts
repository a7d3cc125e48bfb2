import { LONGEST_STOP_MS } from '../../domain/accounts/tenant.ts';
import { LONGEST_LOOK_UP_PAUSE_MS, LONGEST_RETRY_PAUSE_MS } from '../../domain/documents/retry-schedule.ts';
import type { Clock } from '../ports/platform.ts';
import type { RecurringTaskName } from '../ports/storage/recurring-task-store.ts';
import type { Storage } from '../ports/storage/storage.ts';

type Needs = {
  readonly storage: Storage;
  readonly clock: Clock;
  /** How long the leases of documents, voids and recurring tasks last. */
  readonly leaseMs: { readonly document: number; readonly void: number; readonly task: number };
  /** By how much clocks that are trusted may differ. */
  readonly toleranceMs: number;
  /** The longest pause of a recurring task, given the number of tenants. */
  readonly longestPauseMs: (name: RecurringTaskName, tenants: number) => number;
};

export type Recalled = { readonly documents: number; readonly voids: number; readonly tasks: number };

const NAMES: readonly RecurringTaskName[] = ['collect', 'follow', 'lists'];
/** Few enough that other writers do not wait; what is left follows in the next run. */
const MOST_DOCUMENTS = 1_000;

/**
 * Makes due what is postponed longer than anything is postponed: leases, look-ups, retries and recurring tasks that a clock has written which
 * was ahead. Only for a worker whose own clock is trusted: to one that is behind, everything seems to be postponed.
 */
export function recallPostponed(needs: Needs): () => Promise<Recalled> {
  const { storage, clock, leaseMs, toleranceMs, longestPauseMs } = needs;
  const retryMs = LONGEST_RETRY_PAUSE_MS + toleranceMs;

  return async () => {
    const tenants = (await storage.tenants.list()).length;
    const now = clock.now();
    const documents = await storage.transaction((tx) => {
      const lookUpMs = LONGEST_LOOK_UP_PAUSE_MS + toleranceMs;
      const longest = { leaseMs: leaseMs.document + toleranceMs, lookUpMs, retryMs };
      return tx.deliveries.recallPostponed(now, longest, MOST_DOCUMENTS);
    });
    // The void of a tenant that is stopped waits for the end of the stop.
    const lookUpMs = LONGEST_STOP_MS + toleranceMs;
    const voids = await storage.transaction((tx) =>
      tx.voids.recallPostponed(now, { leaseMs: leaseMs.void + toleranceMs, lookUpMs, retryMs }),
    );
    let tasks = 0;
    for (const name of NAMES) {
      const longest = { leaseMs: leaseMs.task + toleranceMs, pauseMs: longestPauseMs(name, tenants) + toleranceMs };
      tasks += await storage.transaction((tx) => tx.recurringTasks.recallPostponed(name, now, longest));
    }
    return { documents, voids, tasks };
  };
}
