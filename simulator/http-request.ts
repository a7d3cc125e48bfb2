import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

export type HttpRequest = {
  readonly method: string;
  /** Without the query string. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
};

const MAX_BODY_BYTES = 16 * 1_048_576;

/** The whole request; null when the client disconnects early or its body is over the limit. */
export async function readHttpRequest(request: IncomingMessage): Promise<HttpRequest | null> {
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

/** A header's value, trimmed; empty when the header is missing. */
export function headerOf({ headers }: HttpRequest, name: string): string {
  const value = headers[name.toLowerCase()];
  return typeof value === 'string' ? value.trim() : '';
}

/** By the content type alone: any other is refused before the body is read as JSON. */
export function isJson(request: HttpRequest): boolean {
  return /^application\/json\s*(?:;|$)/iu.test(headerOf(request, 'content-type'));
}
