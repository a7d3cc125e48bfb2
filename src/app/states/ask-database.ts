import { withDeadline } from '../../adapters/threads/deadline.ts';
import type { Timers } from '../../application/ports/platform.ts';

/**
 * Longer than the embedded database waits for its lock, and shorter than the ten seconds that Prometheus gives to a scrape: were metrics as
 * late as a server that is silent, every alert would end but the one that the process is down.
 */
const DEADLINE = { of: 'The database', timeoutMs: 7_000 };

/** For health and metrics, which have to say in time that the database does not answer: then it is ServiceUnavailable. */
export function askDatabase<Answer>(timers: Pick<Timers, 'after'>, ask: () => Promise<Answer>): Promise<Answer> {
  return withDeadline(timers, DEADLINE, ask);
}
