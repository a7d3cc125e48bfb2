import type { DocUid } from '../../domain/documents/doc-uid.ts';
import type { MessageKey } from '../../domain/messages/languages.ts';
import { message } from '../../domain/messages/message.ts';
import { OperatorError } from '../errors/operator-error.ts';
import type { ReopenOutbound } from './reopen-outbound.ts';
import type { RequeueOutbound } from './requeue-outbound.ts';

type Outcome = Awaited<ReturnType<RequeueOutbound>> | Awaited<ReturnType<ReopenOutbound>>;

const NOT_RETRIED = {
  'not-found': 'not-retried-not-found',
  'not-failed': 'not-retried-not-failed',
  'not-rejected': 'not-retried-not-rejected',
  duplicate: 'not-retried-duplicate',
  gone: 'not-retried-gone',
  'former-environment': 'not-retried-former-environment',
} as const satisfies Readonly<Record<Exclude<Outcome, 'requeued' | 'reopened'>, MessageKey>>;

/** Says why a document was not put back into the queue, where it was not. */
export function refuseNotRetried(docUid: DocUid, outcome: Outcome): void {
  if (outcome === 'requeued' || outcome === 'reopened') return;
  throw new OperatorError('refused', message(NOT_RETRIED[outcome], { document: docUid }));
}
