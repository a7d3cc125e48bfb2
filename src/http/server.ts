import type { Socket } from 'node:net';
import { type FastifyInstance, type FastifyRequest, type FastifyServerOptions, fastify } from 'fastify';
import type { Logger } from 'pino';
import { Problem } from '../application/errors/problem.ts';
import { ServiceUnavailable } from '../application/errors/service-unavailable.ts';
import type { Tracer } from '../application/ports/telemetry/tracer.ts';
import { createAnswerBudget } from './answers/answer-budget.ts';
import { setCacheHeaders } from './answers/cache-headers.ts';
import { DEMO_URL } from './answers/demonstrations.ts';
import { describedJson } from './answers/described-json.ts';
import { createMethodsOfPaths } from './answers/method-not-allowed.ts';
import { type Links, sendProblem, unavailableProblem, unexpectedProblem } from './answers/problem-response.ts';
import type { Api } from './api.ts';
import { limitAnswerTime } from './connections/answer-deadline.ts';
import type { CallsUnderWay } from './connections/calls-under-way.ts';
import { closeAfterEarlyAnswer } from './connections/close-after-answer.ts';
import { answerClientError, refuseConnect } from './connections/connection-errors.ts';
import { limitConnections } from './connections/connection-limits.ts';
import { createConnectionTurns } from './connections/connection-turns.ts';
import { traceRequests } from './connections/trace-requests.ts';
import type { TSchema } from './json-schema.ts';
import { type Descriptions, isCall, mountInterfaces, refuseUnknown } from './mount-interfaces.ts';
import { observeRequests } from './observe-requests.ts';
import type { DescribedServer } from './openapi/describe-interface.ts';
import { linkRoutes } from './pages/document/link-routes.ts';
import { pageRoutes, sendNotFoundPage } from './pages/page-routes.ts';
import { type BodiesUnderWay, createBodiesUnderWay } from './requests/bodies-under-way.ts';
import { createCallerAddress } from './requests/caller-address.ts';
import { decodableUrl } from './requests/decodable-url.ts';
import { answeredTenant, tenantOf } from './requests/request-context.ts';

const MAX_HEADER_BYTES = 16_384;
/** How often Node looks for requests whose time is over. */
const TIMEOUT_CHECK_MS = 500;
const SECOND_MS = 1_000;
/** A client that takes its answers more slowly than this is cut off; a slow mobile connection is faster. */
const LEAST_BYTES_PER_SECOND = 65_536;

/**
 * Requests are read by our own code, for exact error messages. Fastify's own compilers, which its types ask for, are not even
 * loaded: with them every start took a fifth of a second more.
 */
const schemaController = {
  compilersFactory: {
    buildValidator: () => () => () => true,
    buildSerializer:
      (named: Readonly<Record<string, TSchema>>) =>
      ({ schema }: { readonly schema: TSchema }) =>
        describedJson(schema, named),
  },
} as unknown as NonNullable<FastifyServerOptions['schemaController']>;

export type ServerNeeds = {
  readonly api: Api;
  readonly log: Logger;
  readonly links: Links & {
    readonly publicUrl: () => string;
    /** Root of a demo environment: the commands on the error pages work only there. */
    readonly demoUrl: () => string;
  };
  /** Pages show demo keys and the tour. */
  readonly isDemo: boolean;
  readonly bodiesUnderWay: BodiesUnderWay;
  readonly callsUnderWay: CallsUnderWay;
  readonly connections: {
    readonly maxConnections: number;
    readonly maxConnectionsPerAddress: number;
    readonly headersTimeoutSeconds: number;
    readonly requestTimeoutSeconds: number;
    readonly idleTimeoutSeconds: number;
  };
  readonly isTrustedProxy: (address: string) => boolean;
  readonly newId: () => string;
  /** An error that the caller is told nothing of but the event's identifier. */
  readonly onUnexpected: (error: unknown, facts: { readonly eventId: string; readonly requestId: string }) => void;
  /** The database could not be used; the caller is told to come again. */
  readonly onUnavailable: (error: ServiceUnavailable) => void;
  readonly isStopping: () => boolean;
  readonly tracer?: Tracer;
  readonly observe: (request: FastifyRequest, status: number, durationMs: number) => void;
};

