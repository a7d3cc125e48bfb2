import type { Timers } from '../application/ports/platform.ts';

const REPORT_EVERY_MS = 10_000;

/** Tells of refusals every few seconds at most, with their number since: a line for each would be one more load. */
export function createRefusalReport(
  timers: Pick<Timers, 'elapsedMs'>,
  onRefused: (reason: string, count: number) => void,
): (reason: string) => void {
  let count = 0;
  let reportedAt = Number.NEGATIVE_INFINITY;
  return (reason) => {
    count += 1;
    const now = timers.elapsedMs();
    if (now - reportedAt < REPORT_EVERY_MS) return;
    reportedAt = now;
    onRefused(reason, count);
    count = 0;
  };
}
