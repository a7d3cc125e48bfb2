import type { ServerResponse } from 'node:http';

export type HttpAnswer = { readonly status: number; readonly contentType: string; readonly body: string };

/** The authority does not declare its charset, although it always writes UTF-8. */
export function jsonAnswer(value: unknown): HttpAnswer {
  return { status: 200, contentType: 'application/json', body: JSON.stringify(value) };
}

/** What a proxy in front of the authority says when nothing behind it answers. */
export const BAD_GATEWAY: HttpAnswer = {
  status: 502,
  contentType: 'text/html',
  body: '<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<center><h1>502 Bad Gateway</h1></center>\r\n</body>\r\n</html>\r\n',
};

/** What the web server says outside the roots of the authority's programs. */
export const NOT_FOUND: HttpAnswer = {
  status: 404,
  contentType: 'text/html',
  body: '<html>\r\n<head><title>404 Not Found</title></head>\r\n<body>\r\n<center><h1>404 Not Found</h1></center>\r\n</body>\r\n</html>\r\n',
};

export function send(response: ServerResponse, answer: HttpAnswer): void {
  response.writeHead(answer.status, {
    'content-type': answer.contentType,
    'content-length': Buffer.byteLength(answer.body),
  });
  response.end(answer.body);
}
