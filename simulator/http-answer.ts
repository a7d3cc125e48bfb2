import type { ServerResponse } from 'node:http';

export type HttpAnswer = {
  readonly status: number;
  /** Null for an answer without a body. */
  readonly contentType: string | null;
  readonly body: string | Uint8Array;
};

/** The authority always writes UTF-8, but does not declare it. */
export function jsonAnswer(value: unknown, status = 200): HttpAnswer {
  return { status, contentType: 'application/json', body: JSON.stringify(value) };
}

export function htmlPage(title: string, content: string, status = 200): HttpAnswer {
  const body = `<!doctype html>\n<html lang="mk">\n<head><meta charset="utf-8"><title>${title}</title></head>\n<body>\n${content}\n</body>\n</html>\n`;
  return { status, contentType: 'text/html; charset=utf-8', body };
}

export function bareAnswer(status: number): HttpAnswer {
  return { status, contentType: null, body: '' };
}

/** The answer of a proxy in front of the authority when the authority does not answer it. */
export const BAD_GATEWAY: HttpAnswer = serverPage(502, 'Bad Gateway');

/** The web server's answer outside the base paths of the authority's APIs. */
export const NOT_FOUND: HttpAnswer = serverPage(404, 'Not Found');

/** The answer to a request for a name that is not this machine's, as on the service's ops port. */
export const MISDIRECTED: HttpAnswer = serverPage(421, 'Misdirected Request');

function serverPage(status: number, reason: string): HttpAnswer {
  const title = `${status} ${reason}`;
  return {
    status,
    contentType: 'text/html',
    body: `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n</body>\r\n</html>\r\n`,
  };
}

export function send(response: ServerResponse, { status, contentType, body }: HttpAnswer): void {
  response.writeHead(status, {
    ...(contentType === null ? {} : { 'content-type': contentType }),
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}
