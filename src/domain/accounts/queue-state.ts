import type { DocUid } from '../documents/doc-uid.ts';
import { type DeliveryStop, isStopOn, STOP_CAUSES, type StopCause, stopPauseMs } from './tenant.ts';

/** What decides how many documents of a tenant may be under way; shared by all processes. */
export type QueueState = {
  readonly stopped: DeliveryStop | null;
  /** Stops in a row, for the account or for refused requests: each begins with its own first pause. */
  readonly timesStopped: number;
  /** Requests that the authority refused since it last dealt with a document of the tenant. */
  readonly refusalsInARow: number;
  /** The document that all of them were about; null where there were several. */
  readonly refusedDocument: DocUid | null;
  /** When the last stop ended; null when there was none. */
  readonly resumedAt: number | null;
};

/**
 * The authority's pace of one request a second is reached with two, and when it begins to refuse requests, no more than those
 * two have left the queue.
 */
const MOST_UNDER_WAY = 2;

/** A second refusal in a row is not the peculiarity of one request. */
const REFUSALS_THAT_STOP = 2;

/** How many documents of the tenant may be under way at the same time, in all processes together. */
export function mostUnderWay({ stopped, refusalsInARow }: QueueState, now: number): number {
  if (stopped !== null) return mayTryDuring(stopped, now) ? 1 : 0;
  return refusalsInARow === 0 ? MOST_UNDER_WAY : 1;
}

/** While delivery is stopped, a single document tests from time to time whether that is still right. */
export function mayTryDuring(stop: DeliveryStop, now: number): boolean {
  return !isStopOn(stop, now) || stop.cause === 'refused-document';
}

/** After one more request was refused. A running stop is not prolonged. */
export function afterRefusal(
  state: QueueState,
  { docUid, reason, now }: { readonly docUid: DocUid; readonly reason: string; readonly now: number },
): QueueState {
  const { stopped, timesStopped } = state;
  const refusalsInARow = state.refusalsInARow + 1;
  const isSameDocument = state.refusalsInARow === 0 || state.refusedDocument === docUid;
  const refused = { refusalsInARow, refusedDocument: isSameDocument ? docUid : null };
  if (refusalsInARow < REFUSALS_THAT_STOP && stopped === null) return { ...state, ...refused };
  const isRunning = stopped !== null && isStopOn(stopped, now);
  // A document that was under way when the account was found not to be accepted changes nothing about that.
  if (isRunning && stopped.cause === 'account') return { ...state, ...refused };
  const cause: StopCause = isSameDocument ? 'refused-document' : 'refused-requests';
  const before = stopped?.cause === 'account' ? 0 : timesStopped;
  const times = isRunning ? timesStopped : before + 1;
  const until = isRunning ? stopped.until : now + stopPauseMs(cause, times);
  return { ...state, ...refused, stopped: { until, since: stopped?.since ?? now, reason, cause }, timesStopped: times };
}

/**
 * Whether a request that was refused had been sent before the tenant was stopped last. What a look-up shows about it later is no
 * news: else each document that was sent before the stop would prolong it in turn.
 */
export function isOlderThanStop({ stopped, timesStopped, resumedAt }: QueueState, sentAt: number | null): boolean {
  if (sentAt === null) return false;
  if (stopped === null) return resumedAt !== null && sentAt < resumedAt;
  // A running stop may have got another cause, whose pauses are shorter: then it began earlier than by those.
  const longest = Math.max(...STOP_CAUSES.map((cause) => stopPauseMs(cause, timesStopped)));
  return sentAt < Math.max(stopped.since, stopped.until - longest);
}
