import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export async function listen(server: Server, host: string, port: number): Promise<void> {
  const listening = once(server, 'listening');
  server.listen(port, host);
  await listening;
}

/**
 * A connection that the kernel does not hand over, for want of memory or by a rule of a firewall, concerns its client alone, which tries
 * again. Node reports it as an error of the server, and one that nobody listens to ends the process.
 */
export function surviveUnaccepted(server: Server, report: (error: Error) => void): void {
  server.on('error', (error: Error) => {
    if (server.listening) report(error);
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
