import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

export type ReceivedRequest = {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
};

const MAX_BODY_BYTES = 16 * 1_048_576;

/** The whole request; null when its sender went away before the end, or sends more than anybody should. */
export async function receive(request: IncomingMessage): Promise<ReceivedRequest | null> {
  const [path = '', query = ''] = (request.url ?? '').split('?');
  const bytes = await bodyOf(request);
  if (bytes === null) return null;
  const body = bytes.toString('utf8');
  return { method: request.method ?? '', path, query: new URLSearchParams(query), headers: request.headers, body };
}

function bodyOf(request: IncomingMessage): Promise<Buffer | null> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size <= MAX_BODY_BYTES) return;
      resolve(null);
      request.destroy();
    });
    request.once('end', () => resolve(Buffer.concat(chunks)));
    request.once('error', () => resolve(null));
    request.once('close', () => resolve(null));
  });
}

/** A header's value without blanks around it; empty when it is missing. */
export function headerOf({ headers }: ReceivedRequest, name: string): string {
  const value = headers[name.toLowerCase()];
  return typeof value === 'string' ? value.trim() : '';
}

/** Anything but JSON is turned away before it is looked at. */
export function isJson(request: ReceivedRequest): boolean {
  return /^application\/json\s*(?:;|$)/iu.test(headerOf(request, 'content-type'));
}
