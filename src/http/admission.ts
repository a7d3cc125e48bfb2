import type { Timers } from '../application/ports/platform.ts';
import type { Edb } from '../domain/accounts/edb.ts';

/** Lets in as many submissions as can be answered soon. */
export type Admission = {
  /** False when a submission of the tenant would have to wait too long; it has waited so long already. */
  readonly hasRoom: (tenant: Edb, waitedMs: number) => boolean;
  /** Counts a submission from now on; returns what ends it, or null when it would have to wait too long. */
  readonly enter: (tenant: Edb, waitedMs: number) => (() => void) | null;
};

/** Hears how many submissions are under way and may be, and of every one that was refused. */
export type AdmissionObserver = {
  readonly changed: (underWay: number, limit: number) => void;
  readonly refused: () => void;
};

type Needs = {
  /** How long a submission may wait once it has arrived. */
  readonly maxWaitMs: number;
  readonly timers: Pick<Timers, 'elapsedMs'>;
  readonly observer: AdmissionObserver;
};

/** Before anything is known of the machine. A tenant alone has half of it: as many as one address may have connections. */
const FIRST_LIMIT = 512;
/** However slow the machine is or begins: a tenant alone has 32, more than an ordinary client sends at a time. */
const LEAST_LIMIT = 64;
/** Long enough for several commits, each of which ends many submissions at once. */
const WINDOW_MS = 250;
/** In two windows: fewer are not what keeps others waiting. */
const FEW_ARRIVALS = 8;

/**
 * Beyond its capacity a service that takes everything answers everything late: what waits grows until every client has given up. So
 * submissions are refused, with 503 and Retry-After, once those under way are more than can be answered within the longest wait. How many
 * these are is measured: so many as have ended in the last window, by Little's law. What ends while few are under way says nothing of what
 * the machine can do, so the limit changes only while it holds somebody back, or while those under way already wait too long.
 *
 * A tenant may have as many under way as it leaves free, as with memory: one that sends more than its share is refused, others find room.
 *
 * Requests also wait before they begin (`request-pacing.ts`), where nobody knows yet what they are. A submission that has waited there for
 * the longest wait is refused when it begins, unless its tenant sends less than others do: then it is not what fills the queue.
 */
export function createAdmission({ maxWaitMs, timers, observer }: Needs): Admission {
  const underWayOf = new Map<Edb, number>();
  let underWay = 0;
  let limit = FIRST_LIMIT;
  let window = { since: 0, ended: 0, refused: 0 };
  let idleSince = 0;
  const shares = createShares(timers);

  function beginWindow(): void {
    window = { since: timers.elapsedMs(), ended: 0, refused: 0 };
  }

  function adapt(): void {
    const now = timers.elapsedMs();
    // While nobody asks for more than there is, a time without work says nothing.
    if (underWay === 0 && (window.refused === 0 || now - idleSince > WINDOW_MS)) beginWindow();
    const passedMs = now - window.since;
    if (passedMs < WINDOW_MS) return;
    const endSoon = (window.ended / passedMs) * maxWaitMs;
    if (window.refused > 0 || underWay > Math.max(endSoon, LEAST_LIMIT)) {
      limit = Math.max(LEAST_LIMIT, Math.round((limit + endSoon) / 2));
    }
    beginWindow();
  }

  function count(tenant: Edb, change: 1 | -1): void {
    const own = (underWayOf.get(tenant) ?? 0) + change;
    underWay += change;
    if (own === 0) underWayOf.delete(tenant);
    else underWayOf.set(tenant, own);
    observer.changed(underWay, limit);
  }

  function hasRoom(tenant: Edb, waitedMs: number): boolean {
    adapt();
    const own = (underWayOf.get(tenant) ?? 0) + 1;
    shares.count(tenant);
    const isLate = waitedMs > maxWaitMs && shares.isAbove(tenant);
    if (!isLate && own <= limit - underWay - 1) return true;
    window.refused += 1;
    observer.refused();
    return false;
  }

  return {
    hasRoom,
    enter(tenant, waitedMs) {
      if (!hasRoom(tenant, waitedMs)) return null;
      count(tenant, 1);
      return () => {
        window.ended += 1;
        count(tenant, -1);
        if (underWay === 0) idleSince = timers.elapsedMs();
      };
    },
  };
}

type Shares = {
  readonly count: (tenant: Edb) => void;
  /** Whether the tenant has sent more than the others on average, in this window and the one before. */
  readonly isAbove: (tenant: Edb) => boolean;
};

function createShares(timers: Needs['timers']): Shares {
  let since = 0;
  let before = new Map<Edb, number>();
  let arrived = new Map<Edb, number>();
  return {
    count(tenant) {
      const now = timers.elapsedMs();
      if (now - since >= WINDOW_MS) {
        before = now - since < 2 * WINDOW_MS ? arrived : new Map();
        arrived = new Map();
        since = now;
      }
      arrived.set(tenant, (arrived.get(tenant) ?? 0) + 1);
    },
    isAbove(tenant) {
      const all = [...before.values(), ...arrived.values()].reduce((sum, count) => sum + count, 0);
      const own = (before.get(tenant) ?? 0) + (arrived.get(tenant) ?? 0);
      const tenants = new Set([...before.keys(), ...arrived.keys()]).size;
      return own > Math.max(FEW_ARRIVALS, all / (tenants + 1));
    },
  };
}
