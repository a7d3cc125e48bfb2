import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Timers } from '../../application/ports/platform.ts';
import { freePiece } from './free-piece.ts';
import { onClose } from './on-close.ts';

/**
 * A connection that is closed while its client still sends is reset, and the client may lose an answer that it has not read yet. So
 * the client may go on for a while, and what it sends is dropped: until it is silent, or until it has had time for any upload.
 */
const SILENCE_MS = 2_000;
const WHOLE_MS = 15_000;

const closing = new WeakSet<Socket>();

/** Whether the last answer on the connection was given: what still arrives is part of a refused request and is not served. */
export function isClosing(socket: Socket): boolean {
  return closing.has(socket);
}

/** Closes a connection whose last answer was written: soon, whatever the client does. */
export function closeAfterAnswer(socket: Socket, timers: Timers): void {
  if (closing.has(socket)) return;
  closing.add(socket);
  const since = timers.elapsedMs();
  let seen = socket.bytesRead;
  const timer = timers.every(SILENCE_MS, () => {
    if (socket.bytesRead === seen || timers.elapsedMs() - since > WHOLE_MS) socket.destroy();
    seen = socket.bytesRead;
  });
  onClose(socket, timer.cancel);
  socket.end();
}

/** For an answer that is given before the whole request has arrived. It must say `Connection: close`. */
export function closeAfterEarlyAnswer(request: IncomingMessage, response: ServerResponse, timers: Timers): void {
  const { socket } = request;
  // Node would close at once when such an answer has been written.
  socket.destroySoon = () => closeAfterAnswer(socket, timers);
  // Before the answer is written: of what nobody has begun to read by then, Node drops the pieces itself, for the garbage collector.
  request.on('data', freePiece);
  response.once('finish', () => closeAfterAnswer(socket, timers));
}
