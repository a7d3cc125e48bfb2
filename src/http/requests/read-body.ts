import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Problem } from '../../application/errors/problem.ts';
import { httpProblem } from '../answers/problem-response.ts';
import type { BodyBudget } from './body-budget.ts';

/** The largest allowed body, and the problem for larger ones. */
export type BodyLimit = { readonly maxBytes: number; readonly exceeded: (maxBytes: number) => Problem };

/**
 * After this many bytes of a body, reading pauses so that other requests are served. Without pauses Node reads a large upload
 * over a fast network two megabytes at a time and blocks this thread until its end. With them a body arrives at up to about
 * 60 MB a second, which is more than most clients can send.
 */
const BYTES_BETWEEN_PAUSES = 65_536;
const PAUSE_MS = 1;

/**
 * Reads a request body into one buffer. A body that is too large is refused as early as possible: by its declared length
 * before it is read, otherwise while it arrives. The caller releases the budget when it no longer needs the bytes.
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
    // A client that sent `Expect: 100-continue` uploads only now, after everything that can be refused early was checked.
    if (request.headers.expect !== undefined) response.writeContinue();
    const bytes = await collect(request, limit, declared, share.grow);
    return { bytes, release: share.release };
  } catch (error) {
    share.release();
    // The rest is read and dropped: many clients read the answer only after they have sent the whole body.
    request.resume();
    throw error;
  }
}

/** With a declared length the bytes are written straight into the final buffer; otherwise chunks are joined at the end. */
async function collect(
  request: IncomingMessage,
  limit: BodyLimit,
  declared: number | null,
  grow: (bytes: number) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  const whole = declared === null ? null : unpooledBuffer(declared);
  const chunks: Buffer[] = [];
  let length = 0;
  let pauseAt = BYTES_BETWEEN_PAUSES;
  for await (const chunk of chunksOf(request)) {
    if (whole !== null) {
      whole.set(chunk, length);
    } else {
      if (length + chunk.length > limit.maxBytes) throw limit.exceeded(limit.maxBytes);
      grow(chunk.length);
      chunks.push(chunk);
    }
    length += chunk.length;
    if (length >= pauseAt) {
      await pause(PAUSE_MS);
      pauseAt = length + BYTES_BETWEEN_PAUSES;
    }
  }
  return whole ?? joined(chunks, length);
}

async function* chunksOf(request: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    // When the body is refused the connection stays open: the error answer still has to be sent on it.
    yield* request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ECONNRESET') {
      throw httpProblem(400, 'The request body ended before it was complete.');
    }
    throw error;
  }
}

function joined(chunks: readonly Buffer[], length: number): Uint8Array<ArrayBuffer> {
  const bytes = unpooledBuffer(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}

/** A buffer with its own memory, so that it can be transferred to another thread. Uninitialised: every byte is written. */
function unpooledBuffer(length: number): Uint8Array<ArrayBuffer> {
  const { buffer, byteOffset } = Buffer.allocUnsafeSlow(length);
  return new Uint8Array(buffer as ArrayBuffer, byteOffset, length);
}

function declaredLength(request: IncomingMessage): number | null {
  const header = request.headers['content-length'];
  return header === undefined ? null : Number(header);
}
