import type { Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export type SilentConnections = { readonly end: () => void };

/** Connections on which nothing ever came count as busy for Node and would hold up the end. */
export function watchSilentConnections(server: Server): SilentConnections {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return {
    end() {
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
