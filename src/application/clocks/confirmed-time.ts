import type { Clock } from '../ports/platform.ts';
import type { ClockWatch } from './watch-clock.ts';

/**
 * The time by a clock that the authority has just confirmed, for what cannot be undone; null when it has not. A clock that was set at that
 * very moment was right before or is right after, and of the two the earlier time deletes nothing too soon.
 */
export async function confirmedTime(clock: Clock, clockWatch: Pick<ClockWatch, 'check'>): Promise<number | null> {
  const before = clock.now();
  if ((await clockWatch.check()) !== 'right') return null;
  return Math.min(before, clock.now());
}
