import type { Timers } from '../application/ports/platform.ts';

/** Null when a request may begin at once; otherwise it waits. */
export type RequestPacing = () => Promise<void> | null;

/** Of pings and submissions, a few milliseconds of work; of long lists it would be many. */
const MOST_A_TURN = 16;
/** However long they take: other work may fill the turns, and has to share them. */
const LEAST_A_TURN = 4;
const TURN_MS = 5;

/**
 * Limits how many requests begin in one turn of the event loop. Node reads from every connection that has something in the same
 * turn, and accepts one new connection: of a thousand connections a turn takes half a second, and a submission needs several turns to be
 * answered, a reading thread one to get its next documents, and thirty new clients thirty. What begins later waits here, in the order of
 * its arrival.
 */
export function createRequestPacing(timers: Pick<Timers, 'nextTurn' | 'elapsedMs'>): RequestPacing {
  const waiting: (() => void)[] = [];
  let limit = MOST_A_TURN;
  let begun = 0;
  let isTurning = false;

  async function turn(): Promise<void> {
    isTurning = true;
    while (begun > 0) {
      const since = timers.elapsedMs();
      await timers.nextTurn();
      adapt(timers.elapsedMs() - since);
      const next = waiting.splice(0, limit);
      begun = next.length;
      for (const begin of next) begin();
    }
    isTurning = false;
  }

  /** Fewer after a long turn that requests have filled; one more after any short turn. */
  function adapt(tookMs: number): void {
    if (tookMs <= TURN_MS) limit = Math.min(limit + 1, MOST_A_TURN);
    else if (begun >= limit) limit = Math.max(Math.floor((limit * TURN_MS) / tookMs), LEAST_A_TURN);
  }

  return () => {
    if (begun >= limit) return new Promise((resolve) => waiting.push(resolve));
    begun += 1;
    if (!isTurning) void turn();
    return null;
  };
}
