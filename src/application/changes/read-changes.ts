import type { ApiKey } from '../../domain/accounts/api-key.ts';
import type { Edb } from '../../domain/accounts/edb.ts';
import type { DocumentChange } from '../../domain/documents/document-change.ts';
import { plainProblem } from '../errors/problem.ts';
import type { Clock, Hasher } from '../ports/platform.ts';
import type { ChangeStore } from '../ports/storage/changes/change-store.ts';
import { type ChangePlace, changeCursors } from './change-cursor.ts';
import type { WaitingReaders } from './waiting-readers.ts';

/** Entries in one answer at most. */
const MOST_ENTRIES = 200;
/** Before the first entry of a log that is empty, or whose reader begins. */
const NOTHING_READ = Number.MIN_SAFE_INTEGER;

type Needs = {
  readonly changes: Pick<ChangeStore, 'read'>;
  readonly waiting: Pick<WaitingReaders, 'wait'>;
  readonly hasher: Hasher;
  readonly clock: Clock;
};

export type ChangesRequest = {
  /** As an earlier answer gave it; null to begin with the first entry. */
  readonly after: string | null;
  /** How long to wait for an entry where there is none. */
  readonly waitMs: number;
  /** Aborted when the client has left. */
  readonly signal: AbortSignal;
};

export type ChangesPage = {
  readonly changes: readonly { readonly cursor: string; readonly change: DocumentChange }[];
  /** To read on from here; null while the log has no entry. */
  readonly next: string | null;
  readonly hasMore: boolean;
  /** Whatever could be seen before this moment is in the log up to `next`; null where there is more to read. */
  readonly completeUpTo: number | null;
};

export type ReadChanges = (key: Pick<ApiKey, 'tenant' | 'keyId'>, request: ChangesRequest) => Promise<ChangesPage>;

/** Reads a tenant's change feed on from a cursor, and waits for its next entry if asked to. */
export function readChanges({ changes, waiting, hasher, clock }: Needs): ReadChanges {
  const cursors = changeCursors(hasher);

  function placeOf(tenant: Edb, after: string | null): ChangePlace | null {
    if (after === null) return null;
    const place = cursors.read(tenant, after);
    if (place === null) {
      const detail = 'The query parameter after must be a cursor that this feed has given to the same taxpayer.';
      throw plainProblem(400, 'Bad Request', detail);
    }
    return place;
  }

  async function read(tenant: Edb, after: string | null, place: ChangePlace | null): Promise<ChangesPage> {
    const readAt = clock.now();
    // One entry more tells whether there are others, and the one at the cursor whether the log is still the same.
    const limit = MOST_ENTRIES + 1 + (place === null ? 0 : 1);
    const found = await changes.read(tenant, place?.number ?? null, limit);
    if (place !== null && !cursors.isAt(found[0], place)) throw otherLog();
    const fresh = place === null ? found : found.slice(1);
    const entries = fresh.slice(0, MOST_ENTRIES).map((change) => ({ cursor: cursors.write(tenant, change), change }));
    const hasMore = fresh.length > MOST_ENTRIES;
    return { changes: entries, next: entries.at(-1)?.cursor ?? after, hasMore, completeUpTo: hasMore ? null : readAt };
  }

  return async ({ tenant, keyId }, { after, waitMs, signal }) => {
    const place = placeOf(tenant, after);
    const page = await read(tenant, after, place);
    if (page.changes.length > 0 || waitMs === 0) return page;
    await waiting.wait({ key: { tenant, keyId }, after: place?.number ?? NOTHING_READ, ms: waitMs, signal });
    return signal.aborted ? page : read(tenant, after, place);
  };
}

/** A database that was put back to an earlier state, by a restore or a failover, has given the number to something else or to nothing. */
function otherLog() {
  const detail =
    'The log does not have the entry of this cursor any more: the database was put back to an earlier state. Read it again from the beginning, without after.';
  return plainProblem(410, 'Gone', detail);
}