export async function createServer(needs: ServerNeeds): Promise<FastifyInstance> {
  const { api, links, newId, bodiesUnderWay, log } = needs;
  const { headersTimeoutSeconds, requestTimeoutSeconds, idleTimeoutSeconds } = needs.connections;
  const { clock, timers } = api;
  const turns = createConnectionTurns();
  const callerAddress = createCallerAddress({
    timers,
    isTrustedProxy: needs.isTrustedProxy,
    onUnreadable: (count) => log.warn({ count }, 'a trusted proxy named no address in X-Forwarded-For'),
  });
  const app: FastifyInstance = fastify({
    schemaController,
    genReqId: newId,
    requestTimeout: requestTimeoutSeconds * SECOND_MS,
    keepAliveTimeout: idleTimeoutSeconds * SECOND_MS,
    forceCloseConnections: 'idle',
    // While shutting down, requests that still arrive on open connections are served.
    return503OnClosing: false,
    rewriteUrl: (request) => decodableUrl(request.url ?? '/'),
    routerOptions: { maxParamLength: MAX_HEADER_BYTES, ignoreTrailingSlash: true },
    http: {
      maxHeaderSize: MAX_HEADER_BYTES,
      // Node compares the two when it creates the server, and takes five minutes for the request unless it is given here as well.
      requestTimeout: requestTimeoutSeconds * SECOND_MS,
      headersTimeout: headersTimeoutSeconds * SECOND_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      requireHostHeader: false,
    },
    clientErrorHandler: (error, socket) =>
      answerClientError(error, socket as Socket, { links, clock, timers, newId, bodiesUnderWay, turns }),
  });
  const { server } = app;
  limitConnections(server, {
    ...needs.connections,
    links,
    clock,
    timers,
    newId,
    isTrustedProxy: needs.isTrustedProxy,
    onRefused: (reason, count) => log.warn({ reason, count }, 'connections refused'),
  });
  refuseConnect(server, { links, clock, timers, newId });
  for (const event of ['checkContinue', 'checkExpectation'] as const) {
    server.on(event, (request, response) => server.emit('request', request, response));
  }
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, body, done) => done(null, body));
  if (needs.tracer !== undefined) traceRequests(app, needs.tracer);
  observeRequests(app, { ...needs, turns, callerAddress });
  limitAnswers(app, needs);
  handleErrors(app, needs);
  const methods = createMethodsOfPaths();
  app.setNotFoundHandler(refuseUnknown(methods));
  const descriptions = mountInterfaces(app, api, {
    bodiesUnderWay,
    isDemo: needs.isDemo,
    describedServer: () => ({ url: links.publicUrl(), description: 'The service that serves this description.' }),
  });
  pageRoutes(app, { methods, isDemo: needs.isDemo, demoUrl: links.demoUrl, descriptions });
  linkRoutes(app, { ...api, onOver: needs.callsUnderWay.onOver, methods }, needs.isDemo);
  await app.ready();
  return app;
}

/** For the descriptions in the project's folder: they hold for every service. */
const ANY_SERVER: DescribedServer = {
  url: '{publicUrl}',
  description: 'The service; openapi.json as it is served by one names its URL.',
  variables: {
    publicUrl: {
      default: DEMO_URL,
      description: 'PUBLIC_URL of the service; by default that of the demo environment.',
    },
  },
};

/** The OpenAPI descriptions, made from the calls; needs no use cases and does not listen. */
export async function generateDescriptions(): Promise<Descriptions> {
  const app = fastify({ schemaController });
  const describe = mountInterfaces(app, {} as Api, {
    isDemo: false,
    bodiesUnderWay: createBodiesUnderWay(),
    describedServer: () => ANY_SERVER,
  });
  await app.ready();
  return describe();
}

/** A client that does not read its answer must not keep it in memory. */
function limitAnswers(app: FastifyInstance, { api, isStopping, connections, callsUnderWay }: ServerNeeds): void {
  const budget = createAnswerBudget(api.answerBudgetBytes, api.answerMemory);
  const graceMs = connections.requestTimeoutSeconds * SECOND_MS;
  app.addHook('preHandler', async (request) => {
    if (request.routeOptions.config.sendsFile === true) budget.checkRoom(tenantOf(request));
  });
  app.addHook('onSend', async ({ raw, context }, reply, payload) => {
    const bytes = typeof payload === 'string' || payload instanceof Uint8Array ? Buffer.byteLength(payload) : 0;
    const tenant = answeredTenant(context);
    // What is nobody's is small.
    if (tenant !== null) budget.hold(tenant, reply.raw, bytes);
    setCacheHeaders(reply);
    if (isStopping() || !raw.complete) reply.header('connection', 'close');
    if (!raw.complete) closeAfterEarlyAnswer(raw, reply.raw, api.timers);
    limitAnswerTime(api.timers, reply.raw, bytes, { graceMs, leastBytesPerSecond: LEAST_BYTES_PER_SECOND });
    callsUnderWay.answered(reply.raw);
  });
}

function handleErrors(app: FastifyInstance, { links, newId, isDemo, onUnexpected, onUnavailable }: ServerNeeds): void {
  app.setErrorHandler((error, request, reply) => {
    if (error instanceof Problem) {
      const isPage = error.status === 404 && !isCall(request.server.prefix) && sendNotFoundPage(request, reply, isDemo);
      return isPage ? reply : sendProblem(reply, error, links);
    }
    if (error instanceof ServiceUnavailable) {
      onUnavailable(error);
      return sendProblem(reply, unavailableProblem('The service is busy at this moment. Nothing was changed.'), links);
    }
    const eventId = newId();
    onUnexpected(error, { eventId, requestId: request.context.origin.requestId });
    return sendProblem(reply, unexpectedProblem(error), links, eventId);
  });
}
