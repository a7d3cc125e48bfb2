import type { Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Problem } from '../application/errors/problem.ts';
import { httpProblem, type Links, PROBLEM_TYPE, problemBody } from './answers/problem-response.ts';

type Needs = { readonly links: Links; readonly newId: () => string };

/** Answers requests that never reach a route as problems too, instead of Node's empty bodies. */
export function answerConnectionErrors(server: Server, needs: Needs): void {
  server.on('connect', (_request, socket) => {
    if (socket instanceof Socket)
      answerOnSocket(socket, httpProblem(405, 'This service is not a proxy.', { allow: '' }), needs);
  });
  server.on('checkExpectation', (_request, response: ServerResponse) => {
    const problem = httpProblem(417, 'The only supported value of the Expect header is 100-continue.');
    response.writeHead(problem.status, headersOf(needs));
    response.end(JSON.stringify(problemBody(problem, needs.links)));
  });
}

/** Answers bytes that are not a valid HTTP request, and requests that are not complete in time. */
export function answerClientError(error: Error & { readonly code?: string }, socket: Socket, needs: Needs): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  answerOnSocket(socket, clientProblem(error.code), needs);
}

function clientProblem(code: string | undefined): Problem {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return httpProblem(431, 'The request line and headers together are larger than the service accepts.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return httpProblem(408, 'The request was not complete in time.');
    default:
      return httpProblem(400, 'The request is not valid HTTP.');
  }
}

/** As on every other answer: an identifier to quote, and nothing for caches. */
function headersOf({ newId }: Needs): Readonly<Record<string, string>> {
  return {
    'content-type': PROBLEM_TYPE,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': newId(),
  };
}

function answerOnSocket(socket: Socket, problem: Problem, needs: Needs): void {
  const body = JSON.stringify(problemBody(problem, needs.links));
  // Without a listener, an error on this socket would end the process; outside a request nothing else listens.
  socket.on('error', () => socket.destroy());
  socket.end(
    [
      `HTTP/1.1 ${problem.status} ${problem.title}`,
      ...Object.entries(headersOf(needs)).map(([name, value]) => `${name}: ${value}`),
      `content-length: ${Buffer.byteLength(body)}`,
      ...(problem.allow === null ? [] : [`allow: ${problem.allow}`]),
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
