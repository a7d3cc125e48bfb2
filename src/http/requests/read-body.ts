import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Problem } from '../../application/errors/problem.ts';
import { httpProblem } from '../answers/problem-response.ts';
import type { BodyBudget } from './body-budget.ts';

/** How large a body may be, and what its sender is told otherwise. */
export type BodyLimit = { readonly maxBytes: number; readonly exceeded: (maxBytes: number) => Problem };

/**
 * So much of a body is taken in, then everybody else has a turn. Left to itself a large upload from nearby is read two megabytes
 * at a stretch, and keeps this thread and a core for its sender from everybody until its end. A body so comes in at some
 * 60 MB a second at most, which is more than most senders have.
 */
const AT_A_STRETCH_BYTES = 65_536;
const REST_MS = 1;

/**
 * Reads a request body into one buffer of its own, refusing it as soon as it is known to be too large: by its declared
 * length before a byte is read, else while it streams in. The caller releases the budget when it is done with the bytes.
 */
export async function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  limit: BodyLimit,
  budget: BodyBudget,
): Promise<{ readonly bytes: Uint8Array<ArrayBuffer>; readonly release: () => void }> {
  const declared = declaredLength(request);
  if (declared !== null && declared > limit.maxBytes) throw limit.exceeded(limit.maxBytes);
  const share = budget.share();
  try {
    if (declared !== null) share.grow(declared);
    // A client that asked first uploads only now that nothing is left to refuse it for.
    if (request.headers.expect !== undefined) response.writeContinue();
    const bytes = await collect(request, limit, declared, share.grow);
    return { bytes, release: share.release };
  } catch (error) {
    share.release();
    // The rest is let through unread: a client that uploads to the end before it listens must not wait for ever.
    request.resume();
    throw error;
  }
}

/** Of known length the bytes go straight to their place; else they are joined at the end. */
async function collect(
  request: IncomingMessage,
  limit: BodyLimit,
  declared: number | null,
  grow: (bytes: number) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  const whole = declared === null ? null : ownBuffer(declared);
  const chunks: Buffer[] = [];
  let length = 0;
  let restAt = AT_A_STRETCH_BYTES;
  for await (const chunk of chunksOf(request)) {
    if (whole !== null) {
      whole.set(chunk, length);
    } else {
      if (length + chunk.length > limit.maxBytes) throw limit.exceeded(limit.maxBytes);
      grow(chunk.length);
      chunks.push(chunk);
    }
    length += chunk.length;
    if (length >= restAt) {
      await pause(REST_MS);
      restAt = length + AT_A_STRETCH_BYTES;
    }
  }
  return whole ?? joined(chunks, length);
}

async function* chunksOf(request: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    // The connection must outlive a refusal: its answer still has to reach the client.
    yield* request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ECONNRESET') {
      throw httpProblem(400, 'The request body ended before it was complete.');
    }
    throw error;
  }
}

function joined(chunks: readonly Buffer[], length: number): Uint8Array<ArrayBuffer> {
  const bytes = ownBuffer(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}

/** A buffer that nothing else shares, so that it can be handed to another thread; every byte of it is about to be written. */
function ownBuffer(length: number): Uint8Array<ArrayBuffer> {
  const { buffer, byteOffset } = Buffer.allocUnsafeSlow(length);
  return new Uint8Array(buffer as ArrayBuffer, byteOffset, length);
}

function declaredLength(request: IncomingMessage): number | null {
  const header = request.headers['content-length'];
  return header === undefined ? null : Number(header);
}
