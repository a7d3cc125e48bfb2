import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Timers } from '../../application/ports/platform.ts';
import { onClose } from './on-close.ts';

export type Connections = {
  /** Requests that are being received or answered. */
  readonly requests: () => number;
  /** Resolves when the connections that waited to be accepted, and the requests on them, have been accepted. */
  readonly allAccepted: () => Promise<void>;
  /** Closes connections without a request: unused, idle, and those on which only a part of a request's head has arrived. */
  readonly closeUnused: () => void;
  /** Closes connections on which a request has not arrived whole. */
  readonly closeHalfSent: () => void;
  /** Closes connections whose client does not read the answer that is being sent. */
  readonly closeStalled: () => void;
};

/** The length of Node's listen queue; one turn of the event loop accepts at least one connection. */
const MAX_WAITING = 511;
/** One turn accepts a connection, one reads its request, and one shows that nothing more arrives. */
const QUIET_TURNS = 3;
const STALLED_MS = 1_000;

/** What a stop must know of the connections of a server; Node itself counts one as busy on which no whole head has arrived. */
export function trackConnections(server: Server, timers: Timers): Connections {
  const answersOn = new Map<Socket, Set<ServerResponse>>();
  let arrivals = 0;
  let requests = 0;
  server.on('connection', (socket: Socket) => {
    arrivals += 1;
    answersOn.set(socket, new Set());
    onClose(socket, () => answersOn.delete(socket));
  });
  server.on('request', (request, response) => {
    const answers = answersOn.get(request.socket);
    arrivals += 1;
    requests += 1;
    answers?.add(response);
    onClose(response, () => {
      requests -= 1;
      answers?.delete(response);
    });
  });
  return {
    requests: () => requests,
    async allAccepted() {
      let known = arrivals;
      for (let turns = 0, quiet = 0; quiet < QUIET_TURNS && turns < MAX_WAITING + QUIET_TURNS; turns += 1) {
        await timers.nextTurn();
        quiet = arrivals === known ? quiet + 1 : 0;
        known = arrivals;
      }
    },
    closeUnused() {
      for (const [socket, answers] of answersOn) if (answers.size === 0) socket.destroy();
    },
    closeHalfSent() {
      for (const [socket, answers] of answersOn) if ([...answers].some(({ req }) => !req.complete)) socket.destroy();
    },
    closeStalled() {
      for (const [socket, answers] of answersOn) {
        if ([...answers].some(({ headersSent }) => headersSent)) socket.setTimeout(STALLED_MS);
      }
    },
  };
}
