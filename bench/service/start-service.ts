import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { START_ENVIRONMENT, START_FLAGS } from '../../bin/start-flags.js';
import type { Bench } from '../bench.ts';
import type { Child } from '../processes/children.ts';

export type Addresses = { readonly url: string };

/** The service as a process of its own, with the flags of `npm start`, once it is ready. */
export async function startService(
  bench: Bench,
  variables: Readonly<Record<string, string>>,
): Promise<Child<Addresses>> {
  // The service tells the address that its clients use, which is that of a proxy.
  const port = await freePort();
  const child = await bench.children.start('service/service', {
    flags: START_FLAGS,
    variables: { ...START_ENVIRONMENT, ...variables, PORT: String(port) },
  });
  return { ...child, facts: { url: `http://127.0.0.1:${port}` } };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
