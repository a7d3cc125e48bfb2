import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { test } from 'node:test';
import { listen, localUrl, surviveUnaccepted } from '../../../src/http/connections/listening.ts';

const HOST = '127.0.0.1';
const EPERM = -1;

/** As libuv tells Node that a connection was not handed over. */
function refuseOne(server: Server): void {
  const { _handle: handle } = server as unknown as {
    readonly _handle: { readonly onconnection: (code: number) => void };
  };
  handle.onconnection(EPERM);
}

test('connections that the kernel does not hand over are reported, and the next ones are served', async (t) => {
  const reported: string[] = [];
  const server = createServer((_request, response) => response.end('served'));
  surviveUnaccepted(server, (error) => reported.push((error as NodeJS.ErrnoException).code ?? ''));
  await listen(server, HOST, 0);
  t.after(() => server.close());
  refuseOne(server);
  refuseOne(server);
  assert.deepEqual(reported, ['EPERM', 'EPERM']);
  assert.equal(await (await fetch(localUrl(server, HOST))).text(), 'served');

  const second = createServer();
  surviveUnaccepted(second, (error) => reported.push(String(error)));
  const { port } = new URL(localUrl(server, HOST));
  await assert.rejects(listen(second, HOST, Number(port)), { code: 'EADDRINUSE' });
  assert.equal(reported.length, 2);
});
