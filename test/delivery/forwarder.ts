import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

/** What a gateway answers in the authority's place. */
export type Refusal = { readonly status: number; readonly body: unknown };

type Decide = (path: string, edb: string | null) => Promise<Refusal | null>;
/** What is answered instead after a request was handed on and carried out. */
type Afterwards = (path: string) => Refusal | null;

/**
 * A gateway in front of the authority that answers some requests itself and hands all others on; returns its root. What it
 * answers, and when, is decided for each request by its path and its taxpayer.
 */
export async function startGateway(root: string, decide: Decide, afterwards: Afterwards = () => null) {
  const target = new URL(root);
  const server = createServer((incoming, answer) => {
    const edb = incoming.headers['x-edb'];
    void decide(incoming.url ?? '', typeof edb === 'string' ? edb : null).then((refusal) => {
      if (refusal === null) return forward(target, incoming, answer, afterwards(incoming.url ?? ''));
      incoming.resume();
      refuse(answer, refusal);
    });
  });
  return {
    root: await listening(server, target),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** A server that tells the path of every request as it arrives and hands the request on; returns its root. */
export async function startForwarder(t: TestContext, root: string, seen: (path: string) => void): Promise<string> {
  const target = new URL(root);
  const server = createServer((incoming, answer) => {
    seen(incoming.url ?? '');
    forward(target, incoming, answer);
  });
  t.after(() => server.close());
  return listening(server, target);
}

function refuse(answer: ServerResponse, { status, body }: Refusal): void {
  const isText = typeof body === 'string';
  const type = isText ? 'text/html' : 'application/json';
  answer.writeHead(status, { 'content-type': type }).end(isText ? body : JSON.stringify(body));
}

function forward(target: URL, incoming: IncomingMessage, answer: ServerResponse, instead: Refusal | null = null): void {
  const { method = 'GET', headers } = incoming;
  const outgoing = request({ host: target.hostname, port: target.port, path: incoming.url, method, headers });
  outgoing.on('response', (response) => {
    if (instead !== null) {
      response.resume();
      return refuse(answer, instead);
    }
    answer.writeHead(response.statusCode ?? 0, response.headers);
    response.pipe(answer);
  });
  incoming.pipe(outgoing);
}

async function listening(server: Server, target: URL): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}${target.pathname.replace(/\/$/u, '')}`;
}
