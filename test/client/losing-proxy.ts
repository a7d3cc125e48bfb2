import { once } from 'node:events';
import { createServer, type IncomingMessage, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/**
 * What becomes of a call: passed on and answered, lost before it reaches the service, carried out with its answer lost as a whole, or
 * with its answer cut in the body.
 */
export type Fate = 'answered' | 'lost-before' | 'lost-after' | 'cut';

export type SeenRequest = { readonly method: string; readonly url: string };

export type LosingProxy = {
  readonly url: string;
  /** How many calls had each fate. */
  readonly counts: Readonly<Record<Fate, number>>;
  /** Asked twice about a call: when it comes, and once its answer is there. */
  decide: (request: SeenRequest, when: 'before' | 'after') => Fate | Promise<Fate>;
  readonly close: () => void;
};

/** Stands between a client and the service, and loses what it is told to lose. */
export async function startLosingProxy(target: string): Promise<LosingProxy> {
  const counts = { answered: 0, 'lost-before': 0, 'lost-after': 0, cut: 0 };
  const proxy = { decide: (() => 'answered') as LosingProxy['decide'] };
  const server = createServer(async (incoming, outgoing) => {
    const { method = 'GET', url = '/', headers } = incoming;
    const end = (fate: Fate) => {
      counts[fate] += 1;
      incoming.socket.destroy();
    };
    const body = await buffer(incoming);
    const before = await proxy.decide({ method, url }, 'before');
    if (before === 'lost-before') return end(before);
    const { answer, bytes } = await passOn(`${target}${url}`, { method, headers }, body);
    const after = before === 'answered' ? await proxy.decide({ method, url }, 'after') : before;
    if (after === 'lost-before' || after === 'lost-after') return end('lost-after');
    outgoing.writeHead(answer.statusCode ?? 0, answer.headers);
    if (after === 'cut') return void outgoing.write(bytes.subarray(0, bytes.length >> 1), () => end('cut'));
    counts.answered += 1;
    outgoing.end(bytes);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return Object.assign(proxy, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  });
}

async function passOn(url: string, { method, headers }: Pick<IncomingMessage, 'method' | 'headers'>, body: Buffer) {
  const { connection: _, ...passedOn } = headers;
  const request = send(url, { method: method ?? 'GET', headers: passedOn });
  request.end(body);
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  return { answer, bytes: await buffer(answer) };
}
