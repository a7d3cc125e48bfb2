import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export async function listen(server: Server, host: string, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve());
  });
}

export function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
