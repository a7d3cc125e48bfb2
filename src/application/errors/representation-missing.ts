import { OUTBOUND_STATUS, type OutboundStatus } from '../../domain/documents/outbound-status.ts';
import { message } from '../../domain/messages/message.ts';
import { retryAfterSeconds } from '../../domain/values/retry-after.ts';
import { type Problem, problem } from './problem.ts';

export function unknownRepresentation(known: readonly string[]): Problem {
  return problem('ERR-3002', message('known-formats', { formats: known.join(', ') }));
}

export function representationMissing(format: string): Problem {
  return problem('ERR-3002', message('format-missing', { format }));
}

/** The authority's file of a document that has none yet, which comes after `waitMs` at the earliest; null where none will come. */
export function containerMissing(status: OutboundStatus, waitMs: number | null): Problem {
  if (waitMs === null) {
    return problem('ERR-3002', message('container-never-comes', { status }));
  }
  const detail =
    status === OUTBOUND_STATUS.accepted
      ? 'The authority has accepted the document; its file, the format "ujp", is on its way from there.'
      : 'The authority returns the format "ujp" once it has accepted the document, which is on its way there.';
  return problem('ERR-3002', detail, { retryAfterSeconds: retryAfterSeconds(waitMs) });
}
