import type { Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';

export type UnusedConnections = {
  /** Resolves when the connections that waited to be accepted, and the requests on them, have been accepted. */
  readonly allAccepted: () => Promise<void>;
  readonly close: () => void;
};

/** The length of Node's listen queue; one turn of the event loop accepts at least one connection. */
const MAX_WAITING = 511;
/** One turn accepts a connection, one reads its request, and one shows that nothing more arrives. */
const QUIET_TURNS = 3;

/** Node counts a connection on which no byte has arrived as busy, so it would delay the shutdown. These can be closed here. */
export function trackUnusedConnections(server: Server): UnusedConnections {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return {
    async allAccepted() {
      let known = connections;
      for (let turns = 0, quiet = 0; quiet < QUIET_TURNS && turns < MAX_WAITING + QUIET_TURNS; turns += 1) {
        await nextTurn();
        quiet = connections === known ? quiet + 1 : 0;
        known = connections;
      }
    },
    close() {
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    },
  };
}

export async function listen(server: Server, host: string, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve());
  });
}

export function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
