import { OUTBOUND_STATUS, type OutboundStatus } from '../../domain/documents/outbound-status.ts';
import { retryAfterSeconds } from '../../domain/values/retry-after.ts';
import { type Problem, problem } from './problem.ts';

export function unknownRepresentation(known: readonly string[]): Problem {
  return problem('ERR-3002', `The known formats are ${known.join(', ')}.`);
}

export function representationMissing(format: string): Problem {
  return problem('ERR-3002', `The document exists, but not in the format "${format}".`);
}

/** The authority's file of a document that has none yet, which comes after `waitMs` at the earliest; null where none will come. */
export function containerMissing(status: OutboundStatus, waitMs: number | null): Problem {
  if (waitMs === null) {
    const detail = `The document is in status ${status}, and the authority returned no file for it: there is no format "ujp".`;
    return problem('ERR-3002', detail);
  }
  const detail =
    status === OUTBOUND_STATUS.accepted
      ? 'The authority has accepted the document; its file, the format "ujp", is on its way from there.'
      : 'The authority returns the format "ujp" once it has accepted the document, which is on its way there.';
  return problem('ERR-3002', detail, { retryAfterSeconds: retryAfterSeconds(waitMs) });
}
