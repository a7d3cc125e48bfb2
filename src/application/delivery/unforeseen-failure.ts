import { message } from '../../domain/messages/message.ts';
import { oneLineText } from '../../domain/values/one-line-text.ts';
import { isDatabaseFailure } from '../errors/commit-unknown.ts';
import { isDamage } from '../errors/damage.ts';
import { type Failure, failureBecause } from '../errors/failure-catalogue.ts';
import { ServiceStopping } from '../errors/service-unavailable.ts';
import type { RecordedAttempt } from '../ports/storage/delivery-store.ts';
import type { Delivery, DeliveryNeeds } from './delivery.ts';
import { givenUp } from './duplicate-number.ts';
import { type DecisionReads, type LeasedWrite, LeaseLost } from './leased-write.ts';

/** Long enough for what is wrong on this machine to pass: memory, disk, a thread that died of another document. */
const UNFORESEEN_PAUSE_MS = 300_000;

const UNAVAILABLE_PAUSE_MS = 5_000;

/** After so many in a row it is the document that the service fails on, and it must not occupy the threads for ever. */
const MAX_IN_A_ROW = 5;

const MAX_MESSAGE_LENGTH = 300;

const FAILURE = failureBecause('SERVICE-ERROR', message('service-failed', { count: MAX_IN_A_ROW }));

/** How long a document or void is left alone whose worker failed. Another process can go on at once where this one only stops. */
export function pauseAfter(error: unknown): number {
  if (error instanceof ServiceStopping) return 0;
  return isDatabaseFailure(error) ? UNAVAILABLE_PAUSE_MS : UNFORESEEN_PAUSE_MS;
}

/**
 * Neither a failure of the database, nor a stop, nor a lost lease, nor damage: nobody expected it, and nothing says that it will pass. Damaged bytes end their
 * document at once; of a page that cannot be read nobody knows whose it is, and every document may need it.
 */
export function isUnforeseen(error: unknown): boolean {
  return !(isDatabaseFailure(error) || error instanceof LeaseLost || isDamage(error));
}

/**
 * What an unforeseen failure before sending writes: an attempt on record and a pause, or the end of the document. The result is
 * the failure that it ended with. A requeued document has as many tries again: those in a row are counted on.
 */
export async function unforeseenFailureWrite(
  { clock }: Pick<DeliveryNeeds, 'clock'>,
  delivery: Delivery,
  { startedAt, error }: { readonly startedAt: number; readonly error: unknown },
  reads: DecisionReads,
): Promise<LeasedWrite<Failure | null>> {
  const { edb } = delivery.tenant;
  const { docUid } = delivery.document;
  const inARow = unforeseenInARow(await reads.deliveries.attempts(edb, docUid)) + 1;
  const isLast = inARow % MAX_IN_A_ROW === 0;
  const now = clock.now();
  const words = oneLineText(error instanceof Error ? error.message : String(error), MAX_MESSAGE_LENGTH);
  return {
    change: isLast ? givenUp(delivery, FAILURE, now) : { kind: 'release', dueAt: now + UNFORESEEN_PAUSE_MS },
    async also({ deliveries }) {
      const ordinal = await deliveries.beginAttempt(edb, docUid, 'prepare', startedAt);
      const end = { outcome: 'failed', failureCode: FAILURE.code, message: words, answer: null, endedAt: now } as const;
      await deliveries.endAttempt(edb, docUid, ordinal, end);
      return isLast ? FAILURE : null;
    },
  };
}

function unforeseenInARow(attempts: readonly RecordedAttempt[]): number {
  const other = attempts.toReversed().findIndex(({ failureCode }) => failureCode !== FAILURE.code);
  return other === -1 ? attempts.length : other;
}
