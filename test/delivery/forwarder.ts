import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

/** A server that tells the path of every request as it arrives and hands the request on; returns its root. */
export async function startForwarder(t: TestContext, root: string, seen: (path: string) => void): Promise<string> {
  const target = new URL(root);
  const server = createServer((incoming, answer) => {
    seen(incoming.url ?? '');
    const { method = 'GET', headers } = incoming;
    const outgoing = request({ host: target.hostname, port: target.port, path: incoming.url, method, headers });
    outgoing.on('response', (response) => {
      answer.writeHead(response.statusCode ?? 0, response.headers);
      response.pipe(answer);
    });
    incoming.pipe(outgoing);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}${target.pathname.replace(/\/$/u, '')}`;
}
