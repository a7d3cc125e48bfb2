import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export type Answer = { readonly status: number; readonly contentType: string; readonly body: Uint8Array | string };

/** The answer as it is to arrive; the path is that below `/api/v1/`. */
export type Change = (path: string, answer: Answer) => Answer;

export type ChangingForwarder = { readonly port: number; readonly close: () => void; change: Change };

/** A server that hands requests on to the simulator, and changes its answers. */
export async function startChangingForwarder(simulatorPort: number): Promise<ChangingForwarder> {
  const forwarder = { change: ((_path, answer) => answer) as Change };
  const server = createServer(async (incoming, outgoing) => {
    const { method = 'GET', url = '/', headers } = incoming;
    const passedOn = Object.entries(headers).filter(
      ([name]) => !['host', 'connection', 'content-length'].includes(name),
    );
    const body = await buffer(incoming);
    const answer = await fetch(`http://127.0.0.1:${simulatorPort}${url}`, {
      method,
      headers: passedOn.map(([name, value]) => [name, String(value)]),
      ...(method === 'GET' ? {} : { body: new Uint8Array(body) }),
    });
    const [, path = ''] = url.split('/api/v1/');
    const contentType = answer.headers.get('content-type') ?? '';
    const given = { status: answer.status, contentType, body: new Uint8Array(await answer.arrayBuffer()) };
    const changed = forwarder.change(path, given);
    outgoing.writeHead(changed.status, { 'content-type': changed.contentType }).end(changed.body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return Object.assign(forwarder, {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  });
}

/** A change of the JSON of one service. */
export function changeJson(service: string, change: (answer: Record<string, unknown>) => unknown): Change {
  return (path, answer) => {
    if (path !== service) return answer;
    const members = JSON.parse(Buffer.from(answer.body as Uint8Array).toString('utf8')) as Record<string, unknown>;
    return { ...answer, body: JSON.stringify(change(members)) };
  };
}
