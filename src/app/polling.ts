import type { RecurringTaskName } from '../application/ports/storage/recurring-task-store.ts';
import type { Config } from '../config.ts';
import type { Polling } from '../worker/polling-interval.ts';

const SECOND_MS = 1_000;
const LISTS_EVERY_MS = 3_600_000;

/**
 * How much of a user's line the polling of all its tenants may take: half of it together, the rest is for documents. A collection that
 * finds nothing makes two requests, a follow-up one.
 */
const COLLECTION = { requests: 2, share: 1 / 3 };
const FOLLOW_UP = { requests: 1, share: 1 / 6 };

/** How often each recurring task runs. */
export function pollingOf(config: Config): Readonly<Record<RecurringTaskName, Polling>> {
  const lineMs = ({ requests, share }: typeof COLLECTION) => (requests * config.authorityPaceMs) / share;
  return {
    collect: {
      everyMs: config.collectSeconds * SECOND_MS,
      quietMs: config.collectQuietSeconds * SECOND_MS,
      perTenantMs: lineMs(COLLECTION),
    },
    follow: always(config.followSeconds * SECOND_MS, lineMs(FOLLOW_UP)),
    lists: always(LISTS_EVERY_MS, 0),
  };
}

/** At the same interval, whatever a run brings. */
function always(everyMs: number, perTenantMs: number): Polling {
  return { everyMs, quietMs: everyMs, perTenantMs };
}
