import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import swagger from '@fastify/swagger';
import { type FastifyInstance, type FastifyRequest, fastify } from 'fastify';
import type { Logger } from 'pino';
import { Problem } from '../application/errors/problem.ts';
import { ServiceUnavailable } from '../application/errors/service-unavailable.ts';
import { refuseOtherMethods } from './answers/method-not-allowed.ts';
import { httpProblem, type Links, sendProblem, unexpectedProblem } from './answers/problem-response.ts';
import { API_ROOT, type Api, mountApi, nothingHere } from './api.ts';
import { answerClientError, answerConnectionErrors } from './connection-errors.ts';
import { openApiOptions } from './openapi.ts';
import { beginVisit, durationMs, noteFailure, pathOf } from './requests/request-context.ts';
import { errorPageRoutes } from './routes/error-pages.ts';

const MAX_HEADER_BYTES = 16_384;
const HEADERS_TIMEOUT_MS = 15_000;
const REQUEST_TIMEOUT_MS = 60_000;
const UNAVAILABLE_RETRY_SECONDS = 2;

export type ServerNeeds = {
  readonly api: Api;
  readonly log: Logger;
  readonly links: Links & {
    /** Root of a demo environment: the commands on the error pages are for it alone. */
    readonly demoUrl: () => string;
  };
  readonly trustedProxies: readonly string[];
  readonly newId: () => string;
  readonly isStopping: () => boolean;
  readonly observe: (request: FastifyRequest, status: number, durationMs: number) => void;
};

export async function createServer(needs: ServerNeeds): Promise<FastifyInstance> {
  const { api, links } = needs;
  const app: FastifyInstance = fastify({
    trustProxy: needs.trustedProxies.length === 0 ? false : [...needs.trustedProxies],
    genReqId: needs.newId,
    requestTimeout: REQUEST_TIMEOUT_MS,
    forceCloseConnections: 'idle',
    // Requests that still arrive on open connections while shutting down are served, not turned away.
    return503OnClosing: false,
    routerOptions: { maxParamLength: MAX_HEADER_BYTES },
    http: { maxHeaderSize: MAX_HEADER_BYTES, headersTimeout: HEADERS_TIMEOUT_MS, requireHostHeader: false },
    clientErrorHandler: (error, socket) => answerClientError(error, socket as Socket, links),
    frameworkErrors: (_error, _request, reply) => {
      sendProblem(reply, httpProblem(400, 'The address of the request cannot be read.'), links);
    },
  });
  answerConnectionErrors(app.server, links);
  app.server.on('checkContinue', app.routing);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, body, done) => done(null, body));
  observeRequests(app, needs);
  handleErrors(app, needs);
  await app.register(swagger, openApiOptions);
  await app.register(async (scope) => mountApi(scope, api), { prefix: API_ROOT });
  refuseOtherMethods(app, () => errorPageRoutes(app, { demoBase: () => `${links.demoUrl()}${API_ROOT}` }));
  await app.ready();
  return app;
}

/** The interface description, from the routes themselves; nothing is wired and nothing listens. */
export async function describeInterface(): Promise<unknown> {
  const app = fastify();
  await app.register(swagger, openApiOptions);
  await app.register(async (scope) => mountApi(scope, {} as Api), { prefix: API_ROOT });
  await app.ready();
  return app.swagger();
}

function observeRequests(app: FastifyInstance, { api, log, observe, isStopping }: ServerNeeds): void {
  app.decorateRequest('caller', null);
  app.decorateRequest('visit');
  app.addHook('onRequest', async (request, reply) => {
    request.visit = beginVisit(api.clock.now());
    reply.header('x-request-id', request.id);
    reply.raw.once('close', () => {
      observe(request, reply.statusCode, durationMs(request.visit));
      log.info(logLine(request, reply.statusCode), 'request');
    });
    refuseDoubtfulHost(request.raw);
    // The bytes are judged, not the label; an unreadable label must not be refused before them.
    request.headers['content-type'] = 'application/octet-stream';
  });
  app.addHook('onSend', async (_request, reply) => {
    if (isStopping()) reply.header('connection', 'close');
  });
}

function logLine(request: FastifyRequest, status: number) {
  const { visit } = request;
  return {
    requestId: request.id,
    method: request.method,
    path: pathOf(request),
    status,
    code: visit.code,
    durationMs: durationMs(visit),
    tenant: visit.identity?.tenant.edb ?? null,
    keyId: visit.identity?.key.keyId ?? null,
  };
}

/** HTTP asks for exactly one Host; Node's own answer to its absence has no body. */
function refuseDoubtfulHost({ rawHeaders, httpVersion }: IncomingMessage): void {
  const hosts = rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === 'host').length;
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1')) {
    throw httpProblem(400, 'The request must have exactly one Host header.');
  }
}

function handleErrors(app: FastifyInstance, { links, log, newId }: ServerNeeds): void {
  app.setNotFoundHandler(nothingHere);
  app.setErrorHandler((error, request, reply) => {
    noteFailure(request, error);
    if (error instanceof Problem) return sendProblem(reply, error, links);
    if (error instanceof ServiceUnavailable) {
      log.warn({ requestId: request.id, err: error }, 'unavailable');
      return sendProblem(reply, unavailable(), links);
    }
    const eventId = newId();
    log.error({ eventId, requestId: request.id, err: error }, 'unexpected error');
    return sendProblem(reply, unexpectedProblem(), links, eventId);
  });
}

function unavailable(): Problem {
  return httpProblem(503, 'The service is busy at this moment. Nothing was changed.', {
    retryAfterSeconds: UNAVAILABLE_RETRY_SECONDS,
  });
}
