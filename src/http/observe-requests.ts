import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { originFacts } from '../domain/audit/call-origin.ts';
import type { Api } from './api.ts';
import type { CallsUnderWay } from './connections/calls-under-way.ts';
import { isClosing } from './connections/close-after-answer.ts';
import type { ConnectionTurns } from './connections/connection-turns.ts';
import { isCall } from './mount-interfaces.ts';
import { auditCall } from './requests/audit-call.ts';
import type { BodiesUnderWay } from './requests/bodies-under-way.ts';
import type { createCallerAddress } from './requests/caller-address.ts';
import { refuseMalformed } from './requests/refuse-malformed.ts';
import { answeredTenant, docUidInPath, durationMs, newRequestContext, pathOf } from './requests/request-context.ts';

type Needs = {
  readonly api: Api;
  readonly log: Logger;
  readonly bodiesUnderWay: BodiesUnderWay;
  readonly callsUnderWay: CallsUnderWay;
  readonly observe: (request: FastifyRequest, status: number, durationMs: number) => void;
  readonly turns: ConnectionTurns;
  readonly callerAddress: ReturnType<typeof createCallerAddress>;
};

/** Lets each request begin in its turn, and puts on record what becomes of it: in metrics, log and audit trail. */
export function observeRequests(app: FastifyInstance, needs: Needs): void {
  const { api, log, observe, bodiesUnderWay, callsUnderWay, turns, callerAddress } = needs;
  const audit = { recordCall: api.recordCall, onOver: callsUnderWay.onOver };
  app.decorateRequest('caller', null);
  app.decorateRequest('context');
  app.addHook('onRequest', async (request, reply) => {
    const { socket } = request.raw;
    if (isClosing(socket)) return void reply.hijack();
    bodiesUnderWay.expect(request.raw);
    const turn = turns.turnOf(socket, reply.raw);
    if (turn !== null) await turn;
    request.context = newRequestContext(api, callerAddress(request.raw), request);
    const { requestId, traceparent } = request.context.origin;
    reply.header('x-request-id', requestId);
    if (traceparent !== null) reply.header('traceparent', traceparent);
    callsUnderWay.begin(reply.raw);
    callsUnderWay.onOver(reply.raw, () => {
      observe(request, reply.statusCode, durationMs(request.context));
      log.info(logLine(request, reply.statusCode), 'request');
    });
    // Before anything can be refused: every call has an entry.
    if (isCall(request.server.prefix)) auditCall(request, reply, audit);
    const mayBegin = api.pacing();
    if (mayBegin !== null) await mayBegin;
    request.context.waitedMs = durationMs(request.context);
    refuseMalformed(request);
    // The content type of a request is ignored: a malformed one must not make Fastify refuse the body before we read it.
    request.headers['content-type'] = 'application/octet-stream';
  });
}

/** What the log says of a request. */
function logLine(request: FastifyRequest, status: number) {
  const { context } = request;
  return {
    ...originFacts(context.origin),
    method: request.method,
    path: pathOf(request),
    status,
    code: context.code,
    durationMs: durationMs(context),
    tenant: answeredTenant(context),
    keyId: context.identity?.key.keyId ?? null,
    docUid: context.docUid ?? docUidInPath(request),
  };
}
