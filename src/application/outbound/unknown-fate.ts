import type { RecordedAttempt } from '../ports/storage/delivery-store.ts';

/**
 * Whether the document may be registered, now or later, by an attempt that is on record: it was sent, no answer came, and no look-up
 * has shown since then what became of it. Only a look-up can: the answer to a later attempt says nothing about an earlier one.
 */
export function isFateUnknown(attempts: readonly Pick<RecordedAttempt, 'act' | 'outcome'>[]): boolean {
  const last = attempts.findLast((attempt) => isLost(attempt) || isResolved(attempt));
  return last !== undefined && isLost(last);
}

function isLost({ act, outcome }: Pick<RecordedAttempt, 'act' | 'outcome'>): boolean {
  return act === 'send' && (outcome === null || outcome === 'unknown');
}

function isResolved({ act, outcome }: Pick<RecordedAttempt, 'act' | 'outcome'>): boolean {
  return act === 'look-up' && (outcome === 'registered' || outcome === 'not-registered');
}
