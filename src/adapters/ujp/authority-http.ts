import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { AuthorityFault } from '../../application/authority.ts';
import { verdictOfStatus } from './status-verdict.ts';
import { transportFault } from './transport-fault.ts';

export type HttpOrder = {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** For the whole call, from connecting to the last byte. */
  readonly timeoutMs: number;
  readonly maxAnswerBytes: number;
};

export type HttpAnswer = { readonly status: number; readonly contentType: string | null; readonly bytes: Uint8Array };

/** How far a request has come: once it may have left, nobody but the authority knows what became of it. */
export type Progress = { mayHaveLeft: boolean };

/** Host and path of a URL, without whatever secrets it may hold. */
export function placeOf({ host, pathname }: URL): string {
  return `${host}${pathname}`;
}

/**
 * One HTTP exchange within a bounded time and size; every way to fail is an AuthorityFault. Redirects are answers like any
 * other: to follow one would carry the caller's identity to a place nobody configured.
 */
export async function exchangeOverHttp(order: HttpOrder): Promise<HttpAnswer> {
  const progress: Progress = { mayHaveLeft: false };
  const signal = AbortSignal.timeout(order.timeoutMs);
  try {
    const response = await respond(order, signal, progress);
    const status = response.statusCode ?? 0;
    const bytes = await readBounded(order, response, status);
    return { status, contentType: response.headers['content-type'] ?? null, bytes };
  } catch (cause) {
    if (cause instanceof AuthorityFault) throw cause;
    const timeoutMs = signal.aborted ? order.timeoutMs : null;
    throw transportFault(placeOf(order.url), progress, timeoutMs, cause);
  }
}

/**
 * The bare client of the platform and not `fetch`: it tells the moment from which a request may have left. Its standard
 * agent keeps connections alive and lets idle ones go before a server is likely to.
 */
function respond(order: HttpOrder, signal: AbortSignal, progress: Progress): Promise<IncomingMessage> {
  const { method, url, headers, body } = order;
  const isEncrypted = url.protocol === 'https:';
  return new Promise((resolve, reject) => {
    const bytes = body === null ? null : Buffer.byteLength(body);
    const length = bytes === null ? {} : { 'content-length': String(bytes) };
    const start = isEncrypted ? httpsRequest : httpRequest;
    const request = start(url, { method, headers: { ...headers, ...length }, signal });
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

async function readBounded(order: HttpOrder, response: IncomingMessage, status: number): Promise<Uint8Array> {
  const { url, maxAnswerBytes } = order;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > maxAnswerBytes) {
      const sentence = `${placeOf(url)} answered HTTP ${status} with more than ${maxAnswerBytes} bytes`;
      throw new AuthorityFault(sentence, verdictOfStatus(status));
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
