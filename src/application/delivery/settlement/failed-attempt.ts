import type { OutboundEvent } from '../../../domain/documents/outbound-status.ts';
import { retryPauseMs } from '../../../domain/documents/retry-schedule.ts';
import { message } from '../../../domain/messages/message.ts';
import { randomFraction } from '../../../domain/values/random-values.ts';
import { type Failure, failureBecause } from '../../errors/failure-catalogue.ts';
import { CHANGED_ACCOUNT_PAUSE_MS } from '../account-change.ts';
import type { Change } from '../leased-write.ts';
import { type Context, moveFrom30, type Outcome } from './settlement-context.ts';

/** What a former account caused, or the key of one process, does not count as a failed try of the document. */
export function failedAttempt(
  context: Context,
  failure: Failure,
  isUncounted: boolean,
): { readonly change: Change; readonly outcome: Outcome } {
  const { needs, delivery } = context;
  const move = (event: OutboundEvent, more: object) => moveFrom30(context, failure, event, more);
  const now = needs.clock.now();
  if (isUncounted) {
    return { change: move('try-again', { dueAt: now + CHANGED_ACCOUNT_PAUSE_MS }), outcome: 'retry' };
  }
  const failures = delivery.document.failures + 1;
  const pause = retryPauseMs(failures, randomFraction(needs.random));
  if (pause !== null) return { change: move('try-again', { failures, dueAt: now + pause }), outcome: 'retry' };
  const last = failureBecause(failure.code, ...failure.sentences, message('attempts-used-up'));
  return { change: moveFrom30(context, last, 'give-up', { failures }), outcome: 'failed' };
}
