import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { onClose } from './on-close.ts';

export type ConnectionTurns = {
  /** Resolves when the answers to all earlier requests of the connection have left. Null when it is the turn of this one already. */
  readonly turnOf: (socket: Socket, response: ServerResponse) => Promise<void> | null;
  /** Calls `last` when the answers to all requests of the connection have left. */
  readonly afterAnswers: (socket: Socket, last: () => void) => void;
};

type Connection = { isBusy: boolean; readonly waiting: (() => void)[] };

/**
 * The requests of a connection are carried out one after another. Answers leave in the order of the requests in any case; begun
 * together, those behind a large one would wait in memory until the client has read it. While requests wait, no more are read
 * from the connection: Node's parser goes through one piece (64 KiB at most) to its end, and nothing follows it.
 */
export function createConnectionTurns(): ConnectionTurns {
  const connections = new WeakMap<Socket, Connection>();

  function connectionOf(socket: Socket): Connection {
    const known = connections.get(socket);
    if (known !== undefined) return known;
    const connection: Connection = { isBusy: false, waiting: [] };
    connections.set(socket, connection);
    return connection;
  }

  function take(socket: Socket, connection: Connection, response: ServerResponse): void {
    connection.isBusy = true;
    onClose(response, () => {
      connection.isBusy = false;
      const { waiting } = connection;
      if (waiting.length === 0) return;
      // Nothing more can be answered there: what still waits was not begun, and is not.
      if (!socket.writable) waiting.length = 0;
      waiting.shift()?.();
      if (waiting.length === 0) socket.resume();
    });
  }

  function wait(socket: Socket, { waiting }: Connection, begin: () => void): void {
    waiting.push(begin);
    if (waiting.length === 1) holdBack(socket, () => waiting.length > 0);
  }

  return {
    turnOf(socket, response) {
      const connection = connectionOf(socket);
      if (!connection.isBusy) {
        take(socket, connection, response);
        return null;
      }
      return new Promise((resolve) => {
        wait(socket, connection, () => {
          // The time that the client had for the answer before does not count for this one.
          socket.setTimeout(0);
          take(socket, connection, response);
          resolve();
        });
      });
    },
    afterAnswers(socket, last) {
      const connection = connectionOf(socket);
      if (connection.isBusy) wait(socket, connection, last);
      else last();
    },
  };
}

/** Node resumes a connection whenever it wants more of a body, and some of these calls take effect only in the next tick. */
function holdBack(socket: Socket, isHeldBack: () => boolean): void {
  socket.resume = () => (isHeldBack() ? socket : Socket.prototype.resume.call(socket));
  process.nextTick(() => {
    if (isHeldBack()) socket.pause();
  });
}
