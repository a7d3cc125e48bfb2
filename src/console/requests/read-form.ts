import type { IncomingMessage } from 'node:http';

/** Our forms are far smaller. */
const MOST_BYTES = 16_384;
/** What goes on beyond this is no mistake: its connection is closed. */
const MOST_DROPPED_BYTES = 2_097_152;

const FORM_TYPE = /^application\/x-www-form-urlencoded(?:\s*;|$)/iu;

/** The fields of a form; null where the body is none, larger than any of ours, or does not arrive in full. */
export async function readForm(request: IncomingMessage): Promise<URLSearchParams | null> {
  if (!FORM_TYPE.test(request.headers['content-type'] ?? '')) return null;
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      // What is too much is read and dropped: behind the rest of it the next request on the connection would never be read.
      if (bytes <= MOST_BYTES) chunks.push(chunk);
      if (bytes > MOST_DROPPED_BYTES) request.socket.destroy();
    }
  } catch {
    // The browser has closed the connection.
    return null;
  }
  if (bytes > MOST_BYTES) return null;
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
}
