import { DamagedFileError, DostavaError, LostAnswerError, ProblemError, UnexpectedAnswerError } from './errors.ts';
import { type Answer, checkStatus, readBody } from './read-answer.ts';
import { type DocumentBytes, LONGEST_TOTAL_MS, type Settings, withHeaders } from './settings.ts';

export type Request = {
  readonly method: string;
  /** Below the address of the service, parameters included. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: DocumentBytes;
  readonly docUid?: string | null;
  readonly idempotencyKey?: string;
  /** Whether it may be sent again although it may have been carried out. */
  readonly isRepeatable: boolean;
  /** How long the service is asked to wait before it answers. */
  readonly waitMs?: number;
  /** Whether "not yet" (HTTP 404 with `Retry-After`) is waited for. */
  readonly awaitsFile?: boolean;
  readonly signal?: AbortSignal | undefined;
};

/** What is made of an answer; what it throws may lead to another try. */
export type Reading<Result> = (answer: Answer) => Result | Promise<Result>;

export type Send = <Result>(request: Request, read: Reading<Result>) => Promise<Result>;

type Progress = { readonly tries: number; readonly earlierTryLost: boolean };

const NOT_FOUND = 404;
/** Both mean that nothing was done. */
const REFUSED_FOR_NOW = [429, 503];
/** Nothing more is worth a try in so little time. */
const SHORTEST_TRY_MS = 1;

/** Sends until there is an answer to be had, within the limits. The answer of a repeated call is read as that of the first. */
export function createSend(settings: Settings): Send {
  const { retries, now, pause } = settings;
  return async (request, read) => {
    const begunAt = Date.now();
    const deadline = now() + retries.maxTotalMs + (request.waitMs ?? 0);
    let progress: Progress = { tries: 0, earlierTryLost: false };
    for (;;) {
      request.signal?.throwIfAborted();
      progress = { ...progress, tries: progress.tries + 1 };
      const remainingMs = Math.max(SHORTEST_TRY_MS, deadline - now());
      try {
        return await read(await sendOnce(settings, request, progress, remainingMs));
      } catch (failure) {
        const pauseMs = pauseAfter(settings, request, failure, progress.tries);
        if (pauseMs === null || progress.tries >= retries.maxTries || now() + pauseMs >= deadline) throw failure;
        progress = withFailure(progress, failure);
        await pause(pauseMs, request.signal);
        if (mayBeForgotten(request, progress, begunAt)) throw failure;
      }
    }
  };
}

async function sendOnce(settings: Settings, request: Request, progress: Progress, remainingMs: number) {
  const known = { docUid: request.docUid ?? null, idempotencyKey: request.idempotencyKey ?? null, ...progress };
  const lost = new AbortController();
  const timeoutMs = Math.min(settings.timeoutMs + (request.waitMs ?? 0), remainingMs);
  const timer = setTimeout(() => lost.abort(new Error(`not within ${timeoutMs} ms`)), timeoutMs);
  const abort = () => lost.abort(request.signal?.reason);
  request.signal?.addEventListener('abort', abort, { once: true });
  try {
    const response = await settings.fetch(`${settings.url}${request.path}`, {
      method: request.method,
      headers: withHeaders(settings.headers, request.headers ?? {}),
      // A redirect would carry the key to wherever it leads.
      redirect: 'manual',
      signal: lost.signal,
      ...(request.body === undefined ? {} : { body: request.body }),
    });
    const call = { ...known, requestId: response.headers.get('X-Request-Id') };
    const bytes = await readBody(response, settings.maxAnswerBytes);
    if (bytes === null) throw new UnexpectedAnswerError(`More than ${settings.maxAnswerBytes} bytes`, call);
    const { status, headers } = response;
    const answer: Answer = { status, headers, bytes, call };
    checkStatus(answer);
    return answer;
  } catch (cause) {
    request.signal?.throwIfAborted();
    if (cause instanceof DostavaError) throw cause;
    throw new LostAnswerError({ ...known, requestId: null }, cause);
  } finally {
    clearTimeout(timer);
    request.signal?.removeEventListener('abort', abort);
  }
}

/** How long to wait before the next try; null when there must not be one. */
function pauseAfter(settings: Settings, request: Request, failure: unknown, tries: number): number | null {
  if (!(failure instanceof DostavaError) || !failure.retryable) return null;
  if (failure instanceof ProblemError && failure.status === NOT_FOUND && request.awaitsFile !== true) return null;
  if (!request.isRepeatable && !isUndone(failure)) return null;
  const { firstPauseMs, longestPauseMs } = settings.retries;
  const spread = settings.random() * Math.min(longestPauseMs, firstPauseMs * 2 ** (tries - 1));
  const asked = failure instanceof ProblemError ? (failure.retryAfterMs ?? 0) : 0;
  return asked + (asked > 0 ? Math.min(spread, firstPauseMs) : spread);
}

/** While a machine sleeps, a clock that only goes forward may stand still; the hour of the service does not. */
function mayBeForgotten({ idempotencyKey }: Request, { earlierTryLost }: Progress, begunAt: number): boolean {
  return idempotencyKey !== undefined && earlierTryLost && Date.now() - begunAt > LONGEST_TOTAL_MS;
}

function withFailure(progress: Progress, failure: unknown): Progress {
  return { ...progress, earlierTryLost: progress.earlierTryLost || !isUndone(failure) };
}

function isUndone(failure: unknown): boolean {
  if (failure instanceof DamagedFileError) return true;
  return failure instanceof ProblemError && REFUSED_FOR_NOW.includes(failure.status);
}
