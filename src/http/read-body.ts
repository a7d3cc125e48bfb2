import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Problem } from '../application/problem.ts';
import type { BodyBudget } from './body-budget.ts';
import { httpProblem } from './problem-response.ts';

/** How large a body may be, and what its sender is told otherwise. */
export type BodyLimit = { readonly maxBytes: number; readonly exceeded: (maxBytes: number) => Problem };

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
    const bytes = await collect(request, limit, declared === null ? share.grow : null);
    return { bytes, release: share.release };
  } catch (error) {
    share.release();
    // The rest is let through unread: a client that uploads to the end before it listens must not wait for ever.
    request.resume();
    throw error;
  }
}

async function collect(
  request: IncomingMessage,
  limit: BodyLimit,
  grow: ((bytes: number) => void) | null,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    // The connection must outlive a refusal: its answer still has to reach the client.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > limit.maxBytes) throw limit.exceeded(limit.maxBytes);
      grow?.(chunk.length);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ECONNRESET') {
      throw httpProblem(400, 'The request body ended before it was complete.');
    }
    throw error;
  }
  return joined(chunks, length);
}

/** A buffer that nothing else shares, so that it can be handed to another thread without copying. */
function joined(chunks: readonly Buffer[], length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}

function declaredLength(request: IncomingMessage): number | null {
  const header = request.headers['content-length'];
  return header === undefined ? null : Number(header);
}
