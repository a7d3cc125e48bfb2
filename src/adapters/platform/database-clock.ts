import type { Clock, Timers } from '../../application/ports/platform.ts';

type Needs = {
  readonly databaseTime: () => Promise<number>;
  /** Their elapsed time grows evenly, whatever happens to the clock of the machine. */
  readonly timers: Timers;
  readonly everyMs?: number;
};

export type DatabaseClock = Clock & { readonly stop: () => void };

/** Oscillators of machines drift by far less than a millisecond in this time. */
const COMPARED_EVERY_MS = 10_000;
/** What a measurement and the even passing of time may differ by without a clock being wrong. */
const TOLERATED_MS = 25;

/**
 * The time of the database, which all processes that work on it have in common. Between two comparisons it goes on evenly, so the clock
 * of the machine plays no part, wrong or stepping. It follows the database when that is off by more than a measurement may be: never for
 * the inaccuracy of a measurement, which would let it jump to and fro.
 */
export async function createDatabaseClock({
  databaseTime,
  timers,
  everyMs = COMPARED_EVERY_MS,
}: Needs): Promise<DatabaseClock> {
  const { elapsedMs } = timers;
  let zero: number | null = null;

  async function compare(): Promise<void> {
    const askedAt = elapsedMs();
    const time = await databaseTime();
    const answeredAt = elapsedMs();
    const measured = time - (askedAt + answeredAt) / 2;
    const uncertaintyMs = (answeredAt - askedAt) / 2 + TOLERATED_MS;
    if (zero === null || Math.abs(measured - zero) > uncertaintyMs) zero = measured;
  }

  // Opens a connection, which takes most of its time: as a measurement it would be off by half of that, until the next step of a clock.
  await databaseTime();
  await compare();
  // While the database does not answer, time goes on evenly; whatever needs the database fails anyway.
  const timer = timers.every(everyMs, () => void compare().catch(() => undefined), { keepsProcess: false });
  return { now: () => Math.floor((zero ?? 0) + elapsedMs()), stop: timer.cancel };
}
