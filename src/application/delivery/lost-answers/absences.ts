import { lookUpPauseMs } from '../../../domain/documents/retry-schedule.ts';
import type { Clock } from '../../ports/platform.ts';

/** By its own clock the authority carries out no request that is older. */
const LONGEST_UNDER_WAY_MS = 300_000;
/** Of a request for which there is no room, absence is only believed later. */
const MOST_KEPT = 10_000;
/** After the window it is looked up again long before that, if by this process. */
const KEPT_LONGER_MS = 3_600_000;

/** What it means when the look-up that follows does not find the request. */
export type Absence = {
  /** It was not carried out, and will not be. */
  readonly isCertain: boolean;
  /** The pause before the next look-up, when that is not certain. */
  readonly pauseMs: number;
};

export type Absences = {
  /** To be asked right before a look-up, with the age of the request by the authority's clock. */
  readonly beforeLookUp: (request: string, sinceSentMs: number) => Absence;
};

type Needs = { readonly clock: Clock; readonly outcomeWindowMs: number };
type Seen = { readonly sinceSentMs: number; readonly at: number };

/**
 * When the absence of a request in the authority's lists is believed. First it must be too old to be carried out; from the moment at which that was
 * seen here, the lists get the rest of the window to show it. The authority's clock alone is not enough for that: set forward by minutes, it would make a
 * request old at once whose registration its lists do not show yet.
 */
export function createAbsences({ clock, outcomeWindowMs }: Needs): Absences {
  const tooOldMs = Math.min(LONGEST_UNDER_WAY_MS, outcomeWindowMs);
  const listLagMs = outcomeWindowMs - tooOldMs;
  const seen = new Map<string, Seen>();

  /** Where a clock was set back, the wait begins anew: to count on, it would have to reach again what it showed before. */
  function firstSeen(request: string, now: Seen): Seen {
    const known = seen.get(request);
    if (known !== undefined && known.at <= now.at && known.sinceSentMs <= now.sinceSentMs) return known;
    seen.delete(request);
    if (hasRoom(now.at)) seen.set(request, now);
    return now;
  }

  /** Nothing makes way that is still waited for: if each came back to find itself forgotten, none would ever be believed. */
  function hasRoom(now: number): boolean {
    if (seen.size < MOST_KEPT) return true;
    const [[oldest, { at }] = ['', { at: now }]] = seen;
    const isOver = at > now || now - at > listLagMs + KEPT_LONGER_MS;
    return isOver && seen.delete(oldest);
  }

  return {
    beforeLookUp(request, sinceSentMs) {
      const usualMs = lookUpPauseMs(sinceSentMs);
      if (sinceSentMs < tooOldMs) {
        seen.delete(request);
        return { isCertain: false, pauseMs: Math.min(usualMs, tooOldMs - sinceSentMs) };
      }
      const now = { sinceSentMs, at: clock.now() };
      const first = firstSeen(request, now);
      const waitedMs = Math.min(sinceSentMs - first.sinceSentMs, now.at - first.at);
      const leftMs = Math.max(listLagMs - waitedMs, outcomeWindowMs - sinceSentMs);
      return leftMs <= 0
        ? { isCertain: true, pauseMs: usualMs }
        : { isCertain: false, pauseMs: Math.min(usualMs, leftMs) };
    },
  };
}

const BELIEF_MS = 24 * 3_600_000;

/**
 * Whether the authority's word that it has a document is still believed over its lists, which may lag behind: for a day since it was sent, by its
 * clock and by ours, since either may have been set forward.
 */
export function isWordBelieved(sinceSentMs: number, sinceSentByOurClockMs: number): boolean {
  return Math.min(sinceSentMs, sinceSentByOurClockMs) < BELIEF_MS;
}
