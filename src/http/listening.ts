import type { Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export type UnusedConnections = { readonly close: () => void };

/** Node counts a connection on which no byte has arrived as busy, so it would delay the shutdown. These can be closed here. */
export function trackUnusedConnections(server: Server): UnusedConnections {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return {
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
