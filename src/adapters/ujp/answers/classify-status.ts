import type { CallErrorKind } from '../../../application/ports/authority.ts';

/** What an answer means for the request: the kind of call error, and whether the request may have been carried out. */
export type ErrorClass = { readonly kind: CallErrorKind; readonly isUncertain: boolean };

const TOO_MANY_REQUESTS = 429;
const SERVICE_UNAVAILABLE = 503;
/** The caller's signature or right is not accepted, whoever says so. */
const NOT_ALLOWED: ReadonlySet<number> = new Set([401, 403]);
const REQUEST_TIMEOUT = 408;

export function isThrottled(status: number): boolean {
  return status === TOO_MANY_REQUESTS;
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/**
 * For an answer without an error code of the authority: by its HTTP status alone. What is sent in vain for a reason that nobody names
 * (301, 400, 404, 415) is sent in vain with every document; a query may get the same because of what it asks for.
 */
export function classifyStatus(status: number, isSending: boolean): ErrorClass {
  if (isThrottled(status)) return { kind: 'busy', isUncertain: false };
  if (status === SERVICE_UNAVAILABLE) return { kind: 'busy', isUncertain: true };
  const isRefused = isSending && status >= 300 && status < 500 && status !== REQUEST_TIMEOUT;
  if (NOT_ALLOWED.has(status) || isRefused) return { kind: 'request-refused', isUncertain: false };
  // A proxy in front of the authority answers 5xx too, also after the authority behind it has carried the request out. 101 is no answer at all.
  return { kind: 'error', isUncertain: status < 300 || status >= 500 };
}
