import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { createCodeListSource } from '../../../src/adapters/ujp/code-list-source.ts';
import type { CodeListEntry } from '../../../src/domain/code-list.ts';

export const ASKER = { edb: '4030026000018', environment: 'test', eujpId: 'user-1' } as const;

/** A stand-in for an authority that misbehaves in a way the simulator never does. Gone when the test ends. */
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

/** What our client makes of a list of payment types answered so. */
export async function readCanned(t: TestContext, canned: CannedAnswer): Promise<readonly CodeListEntry[]> {
  const url = await cannedAuthority(t, (_request, response) => {
    response.writeHead(canned.status ?? 200, { 'content-type': canned.contentType ?? 'application/json' });
    response.end(canned.body);
  });
  return createCodeListSource({ urls: { test: url, production: null }, timeoutMs: 5_000 }).read(ASKER, 'payment-types');
}
