import { afterRefusal, isOlderThanStop } from '../../../domain/accounts/queue-state.ts';
import { endlessRetryPauseMs } from '../../../domain/documents/retry-schedule.ts';
import { message } from '../../../domain/messages/message.ts';
import { randomFraction } from '../../../domain/values/random-values.ts';
import { type Failure, failureBecause } from '../../errors/failure-catalogue.ts';
import type { RecordedAttempt } from '../../ports/storage/delivery-store.ts';
import { accountHasChanged } from '../account-change.ts';
import { reportedErrorsOf } from '../delivery-failure.ts';
import type { Change, DecisionReads, LeasedWrite } from '../leased-write.ts';
import type { Settlement } from '../settlement.ts';
import { failedAttempt } from './failed-attempt.ts';
import { type Context, end, moveFrom30, type Outcome, type Settled } from './settlement-context.ts';

/** A document whose request is refused so often while others are taken is peculiar in some way that somebody must look at. */
const MOST_REFUSALS = 5;

/**
 * Nothing was registered, and nothing is said about the document: it waits, and what follows for the tenant's queue is decided
 * under its lock. Only a refusal while the authority takes other documents counts against the document.
 */
export async function requestRefused(
  context: Context,
  reads: DecisionReads,
  { failure, record, sentAt }: Extract<Settlement, { result: 'request-refused' }>,
): Promise<LeasedWrite<Settled>> {
  const { needs, delivery } = context;
  const { edb } = delivery.tenant;
  const { docUid } = delivery.document;
  const now = needs.clock.now();
  const before = await reads.tenants.queueState(edb);
  const isOfFormerAccount = await accountHasChanged(reads, delivery, now);
  const isNews = !isOfFormerAccount && !isOlderThanStop(before, sentAt);
  const after = isNews ? afterRefusal(before, { docUid, reason: failure.message, now }) : before;
  // The authority takes others: it is about this one.
  const isAgainstIt = isNews && before.refusalsInARow === 0;
  const refusals = await refusalsInARow(context, reads);
  const { change, outcome } = isOfFormerAccount
    ? failedAttempt(context, failure, true)
    : refusedAgain(context, failure, { isAgainstIt, refusals, until: after.stopped?.until ?? now });
  return {
    change,
    async also(tx) {
      await end(context, tx, record);
      await tx.tenants.saveQueueState(edb, after);
      const isNewStop = before.stopped === null && after.stopped !== null;
      return { outcome, failure, queue: isNewStop ? 'stopped' : null };
    },
  };
}

/** The pause grows with the refusals that count; it is never shorter than the stop of the tenant. */
function refusedAgain(
  context: Context,
  failure: Failure,
  {
    isAgainstIt,
    refusals,
    until,
  }: { readonly isAgainstIt: boolean; readonly refusals: number; readonly until: number },
): { readonly change: Change; readonly outcome: Outcome } {
  const { needs, delivery } = context;
  const failures = delivery.document.failures + (isAgainstIt ? 1 : 0);
  if (isAgainstIt && Math.min(failures, refusals) >= MOST_REFUSALS) {
    const refusedTooOften = message('refused-too-often', { count: MOST_REFUSALS });
    const last = failureBecause(failure.code, ...failure.sentences, refusedTooOften);
    return { change: moveFrom30(context, last, 'give-up', { failures }), outcome: 'failed' };
  }
  const pause = endlessRetryPauseMs(Math.max(1, failures), randomFraction(needs.random));
  const dueAt = Math.max(needs.clock.now() + pause, until);
  return { change: moveFrom30(context, failure, 'try-again', { failures, dueAt }), outcome: 'retry' };
}

/** How often in a row, with the try that is settled, the document was refused or the authority failed on it. */
async function refusalsInARow({ needs, delivery, begun }: Context, reads: DecisionReads): Promise<number> {
  const attempts = await reads.deliveries.attempts(delivery.tenant.edb, delivery.document.docUid);
  const latestFirst = attempts.filter(({ act, outcome }) => act !== 'look-up' && outcome !== null).toReversed();
  const other = latestFirst.findIndex((one) => one.outcome !== 'request-refused' && !isTheirFailure(needs, one));
  const onRecord = other === -1 ? latestFirst.length : other;
  // What a look-up settles is on record already: the send whose answer was a failure of theirs.
  return begun.act === 'look-up' ? onRecord : onRecord + 1;
}

/** A failure of its own, or a code of another form than it has published: neither says anything about the document. */
function isTheirFailure({ authority }: Context['needs'], attempt: RecordedAttempt): boolean {
  const errors = reportedErrorsOf(attempt);
  const { meaning } = authority.interpret(errors);
  return meaning === 'their-failure' || (meaning === 'other' && attempt.outcome === 'unknown' && errors.length > 0);
}
