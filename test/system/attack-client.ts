import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { requestHead } from '../support/http-client.ts';
import { as } from '../support/service.ts';

export const MIB = 1_048_576;
const ROOT = '/api/integration/v1';

/** A client that never closes its connection of its own accord, whatever the service answers. */
export type Attacker = {
  readonly socket: Socket;
  /** Resolves when the bytes have left this process, or the connection has gone. */
  readonly send: (bytes: string | Uint8Array) => Promise<void>;
  readonly received: () => string;
  /** The service has said that nothing more will come. */
  readonly hasEnded: () => boolean;
};

export async function attackerOn(
  t: TestContext,
  { url }: { readonly url: string },
  { reads = true, from = '127.0.0.1' } = {},
): Promise<Attacker> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), localAddress: from, allowHalfOpen: true });
  t.after(() => socket.destroy());
  await once(socket, 'connect');
  let received = '';
  let ended = false;
  socket.on('error', () => {
    ended = true;
  });
  if (reads) socket.setEncoding('latin1').on('data', (text) => (received += text));
  socket.on('end', () => {
    ended = true;
  });
  return {
    socket,
    send: (bytes) =>
      new Promise((resolve) => {
        if (socket.destroyed) resolve();
        else socket.write(bytes, () => resolve());
      }),
    received: () => received,
    hasEnded: () => ended,
  };
}

export function attackersOn(
  t: TestContext,
  service: { readonly url: string },
  count: number,
  options: { readonly from?: string; readonly reads?: boolean } = {},
): Promise<Attacker[]> {
  return Promise.all(Array.from({ length: count }, () => attackerOn(t, service, options)));
}

/** The head of a submission that declares a body of this size. */
export function submissionHead(key: string, bytes: number, more: Readonly<Record<string, string>> = {}): string {
  const headers = { ...as(key), 'X-Idempotency-Key': 'attack', 'Content-Length': String(bytes), ...more };
  return requestHead('POST', `${ROOT}/outbound`, headers);
}

export function head(method: string, path: string, headers: Readonly<Record<string, string>>): string {
  return requestHead(method, `${ROOT}${path}`, headers);
}

const DESCRIPTORS = existsSync('/proc/self/fd') ? '/proc/self/fd' : '/dev/fd';

/** Open files and sockets of this process, in which both the service and its attackers run. */
export function openDescriptors(): number {
  return readdirSync(DESCRIPTORS).length;
}
