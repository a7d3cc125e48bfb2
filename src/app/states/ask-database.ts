import { withDeadline } from '../../adapters/threads/deadline.ts';
import { isDatabaseFailure } from '../../application/errors/commit-unknown.ts';
import { DatabaseDamaged } from '../../application/errors/damage.ts';
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

/**
 * For metrics: null where the database does not answer, or cannot read what it is asked for. Whatever else they tell is needed then above all;
 * one value that failed would take them all along.
 */
export function askIfPossible<Answer>(
  timers: Pick<Timers, 'after'>,
  ask: () => Promise<Answer>,
): Promise<Answer | null> {
  return askDatabase(timers, ask).catch(nullWithoutDatabase);
}

export function nullWithoutDatabase(error: unknown): null {
  if (isDatabaseFailure(error) || error instanceof DatabaseDamaged) return null;
  throw error;
}
