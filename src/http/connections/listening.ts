import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export async function listen(server: Server, host: string, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve());
  });
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

/** Where this machine reaches a server that listens at the host. */
export function localUrl(server: Server, host: string): string {
  const everywhere = host === '0.0.0.0' || host === '::';
  const name = host.includes(':') ? `[${host}]` : host;
  return `http://${everywhere ? '127.0.0.1' : name}:${portOf(server)}`;
}
