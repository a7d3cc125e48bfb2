import type { ClientRequest, IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { NoRoomForAnswer } from '../../../application/errors/authority-answers.ts';
import { ServiceStopping } from '../../../application/errors/service-unavailable.ts';
import { AuthorityCallError } from '../../../application/ports/authority.ts';
import type { Timer, Timers } from '../../../application/ports/platform.ts';
import { AnswerTooLarge } from '../answers/answer-error.ts';
import { classifyStatus } from '../answers/classify-status.ts';
import type { HttpAnswer } from '../answers/exchange.ts';
import { type Progress, transportError } from './transport-error.ts';

// Not imported: src/http/connections/node-http.ts says why.
const { request: httpRequest } = process.getBuiltinModule('node:http');

/** Answers are read as they come, and HTTP lets them be packed for whoever does not say otherwise. */
const UNPACKED = { 'accept-encoding': 'identity' };

/**
 * Of a name with several addresses Node gives each one a quarter of a second and goes on to the next for good. A network that needs longer,
 * or loses the first packet (it comes again after a second), would never reach the authority if the last address is of no use.
 */
const FOR_EACH_ADDRESS = { autoSelectFamilyAttemptTimeout: 2_500 };

/** A piece of an answer takes some hundred bytes more than it has: one that comes in pieces of a few bytes would take a hundred times its size. */
const PIECES_JOINED = 128;

/** Memory that the answers of a process share while they are received. */
export type AnswerRoom = {
  readonly enter: () => {
    /** Whether there is room for so much more of one answer. */
    readonly add: (bytes: number) => boolean;
    readonly leave: () => void;
  };
};

/** One alone may be larger than all of it, and small ones need none. */
export function createAnswerRoom({
  totalBytes,
  smallBytes,
}: Readonly<Record<'totalBytes' | 'smallBytes', number>>): AnswerRoom {
  /** By large ones. */
  let held = 0;
  const heldBy = (bytes: number) => (bytes > smallBytes ? bytes : 0);
  return {
    enter() {
      let own = 0;
      return {
        add(bytes) {
          held += heldBy(own + bytes) - heldBy(own);
          own += bytes;
          return own <= smallBytes || held <= totalBytes || held === own;
        },
        leave() {
          held -= heldBy(own);
          own = 0;
        },
      };
    },
  };
}

export type HttpRequest = {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** For the whole call, from connecting to the last byte. */
  readonly timeoutMs: number;
  readonly maxAnswerBytes: number;
};

/** One request and its answer. Every failure is an AuthorityCallError, but for a stop of the service. */
export type Exchange = (request: HttpRequest) => Promise<HttpAnswer>;

/** For messages and logs: without user info and query, which may hold secrets. */
export function hostAndPath({ host, pathname }: URL): string {
  return `${host}${pathname}`;
}

/**
 * One HTTP exchange, bounded in time and size, and by a stop of the service that waits no longer. Redirects are not followed: that
 * would send the caller's identity to a host that the operator did not configure.
 */
export async function exchangeOverHttp(
  timers: Timers,
  request: HttpRequest,
  { room, cutOff }: { readonly room?: AnswerRoom; readonly cutOff?: AbortSignal } = {},
): Promise<HttpAnswer> {
  const progress: Progress = { mayHaveBeenSent: false };
  const place = room?.enter();
  const timeout = createTimeout(timers, request.timeoutMs);
  try {
    const response = await sendRequest(request, timeout, progress, cutOff);
    const status = response.statusCode ?? 0;
    const bytes = await readBody(request, response, place?.add);
    return { status, contentType: response.headers['content-type'] ?? null, bytes };
  } catch (cause) {
    if (cause instanceof AuthorityCallError) throw cause;
    if (cutOff?.aborted === true) throw new ServiceStopping();
    throw transportError(hostAndPath(request.url), progress, timeout.hasExpired() ? request.timeoutMs : null, cause);
  } finally {
    timeout.clear();
    place?.leave();
  }
}

type Timeout = {
  /** Starts the time and aborts the request when it has expired. */
  readonly startFor: (request: ClientRequest) => void;
  readonly hasExpired: () => boolean;
  readonly clear: () => void;
};

/** A plain timer, which costs far less than an AbortSignal for every request. */
function createTimeout(timers: Timers, timeoutMs: number): Timeout {
  let hasExpired = false;
  let timer: Timer | undefined;
  return {
    startFor(request) {
      timer = timers.after(timeoutMs, () => {
        hasExpired = true;
        request.destroy(new Error('The request timed out'));
      });
    },
    hasExpired: () => hasExpired,
    clear: () => timer?.cancel(),
  };
}

/**
 * Uses `node:http` and not `fetch`, because it shows from which moment on a request may have been sent. Its default agent
 * keeps connections alive and closes idle ones before a server is likely to.
 */
function sendRequest(
  call: HttpRequest,
  timeout: Timeout,
  progress: Progress,
  cutOff: AbortSignal | undefined,
): Promise<IncomingMessage> {
  const { method, url, headers, body } = call;
  const isEncrypted = url.protocol === 'https:';
  return new Promise((resolve, reject) => {
    const bytes = body === null ? null : Buffer.byteLength(body);
    const length = bytes === null ? {} : { 'content-length': String(bytes) };
    const start = isEncrypted ? httpsRequest : httpRequest;
    const sent = { ...UNPACKED, ...headers, ...length };
    const request = start(url, { ...FOR_EACH_ADDRESS, method, headers: sent, signal: cutOff });
    timeout.startFor(request);
    trackProgress(request, isEncrypted, progress);
    // Stays attached after the answer has begun: an 'error' event without a listener would end the process.
    request.on('error', reject);
    request.once('response', resolve);
    // After HTTP 101 with an Upgrade header there is neither an answer nor an error, and the time limit would destroy it in vain.
    request.once('close', () => reject(new Error('no answer')));
    // A signed document is plain ASCII; as latin1 it is written without being encoded again.
    request.end(body, bytes === body?.length ? 'latin1' : 'utf8');
  });
}

function trackProgress(request: ClientRequest, isEncrypted: boolean, progress: Progress): void {
  request.once('socket', (socket) => {
    // A reused connection is open already: the request may be sent at once.
    progress.mayHaveBeenSent = !socket.connecting;
    if (progress.mayHaveBeenSent) return;
    socket.once(isEncrypted ? 'secureConnect' : 'connect', () => {
      progress.mayHaveBeenSent = true;
    });
  });
}

function readBody(
  { url, maxAnswerBytes }: HttpRequest,
  response: IncomingMessage,
  hasRoomFor: (bytes: number) => boolean = () => true,
): Promise<Uint8Array> {
  const status = response.statusCode ?? 0;
  const pieces: Uint8Array[] = [];
  let joined = 0;
  let size = 0;
  return new Promise((resolve, reject) => {
    response.on('data', (piece: Uint8Array) => {
      size += piece.byteLength;
      pieces.push(piece);
      if (pieces.length - joined === PIECES_JOINED) {
        pieces.push(Buffer.concat(pieces.splice(joined)));
        joined += 1;
      }
      const hasRoom = hasRoomFor(piece.byteLength);
      if (size <= maxAnswerBytes && hasRoom) return;
      const answered = `${hostAndPath(url)} answered HTTP ${status} with more than`;
      const facts = classifyStatus(status, false);
      if (hasRoom) reject(new AnswerTooLarge(`${answered} ${maxAnswerBytes} bytes`, facts));
      else reject(new NoRoomForAnswer(`${answered} there is room for beside other large answers`, facts));
      response.destroy();
    });
    response.once('end', () => resolve(Buffer.concat(pieces)));
    response.once('error', reject);
    response.once('close', () => {
      if (!response.complete) reject(new Error('The answer ended early'));
    });
  });
}
