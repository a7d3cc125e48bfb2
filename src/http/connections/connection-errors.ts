import type { Server } from 'node:http';
import { Socket } from 'node:net';
import type { Problem } from '../../application/errors/problem.ts';
import type { PlainSentence } from '../../domain/messages/detail.ts';
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
  if (broken.has(socket)) return;
  broken.add(socket);
  if (needs.bodiesUnderWay.refuse(socket, bodyProblem(error.code))) return;
  // Requests that arrived whole have their answers first: this one would be taken for the answer to the first of them.
  needs.turns.afterAnswers(socket, () => {
    if (socket.writable) answerOnSocket(socket, clientProblem(error.code), needs);
  });
}

/** Where the head has arrived, the parser names with the codes of headers what is wrong with a chunk. */
function bodyProblem(code: string | undefined): Problem {
  return CHUNK_CODES.has(code ?? '') ? httpProblem(400, CHUNK_UNREADABLE) : clientProblem(code);
}

function clientProblem(code: string | undefined): Problem {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return httpProblem(431, 'The request line and headers together are larger than the service accepts.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return httpProblem(408, 'The request was not complete in time.');
    default:
      return httpProblem(400, DETAILS[code ?? ''] ?? 'The request is not valid HTTP.');
  }
}

const HEADER_UNREADABLE =
  'A header of the request cannot be read. It has a name, a colon right behind it and a value, and no line breaks or other control characters.';
const LENGTH_UNCLEAR =
  'The length of the request body cannot be read. It is told by one Content-Length or by Transfer-Encoding: chunked, and not by both.';
const CHUNK_UNREADABLE =
  'A chunk of the request body cannot be read. It begins with its length in bytes, in hexadecimal digits on a line of its own, and a line break of CR LF ends that line and the chunk.';
const VERSION_UNREADABLE =
  'The first line of the request does not end with HTTP/1.1 or HTTP/1.0 and a line break of CR LF. HTTP/2 is not understood here.';
const URL_NOT_ENCODED =
  'The address of the request cannot be read. Blanks and letters beyond ASCII must be percent-encoded in it, for example %20 for a blank and %D0%9C for a Cyrillic M.';

const CHUNK_CODES: ReadonlySet<string> = new Set([
  'HPE_INVALID_CHUNK_SIZE',
  'HPE_CHUNK_EXTENSIONS_OVERFLOW',
  'HPE_STRICT',
  'HPE_CR_EXPECTED',
  'HPE_LF_EXPECTED',
]);

/** What a client can correct, by the code of Node's parser. */
const DETAILS: Readonly<Record<string, PlainSentence>> = {
  HPE_INVALID_URL: URL_NOT_ENCODED,
  // Behind a blank in the address it looks for the version.
  HPE_INVALID_CONSTANT: URL_NOT_ENCODED,
  HPE_INVALID_VERSION: VERSION_UNREADABLE,
  HPE_PAUSED_H2_UPGRADE: VERSION_UNREADABLE,
  // The rest of a body that is longer than its Content-Length is read as the next request.
  HPE_INVALID_METHOD:
    'The request does not begin with a known method, such as GET or POST, in capital letters. If another request came before it, the Content-Length of that one may be smaller than its body.',
  HPE_INVALID_HEADER_TOKEN: HEADER_UNREADABLE,
  HPE_UNEXPECTED_SPACE: HEADER_UNREADABLE,
  HPE_CR_EXPECTED: HEADER_UNREADABLE,
  HPE_LF_EXPECTED: HEADER_UNREADABLE,
  HPE_INVALID_CONTENT_LENGTH: LENGTH_UNCLEAR,
  HPE_UNEXPECTED_CONTENT_LENGTH: LENGTH_UNCLEAR,
  HPE_INVALID_TRANSFER_ENCODING: LENGTH_UNCLEAR,
  HPE_INVALID_EOF_STATE: 'The request ended before it was complete.',
};
