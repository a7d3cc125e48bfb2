import type { Problem } from './generated/answers.ts';

/** What is known of the call that failed, whatever the reason. */
export type FailedCall = {
  /** The document that the call was about; null for lists and submissions. */
  readonly docUid: string | null;
  /** `X-Request-Id` of the answer, to be quoted when reporting; null when there was none. */
  readonly requestId: string | null;
  /** The key under which a submission can be repeated; null for other calls. */
  readonly idempotencyKey: string | null;
  /** How often it was tried. */
  readonly tries: number;
  /** Whether an earlier try may have been carried out, its answer being lost. */
  readonly earlierTryLost: boolean;
};

/** Every error of this library, except the reason of an aborted signal and arguments that cannot be. */
export class DostavaError extends Error {
  override name = 'DostavaError';
  readonly docUid: string | null;
  readonly requestId: string | null;
  readonly idempotencyKey: string | null;
  readonly tries: number;
  readonly earlierTryLost: boolean;
  /** Whether the same call may succeed later without a change. */
  readonly retryable: boolean;

  constructor(message: string, call: FailedCall, retryable: boolean, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.docUid = call.docUid;
    this.requestId = call.requestId;
    this.idempotencyKey = call.idempotencyKey;
    this.tries = call.tries;
    this.earlierTryLost = call.earlierTryLost;
    this.retryable = retryable;
  }
}

/** The service, or a proxy before it, has answered with an error. */
export class ProblemError extends DostavaError {
  override name = 'ProblemError';
  readonly status: number;
  /** `ERR-…`; null for what the catalogue does not name. Match on this, never on text. */
  readonly code: string | null;
  readonly title: string | null;
  readonly detail: string | null;
  /** Address of the page that explains the code. */
  readonly type: string | null;
  readonly eventId: string | null;
  /** How long the service asks to wait; null when it does not. */
  readonly retryAfterMs: number | null;

  constructor(status: number, problem: Partial<Problem>, retryAfterMs: number | null, call: FailedCall) {
    const said = [problem.code, problem.title, problem.detail].filter((part) => typeof part === 'string');
    super(said.length === 0 ? `HTTP ${status}` : said.join(': '), call, isRetryable(status, retryAfterMs));
    this.status = status;
    this.code = problem.code ?? null;
    this.title = problem.title ?? null;
    this.detail = problem.detail ?? null;
    this.type = problem.type ?? null;
    this.eventId = problem.eventId ?? null;
    this.retryAfterMs = retryAfterMs;
  }
}

/** No whole answer came: the call may or may not have been carried out. */
export class LostAnswerError extends DostavaError {
  override name = 'LostAnswerError';

  constructor(call: FailedCall, cause: unknown) {
    super(`No whole answer came (${reasonOf(cause)})`, call, true, cause);
  }
}

/** The bytes of a file are not those of its digest, or it came without one. */
export class DamagedFileError extends DostavaError {
  override name = 'DamagedFileError';

  constructor(message: string, call: FailedCall) {
    super(message, call, true);
  }
}

/** An answer that this library cannot use: too large, a redirect, or without a member that must be there. */
export class UnexpectedAnswerError extends DostavaError {
  override name = 'UnexpectedAnswerError';

  constructor(message: string, call: FailedCall) {
    super(message, call, false);
  }
}

/** `fetch` says "fetch failed" of a wrong name, a certificate and a network alike; what it was is the cause of that. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  return cause.cause instanceof Error ? `${textOf(cause)}: ${textOf(cause.cause)}` : textOf(cause);
}

/** One that stands for several addresses has a code alone; one about a certificate has every name in it, hundreds where many share one. */
function textOf(error: Error): string {
  const text = (error.message === '' && 'code' in error ? String(error.code) : error.message).trim();
  return text.length > LONGEST_REASON ? `${text.slice(0, LONGEST_REASON)}…` : text;
}

const LONGEST_REASON = 300;

const REQUEST_TIMEOUT = 408;
const TOO_MANY_REQUESTS = 429;
const FIRST_SERVER_ERROR = 500;

function isRetryable(status: number, retryAfterMs: number | null): boolean {
  const isTransient = status === REQUEST_TIMEOUT || status === TOO_MANY_REQUESTS || status >= FIRST_SERVER_ERROR;
  // A container that is on its way is a 404 with Retry-After.
  return isTransient || retryAfterMs !== null;
}
