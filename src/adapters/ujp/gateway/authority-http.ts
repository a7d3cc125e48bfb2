import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { AuthorityCallError } from '../../../application/ports/authority.ts';
import { classifyStatus } from '../answers/classify-status.ts';
import type { HttpAnswer } from '../answers/exchange.ts';
import { type Progress, transportError } from './transport-error.ts';

export type HttpOrder = {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** For the whole call, from connecting to the last byte. */
  readonly timeoutMs: number;
  readonly maxAnswerBytes: number;
};

/** Host and path of a URL, without whatever secrets it may hold. */
export function placeOf({ host, pathname }: URL): string {
  return `${host}${pathname}`;
}

/**
 * One HTTP exchange within a bounded time and size; every way to fail is an AuthorityCallError. Redirects are answers like any
 * other: to follow one would carry the caller's identity to a place nobody configured.
 */
export async function exchangeOverHttp(order: HttpOrder): Promise<HttpAnswer> {
  const progress: Progress = { mayHaveLeft: false };
  const time = limitTime(order.timeoutMs);
  try {
    const response = await respond(order, time, progress);
    const status = response.statusCode ?? 0;
    const bytes = await readBounded(order, response, status);
    return { status, contentType: response.headers['content-type'] ?? null, bytes };
  } catch (cause) {
    if (cause instanceof AuthorityCallError) throw cause;
    throw transportError(placeOf(order.url), progress, time.isOver() ? order.timeoutMs : null, cause);
  } finally {
    time.end();
  }
}

type TimeLimit = {
  /** Breaks a request off when its time is over, wherever it is by then. */
  readonly applyTo: (request: ClientRequest) => void;
  readonly isOver: () => boolean;
  readonly end: () => void;
};

/** A bare timer, which costs a request far less than a signal of its own. */
function limitTime(timeoutMs: number): TimeLimit {
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  return {
    applyTo(request) {
      timer = setTimeout(() => {
        isOver = true;
        request.destroy(new Error('The time is over'));
      }, timeoutMs);
    },
    isOver: () => isOver,
    end: () => clearTimeout(timer),
  };
}

/**
 * The bare client of the platform and not `fetch`: it tells the moment from which a request may have left. Its standard
 * agent keeps connections alive and lets idle ones go before a server is likely to.
 */
function respond(order: HttpOrder, time: TimeLimit, progress: Progress): Promise<IncomingMessage> {
  const { method, url, headers, body } = order;
  const isEncrypted = url.protocol === 'https:';
  return new Promise((resolve, reject) => {
    const bytes = body === null ? null : Buffer.byteLength(body);
    const length = bytes === null ? {} : { 'content-length': String(bytes) };
    const start = isEncrypted ? httpsRequest : httpRequest;
    const request = start(url, { method, headers: { ...headers, ...length } });
    time.applyTo(request);
    watch(request, isEncrypted, progress);
    // Stays to the end: an error that follows the answer must not go unheard.
    request.on('error', reject);
    request.once('response', resolve);
    // A signed document is plain ASCII, which is written as it is and need not be encoded.
    request.end(body, bytes === body?.length ? 'latin1' : 'utf8');
  });
}

function watch(request: ClientRequest, isEncrypted: boolean, progress: Progress): void {
  request.once('socket', (socket) => {
    // Whatever is not known to be still connecting counts as connected, as a connection that was kept is.
    progress.mayHaveLeft = !socket.connecting;
    if (progress.mayHaveLeft) return;
    socket.once(isEncrypted ? 'secureConnect' : 'connect', () => {
      progress.mayHaveLeft = true;
    });
  });
}

function readBounded(order: HttpOrder, response: IncomingMessage, status: number): Promise<Uint8Array> {
  const { url, maxAnswerBytes } = order;
  const chunks: Uint8Array[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    response.on('data', (chunk: Uint8Array) => {
      size += chunk.byteLength;
      chunks.push(chunk);
      if (size <= maxAnswerBytes) return;
      const sentence = `${placeOf(url)} answered HTTP ${status} with more than ${maxAnswerBytes} bytes`;
      reject(new AuthorityCallError(sentence, classifyStatus(status)));
      response.destroy();
    });
    response.once('end', () => resolve(Buffer.concat(chunks)));
    response.once('error', reject);
    response.once('close', () => {
      if (!response.complete) reject(new Error('The answer ended early'));
    });
  });
}
