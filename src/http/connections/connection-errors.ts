import type { Server } from 'node:http';
import { Socket } from 'node:net';
import type { Problem } from '../../application/errors/problem.ts';
import { httpProblem } from '../answers/problem-response.ts';
import type { BodiesUnderWay } from '../requests/bodies-under-way.ts';
import { answerOnSocket, type SocketAnswerNeeds } from './answer-on-socket.ts';
import { isClosing } from './close-after-answer.ts';
import type { ConnectionTurns } from './connection-turns.ts';

type Needs = SocketAnswerNeeds & { readonly bodiesUnderWay: BodiesUnderWay; readonly turns: ConnectionTurns };

/** Connections whose bytes cannot be understood any more. Node reports that again with everything that arrives on them. */
const broken = new WeakSet<Socket>();

/** Answers CONNECT, which never reaches a route, as a problem too. */
export function refuseConnect(server: Server, needs: SocketAnswerNeeds): void {
  server.on('connect', (_request, socket) => {
    if (!(socket instanceof Socket)) return;
    answerOnSocket(socket, httpProblem(405, 'This service is not a proxy.', { allow: '' }), needs);
    socket.resume();
  });
}

/** Answers bytes that are not a valid HTTP request, and requests that are not complete in time. */
export function answerClientError(error: Error & { readonly code?: string }, socket: Socket, needs: Needs): void {
  // Whatever is sent after the last answer is dropped.
  if (isClosing(socket) && error.code !== 'ECONNRESET') return;
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const problem = clientProblem(error.code);
  if (broken.has(socket)) return;
  broken.add(socket);
  if (needs.bodiesUnderWay.refuse(socket, problem)) return;
  // Requests that arrived whole have their answers first: this one would be taken for the answer to the first of them.
  needs.turns.afterAnswers(socket, () => {
    if (socket.writable) answerOnSocket(socket, problem, needs);
  });
}

function clientProblem(code: string | undefined): Problem {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return httpProblem(431, 'The request line and headers together are larger than the service accepts.');
    case 'HPE_INVALID_URL':
      return httpProblem(
        400,
        'The address of the request cannot be read. Letters beyond ASCII must be percent-encoded in it, for example %D0%9C for a Cyrillic M.',
      );
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return httpProblem(408, 'The request was not complete in time.');
    default:
      return httpProblem(400, 'The request is not valid HTTP.');
  }
}
