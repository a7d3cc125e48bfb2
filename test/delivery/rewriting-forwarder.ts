import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

export type Passing = {
  /** From `/api/v1/` on. */
  readonly path: string;
  readonly request: string;
  readonly status: number;
  readonly contentType: string;
  readonly body: Buffer;
};

/** What to answer instead; nothing leaves the answer as it is. */
export type Rewrite = (answer: Passing) => Partial<Pick<Passing, 'status' | 'contentType' | 'body'>> | undefined;

/** A server in front of the simulator that may change its answers; returns its root. */
export async function startRewriting(t: Pick<TestContext, 'after'>, root: string, rewrite: Rewrite): Promise<string> {
  const server = createServer(async (incoming, outgoing) => {
    const request = await textOf(incoming);
    const { method = 'GET', headers, url = '' } = incoming;
    const { host: _, connection: __, 'content-length': ___, ...kept } = headers;
    const init = { method, headers: kept as Record<string, string>, ...(method === 'POST' ? { body: request } : {}) };
    const answer = await fetch(`${root}${url}`, init);
    const given = {
      path: url.replace(/^.*\/api\/v1\//u, ''),
      request,
      status: answer.status,
      contentType: answer.headers.get('content-type') ?? '',
      body: Buffer.from(await answer.arrayBuffer()),
    };
    const { status, contentType, body } = { ...given, ...rewrite(given) };
    outgoing.writeHead(status, { 'content-type': contentType });
    outgoing.end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
