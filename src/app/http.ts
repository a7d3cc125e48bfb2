import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Metrics } from '../adapters/platform/metrics.ts';
import type { Config } from '../config.ts';
import { DEMO_URL } from '../http/answers/demonstrations.ts';
import { portOf, trackUnusedConnections } from '../http/listening.ts';
import { createServer, type ServerNeeds } from '../http/server.ts';
import { type ApiNeeds, createApi } from './api.ts';
import type { Foundation } from './foundation.ts';

/** How long new connections are still accepted after the service was asked to stop. */
const ACCEPT_BEFORE_STOP_MS = 250;

type Needs = ApiNeeds & { readonly foundation: Foundation; readonly metrics: Metrics };

export type ApiServer = { readonly url: string; readonly stop: () => Promise<void> };

/** Starts the HTTP server for clients. */
export async function startHttp({ foundation, metrics, ...needs }: Needs): Promise<ApiServer> {
  const { config } = foundation;
  const links = createLinks(config);
  let isStopping = false;
  const app = await createServer({
    isStopping: () => isStopping,
    api: createApi(foundation, needs),
    log: needs.log,
    links,
    trustedProxies: config.trustedProxies,
    newId: randomUUID,
    observe: observeRequest(metrics),
  });
  const unusedConnections = trackUnusedConnections(app.server);
  try {
    await app.listen({ host: config.host, port: config.port });
  } catch (error) {
    await app.close();
    throw error;
  }
  links.listening(portOf(app.server));
  return {
    url: links.publicUrl(),
    async stop() {
      isStopping = true;
      // Clients may have sent requests on connections that the kernel has not handed over yet; closing now would reset them. On
      // a busy machine the pause can be over before any of them was accepted.
      await pause(ACCEPT_BEFORE_STOP_MS);
      await unusedConnections.allAccepted();
      const closed = app.close();
      unusedConnections.close();
      await closed;
    },
  };
}

/** The service's own URLs. Unless configured they follow from the port, which is known only once the server listens. */
function createLinks(config: Config) {
  let listeningOn = '';
  const publicUrl = () => config.publicUrl ?? listeningOn;
  return {
    publicUrl,
    demoUrl: () => (config.environment === 'demo' ? publicUrl() : DEMO_URL),
    errorsUrl: () => config.errorsUrl ?? `${publicUrl()}/errors`,
    listening(port: number): void {
      listeningOn = `http://127.0.0.1:${port}`;
    },
  };
}

function observeRequest(metrics: Metrics): ServerNeeds['observe'] {
  return (request, status, durationMs) =>
    metrics.requestServed(request.routeOptions.url ?? 'unknown', request.method, status, durationMs);
}
