import type { FastifyRequest } from 'fastify';
import { originFacts } from '../domain/audit/call-origin.ts';
import { answeredTenant, docUidInPath, durationMs, pathOf } from './requests/request-context.ts';

/** What the log says of a request. */
export function logLine(request: FastifyRequest, status: number) {
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
