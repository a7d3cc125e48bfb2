import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { createCodeListSource } from '../../../../src/adapters/ujp/code-lists/code-list-source.ts';
import type { CodeListSource } from '../../../../src/application/ports/code-list-source.ts';
import type { CodeListEntry } from '../../../../src/domain/values/code-list.ts';
import { ALFA_TENANT, type ClientOptions, clientAt, type TestClient } from '../services/client.ts';

/** An HTTP server that misbehaves in ways the simulator never does. Closed when the test ends. */
export async function cannedAuthority(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export type CannedAnswer = { readonly status?: number; readonly contentType?: string; readonly body: string | Buffer };

/** A client of such a server, which answers the server time correctly and everything else by the listener. */
export async function clientOfCanned(
  t: TestContext,
  listener: RequestListener,
  options: Partial<ClientOptions> = {},
): Promise<TestClient> {
  const url = await cannedAuthority(t, (request, response) => {
    if (request.url?.endsWith('/server-time')) response.end('{"timestamp":"2026-11-15T10:00:00"}');
    else listener(request, response);
  });
  return clientAt(url, options);
}

export function answering({ status = 200, contentType = 'application/json', body }: CannedAnswer): RequestListener {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': contentType });
    response.end(body);
  };
}

/** The code lists as our client reads them from that URL. */
export function codeListsAt(url: string, options: Partial<ClientOptions> = {}): CodeListSource {
  return createCodeListSource(clientAt(url, options).client);
}

/** The payment types that our client reads from a canned answer. */
export async function readCanned(t: TestContext, canned: CannedAnswer): Promise<readonly CodeListEntry[]> {
  return codeListsAt(await cannedAuthority(t, answering(canned))).read(ALFA_TENANT, 'payment-types');
}
