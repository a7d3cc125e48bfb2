import type { Tenant } from '../../domain/accounts/tenant.ts';
import { COLLECTION, listSubject, rowSubject } from '../../domain/documents/arrival-problem.ts';
import { mayFollow } from '../../domain/documents/authority-status.ts';
import { toHex } from '../../domain/values/hex.ts';
import { daysAfter, skopjeDay } from '../../domain/values/skopje-day.ts';
import {
  type ArrivalList,
  type Authority,
  AuthorityCallError,
  isRefusedByAuthority,
  type ListedArrival,
} from '../ports/authority.ts';
import type { Clock, Hasher } from '../ports/platform.ts';
import type { Storage } from '../ports/storage/storage.ts';
import { type ArrivalProblems, type CollectionEvent, openArrivalProblems } from './arrival-problems.ts';
import { fetchArrivals } from './fetch-arrivals.ts';
import { deduplicationKey, storeArrival, type WantedArrival } from './store-arrival.ts';

/** The authority lists at most a month at a time, and February has 28 days. */
const WINDOW_DAYS = 27;
/** Number of older windows, about a year; each run searches one: documents may be registered long after their date. */
const OLDER_WINDOWS = 13;
const NEWEST = 0;
/** The next weeks, in turn with the older windows: a document may be dated ahead, and the buyer has few days from its registration to refuse it. */
const AHEAD = -1;
const IN_TURN = OLDER_WINDOWS + 1;
/** A list of nothing but unreadable rows is one problem, not thousands. */
const MOST_ROWS_NOTED = 20;

type Needs = {
  readonly storage: Storage;
  readonly authority: Pick<Authority, 'arrivals' | 'arrived' | 'arrivedInAnyShape' | 'arrivedPdf'>;
  readonly hasher: Hasher;
  readonly clock: Clock;
  readonly report: (event: CollectionEvent) => void;
};

/** Takes and returns the place in turn, from 1 on, of the window that was searched last beside the newest. */
export type CollectInbound = (
  tenant: Tenant,
  lastWindow: number,
) => Promise<{
  readonly collected: number;
  readonly lastWindow: number;
  /** When a document that failed is to be asked for again; null where none is. */
  readonly nextDueAt: number | null;
}>;

/**
 * Collects the documents that the authority holds for the tenant as buyer, and follows the authority's status of those that are
 * stored. Each run searches the last weeks, one other window, and one more whose list failed. Windows overlap by a day; documents that are stored already are
 * recognised by their EUID. Every listed document is stored or stands among the tenant's problems when the run ends.
 */
export function collectInbound({ storage, authority, hasher, clock, report }: Needs): CollectInbound {
  const store = storeArrival({ storage, authority, hasher, clock });
  const fetch = fetchArrivals({ authority, store, report });

  return async (tenant, lastWindow) => {
    const turn = (lastWindow % IN_TURN) + 1;
    const other = turn === IN_TURN ? AHEAD : turn;
    const problems = await openArrivalProblems({ storage, clock, report }, tenant);
    try {
      // One whose list failed does not wait for its turn, which may be hours away.
      const others = new Set([other, problems.dueWindow() ?? other]);
      const lists = [await listWindow(tenant, NEWEST, problems)];
      for (const window of others) lists.push(await listOther(tenant, window, problems));
      const collected = await fetch(tenant, await wantedOf(tenant, lists.flat(), problems), problems);
      await problems.forgetOldRows();
      await problems.resolve(COLLECTION);
      return { collected, lastWindow: turn, nextDueAt: problems.nextDueAt() };
    } catch (error) {
      if (error instanceof AuthorityCallError) await problems.fail(COLLECTION, error);
      throw error;
    }
  };

  async function listWindow(tenant: Tenant, back: number, problems: ArrivalProblems): Promise<ArrivalList['listed']> {
    const { from, to } = daysOf(back, skopjeDay(clock.now()));
    const { listed, unreadableRows } = await authority.arrivals(tenant, from, to);
    for (const row of unreadableRows.slice(0, MOST_ROWS_NOTED)) {
      await problems.note(rowSubject(toHex(hasher.sha256(row)).slice(0, 16)), 'unreadable row', row);
    }
    return listed;
  }

  /** A list of such a window that fails keeps neither the newest documents nor those of the others back. */
  async function listOther(tenant: Tenant, back: number, problems: ArrivalProblems): Promise<ArrivalList['listed']> {
    try {
      const listed = await listWindow(tenant, back, problems);
      await problems.resolve(listSubject(back));
      return listed;
    } catch (error) {
      if (!(error instanceof AuthorityCallError)) throw error;
      // It gave the newest list just now: it lists no days to come, which nobody can change, and the document comes when it is newest.
      if (back === AHEAD && isRefusedByAuthority(error)) await problems.resolve(listSubject(back));
      else await problems.fail(listSubject(back), error);
      return [];
    }
  }

  /** What is not stored yet and not waiting for its next try, and what failed earlier and is due, whether it is listed or not. */
  async function wantedOf(
    tenant: Tenant,
    listed: readonly ListedArrival[],
    problems: ArrivalProblems,
  ): Promise<readonly WantedArrival[]> {
    const byKey = new Map<string, WantedArrival>();
    const due = problems.due();
    for (const euid of due) byKey.set(deduplicationKey(euid), { euid });
    for (const arrival of listed) byKey.set(deduplicationKey(arrival.euid), arrival);
    const known = await storage.inbound.known(tenant.edb, [...byKey.keys()]);
    await followStatuses(tenant, listed, known);
    // Stored by a run that ended before it could say so.
    for (const euid of due) if (known.has(deduplicationKey(euid))) await problems.resolve(euid);
    return [...byKey].flatMap(([key, wanted]) =>
      known.has(key) || problems.isWaiting(wanted.euid.toLowerCase()) ? [] : [wanted],
    );
  }

  async function followStatuses(
    tenant: Tenant,
    listed: readonly ListedArrival[],
    known: Awaited<ReturnType<Storage['inbound']['known']>>,
  ): Promise<void> {
    const at = clock.now();
    const changes = listed.flatMap(({ euid, status: to }) => {
      const key = deduplicationKey(euid);
      const from = known.get(key);
      const isNews = from !== undefined && to !== null && from?.code !== to.code && mayFollow(from, to);
      return isNews ? [{ key, from, to, at }] : [];
    });
    if (changes.length === 0) return;
    await storage.transaction(async (tx) => {
      for (const { key, ...change } of changes) await tx.inbound.recordAuthorityStatus(tenant.edb, key, change);
    });
  }
}

/** The newest window includes tomorrow: documents may be dated by a clock that is ahead of ours. */
function daysOf(back: number, today: string) {
  return {
    from: daysAfter(today, -(back + 1) * (WINDOW_DAYS - 1)),
    to: daysAfter(today, 1 - back * (WINDOW_DAYS - 1)),
  };
}
