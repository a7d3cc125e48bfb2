import type { DocUid } from '../../domain/documents/doc-uid.ts';
import { OperatorError } from '../errors/operator-error.ts';
import type { ReopenOutbound } from './reopen-outbound.ts';
import type { RequeueOutbound } from './requeue-outbound.ts';

type Outcome = Awaited<ReturnType<RequeueOutbound>> | Awaited<ReturnType<ReopenOutbound>>;

const NOT_RETRIED: Readonly<Record<Exclude<Outcome, 'requeued' | 'reopened'>, string>> = {
  'not-found': 'there.',
  'not-failed': 'in status 55; only failed documents can be retried.',
  'not-rejected': 'in status 50; only rejected documents can be retried as such.',
  duplicate: 'retried: another one of its kind and number is accepted or under way.',
  gone: 'retried: what was submitted or sent of it is not in the database any more.',
};

/** Says why a document was not put back into the queue, where it was not. */
export function refuseNotRetried(docUid: DocUid, outcome: Outcome): void {
  if (outcome === 'requeued' || outcome === 'reopened') return;
  throw new OperatorError('refused', `The document ${docUid} is not ${NOT_RETRIED[outcome]}`);
}
