import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BAD_GATEWAY, type HttpAnswer, NOT_FOUND, send } from './http-answer.ts';
import { createQueryApi, QUERY_API_ROOT } from './query-api.ts';

export type SimulatorOptions = {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Answers every call as a broken gateway does: HTTP 502 and an HTML page. */
  readonly outOfOrder?: boolean;
  readonly now?: () => Date;
};

export type Simulator = {
  /** Root of the query API; its services are at `<url>/api/v1/…`. */
  readonly url: string;
  readonly close: () => Promise<void>;
};

/** The tax authority as a program of its own; knows nothing of the service that calls it. */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  const answer = options.outOfOrder === true ? () => BAD_GATEWAY : createAuthority(options.now ?? (() => new Date()));
  const server = createServer((request, response) => send(response, answer(request)));
  server.listen(options.port, options.host);
  await once(server, 'listening');
  const { address, family, port } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}${QUERY_API_ROOT}`,
    close: async () => {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function createAuthority(now: () => Date): (request: IncomingMessage) => HttpAnswer {
  const queryApi = createQueryApi(now);
  return (request) => {
    const [path = ''] = (request.url ?? '').split('?');
    return path.startsWith(`${QUERY_API_ROOT}/`) ? queryApi(request, path.slice(QUERY_API_ROOT.length)) : NOT_FOUND;
  };
}
