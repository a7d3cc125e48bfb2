import type { Timers } from '../application/ports/platform.ts';

/** Null when a request may begin at once; otherwise it waits. */
export type RequestPacing = () => Promise<void> | null;

/** A few milliseconds of work: what a turn takes beside it is not more. */
const REQUESTS_A_TURN = 16;

/**
 * Limits how many requests begin in one turn of the event loop. Node reads from every connection that has something in the same
 * turn: of a thousand connections a turn takes half a second, and a submission needs several turns to be answered, a reading thread
 * one to get its next documents, and a new connection one to be accepted. What begins later waits here, in the order of its arrival.
 */
export function createRequestPacing(timers: Pick<Timers, 'nextTurn'>): RequestPacing {
  const waiting: (() => void)[] = [];
  let begun = 0;
  let isTurning = false;

  async function turn(): Promise<void> {
    isTurning = true;
    while (begun > 0) {
      await timers.nextTurn();
      const next = waiting.splice(0, REQUESTS_A_TURN);
      begun = next.length;
      for (const begin of next) begin();
    }
    isTurning = false;
  }

  return () => {
    if (begun >= REQUESTS_A_TURN) return new Promise((resolve) => waiting.push(resolve));
    begun += 1;
    if (!isTurning) void turn();
    return null;
  };
}
