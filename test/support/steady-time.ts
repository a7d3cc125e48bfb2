import { systemTimers } from '../../src/adapters/platform/timers.ts';
import type { Timers } from '../../src/application/ports/platform.ts';

/** So much of it counts at most, however long nothing of this process had its turn. */
const [TURN_EVERY_MS, LONGEST_TURN_MS] = [20, 200] as const;

let countedMs = 0;
let lastTurnMs: number | null = null;

/**
 * Milliseconds of real time, without those in which the process stood still: a busy machine stops it for seconds, and to whatever
 * runs in it that is no time. Nobody is late because of it, and nothing is due that was not about to be.
 */
export function steadyElapsedMs(): number {
  if (lastTurnMs === null) {
    lastTurnMs = performance.now();
    setInterval(count, TURN_EVERY_MS).unref();
  }
  return countedMs + sinceLastTurnMs(lastTurnMs);
}

function count(): void {
  if (lastTurnMs !== null) countedMs += sinceLastTurnMs(lastTurnMs);
  lastTurnMs = performance.now();
}

function sinceLastTurnMs(turnMs: number): number {
  return Math.min(performance.now() - turnMs, LONGEST_TURN_MS);
}

/**
 * A limit by these is reached by what does not come, not by what is about to come when the process goes on. The time that has passed stays
 * real: a service over PostgreSQL knows by it how late it is, and would fall behind the clock of its tests.
 */
export const steadyTimers: Timers = {
  ...systemTimers,
  after(ms, run, options) {
    const dueMs = steadyElapsedMs() + ms;
    let timer = systemTimers.after(ms, look, options);
    function look(): void {
      const leftMs = dueMs - steadyElapsedMs();
      if (leftMs <= 0) run();
      else timer = systemTimers.after(leftMs, look, options);
    }
    return { cancel: () => timer.cancel() };
  },
};

/** Over SQLite nothing goes by the time of another machine: nobody has waited too long for its lock because the process stood still. */
export const steadyTimersOverSqlite: Timers = { ...steadyTimers, elapsedMs: steadyElapsedMs };
