import type { CallErrorKind } from '../../../application/ports/authority.ts';

/** What an answer means for the request: what kind of fault it is, and whether the request may have been carried out. */
export type Verdict = { readonly kind: CallErrorKind; readonly isUncertain: boolean };

const TOO_MANY_REQUESTS = 429;
const OUT_OF_SERVICE = 503;

export function isTurnedAway(status: number): boolean {
  return status === TOO_MANY_REQUESTS;
}

export function isPositive(status: number): boolean {
  return status >= 200 && status < 300;
}

/** What an answer that gives no code of the authority's means, by its HTTP status alone. */
export function classifyStatus(status: number): Verdict {
  if (isTurnedAway(status)) return { kind: 'busy', isUncertain: false };
  if (status === OUT_OF_SERVICE) return { kind: 'busy', isUncertain: true };
  // Whatever stands in front of the authority speaks in 5xx too, also when the authority behind it has done its work.
  return { kind: 'error', isUncertain: isPositive(status) || status >= 500 };
}
