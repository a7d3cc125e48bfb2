import { createAddressList } from '../adapters/credentials/address-list.ts';
import type { DamageAlarm } from '../adapters/platform/damage-alarm.ts';
import type { Metrics } from '../adapters/platform/metrics.ts';
import { isDamage, StoredDamage } from '../application/errors/damage.ts';
import type { Tracer } from '../application/ports/telemetry/tracer.ts';
import type { Config } from '../config.ts';
import { randomUuid } from '../domain/values/random-values.ts';
import { DEMO_URL } from '../http/answers/demonstrations.ts';
import { unavailableProblem } from '../http/answers/problem-response.ts';
import { createCallsUnderWay } from '../http/connections/calls-under-way.ts';
import { localUrl, surviveUnaccepted } from '../http/connections/listening.ts';
import { trackConnections } from '../http/connections/track-connections.ts';
import { createBodiesUnderWay } from '../http/requests/bodies-under-way.ts';
import { createServer, type ServerNeeds } from '../http/server.ts';
import { type ApiNeeds, createApi } from './api.ts';
import type { Foundation } from './foundation.ts';
import type { OutageLog } from './states/outage-log.ts';

/** How long a stop waits for the rest of requests that have arrived in part. */
const HALF_SENT_MS = 3_000;
/** How many connections may wait to be accepted unless one says otherwise. */
const NODE_BACKLOG = 511;

type Needs = ApiNeeds & {
  readonly outages: Pick<OutageLog, 'databaseFailed'>;
  readonly foundation: Foundation;
  readonly metrics: Metrics;
  readonly onDamage: DamageAlarm;
  readonly tracer: Tracer;
};

export type ApiServer = {
  readonly url: string;
  /** Requests that are being received or answered. */
  readonly requests: () => number;
  readonly stop: () => Promise<void>;
};

/** Starts the HTTP server for clients. */
export async function startHttp({ foundation, ...needs }: Needs): Promise<ApiServer> {
  const { config, timers, random } = foundation;
  const { log } = needs;
  const links = createLinks(config);
  const addresses = createAddressList();
  const bodiesUnderWay = createBodiesUnderWay();
  const callsUnderWay = createCallsUnderWay();
  let isStopping = false;
  const api = createApi(foundation, needs);
  const app = await createServer({
    isStopping: () => isStopping,
    api,
    isDemo: config.environment === 'demo',
    bodiesUnderWay,
    callsUnderWay,
    connections: config.connections,
    log,
    links,
    isTrustedProxy: (address) => addresses.includes(config.trustedProxies, address),
    newId: () => randomUuid(random),
    onUnavailable: needs.outages.databaseFailed,
    onUnexpected(error, facts) {
      if (isDamage(error)) needs.onDamage(error);
      // With the event's identifier each time, by which the caller reports it.
      if (error instanceof StoredDamage) log.error({ ...facts, place: error.place }, 'a damaged file was asked for');
      else log.error({ ...facts, err: error }, 'unexpected error');
    },
    tracer: needs.tracer,
    observe: observeRequest(needs.metrics),
  });
  const connections = trackConnections(app.server, timers);
  surviveUnaccepted(app.server, (error) => log.warn({ err: error }, 'a connection could not be accepted'));
  try {
    // Beyond it the kernel drops connections that come at once, and their clients try again only after seconds.
    const backlog = Math.max(NODE_BACKLOG, config.connections.maxConnections);
    // For this name Fastify would open a second server for IPv6, without the limits that the first one has.
    const host = config.host === 'localhost' ? '127.0.0.1' : config.host;
    await app.listen({ host, port: config.port, backlog });
  } catch (error) {
    await app.close();
    throw error;
  }
  links.listening(localUrl(app.server, config.host));
  return {
    url: links.publicUrl(),
    requests: connections.requests,
    async stop() {
      isStopping = true;
      api.endWaits();
      // Clients may have sent requests on connections that the kernel has not handed over yet; closing now would reset them.
      await connections.allAccepted();
      const closed = app.close();
      connections.closeUnused();
      const hurry = timers.every(HALF_SENT_MS, () => {
        bodiesUnderWay.refuseAll(unavailableProblem('The service is stopping. Nothing was stored.'));
        connections.closeUnused();
        connections.closeStalled();
      });
      await closed;
      hurry.cancel();
      // Also what is still carried out for clients that have left: it is on record before the trail is closed.
      await callsUnderWay.allAnswered();
      await api.writeKeyUses();
    },
  };
}

/** The service's own URLs. Unless configured they follow from where the server listens, which is known only then. */
function createLinks(config: Config) {
  let listeningOn = '';
  const publicUrl = () => config.publicUrl ?? listeningOn;
  return {
    publicUrl,
    demoUrl: () => (config.environment === 'demo' ? publicUrl() : DEMO_URL),
    errorsUrl: () => config.errorsUrl ?? `${publicUrl()}/errors`,
    listening(url: string): void {
      listeningOn = url;
    },
  };
}

function observeRequest(metrics: Metrics): ServerNeeds['observe'] {
  return (request, status, durationMs) =>
    metrics.requestServed(request.routeOptions.url ?? 'unknown', request.method, status, durationMs);
}
