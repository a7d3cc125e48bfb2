import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Metrics } from '../adapters/platform/metrics.ts';
import type { Config } from '../config.ts';
import { DEMO_URL } from '../http/answers/demonstrations.ts';
import { portOf, watchSilentConnections } from '../http/listening.ts';
import { createServer, type ServerNeeds } from '../http/server.ts';
import { type ApiNeeds, createApi } from './api.ts';
import type { Foundation } from './foundation.ts';

/** How long the listener stays open after the service was asked to stop. */
const DRAIN_MS = 250;

type Needs = ApiNeeds & { readonly foundation: Foundation; readonly metrics: Metrics };

export type Interface = { readonly url: string; readonly stop: () => Promise<void> };

/** What clients reach over HTTP, listening. */
export async function startInterface({ foundation, metrics, ...needs }: Needs): Promise<Interface> {
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
  const silent = watchSilentConnections(app.server);
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
      // Connections wait to be accepted with their request already sent: the listener stays open until those are taken.
      await pause(DRAIN_MS);
      const closed = app.close();
      silent.end();
      await closed;
    },
  };
}

/** The service's own addresses. Without configuration they follow from the port it came to listen on. */
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
