import type { FastifyRequest } from 'fastify';
import type { Call, Caller } from '../../application/accounts/caller.ts';
import { Problem } from '../../application/errors/problem.ts';
import type { ErrorCode } from '../../application/errors/problem-catalogue.ts';
import type { AuditEntry } from '../../application/ports/storage/audit-store.ts';
import type { ApiKey } from '../../domain/accounts/api-key.ts';
import type { Tenant } from '../../domain/accounts/tenant.ts';
import { isDocUid } from '../../domain/documents/doc-uid.ts';

/** What is learnt of a request while it is served; the log line and the audit entry are made from it. */
export type Visit = {
  readonly startedAt: number;
  readonly startedMs: number;
  identity: { readonly key: ApiKey; readonly tenant: Tenant } | null;
  code: ErrorCode | null;
  /** The document the call turned out to be about, where the path does not say. */
  docUid: string | null;
  /** The audit entry was written together with the change the request made. */
  recorded: boolean;
};

declare module 'fastify' {
  interface FastifyRequest {
    visit: Visit;
    /** Set by authentication; routes behind it can rely on it. */
    caller: Caller | null;
  }
}

export function beginVisit(now: number): Visit {
  return { startedAt: now, startedMs: performance.now(), identity: null, code: null, docUid: null, recorded: false };
}

export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null) throw new Error(`${request.method} ${request.url} is served without authentication.`);
  return request.caller;
}

export function callOf(request: FastifyRequest): Call {
  return {
    entry: (outcome) => auditEntry(request, outcome),
    recorded: () => {
      request.visit.recorded = true;
    },
  };
}

export function noteFailure(request: FastifyRequest, error: unknown): void {
  request.visit.code = error instanceof Problem ? error.code : 'ERR-9000';
}

export function auditEntry(
  request: FastifyRequest,
  outcome: { readonly httpStatus: number; readonly docUid: string | null },
): AuditEntry {
  const { visit } = request;
  return {
    at: visit.startedAt,
    tenant: visit.identity?.tenant.edb ?? null,
    keyId: visit.identity?.key.keyId ?? null,
    softwareId: headerText(request, 'x-software-id') ?? null,
    method: request.method,
    path: pathOf(request),
    docUid: outcome.docUid,
    httpStatus: outcome.httpStatus,
    code: visit.code,
    address: request.ip,
    durationMs: durationMs(visit),
    requestId: request.id,
  };
}

export function durationMs(visit: Visit): number {
  return Math.round((performance.now() - visit.startedMs) * 1000) / 1000;
}

/** Without the query: it is no part of what was called, and may be long. */
export function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? '';
}

export function docUidInPath(request: FastifyRequest): string | null {
  const { docUid } = (request.params ?? {}) as { readonly docUid?: string };
  return docUid !== undefined && isDocUid(docUid) ? docUid : null;
}

/** Header bytes are given as Latin-1; software names in other scripts are sent as UTF-8 and read back as such. */
export function headerText(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  const text = Array.isArray(value) ? value.join(', ') : value;
  if (text === undefined || !/[\u0080-\u00ff]/u.test(text)) return text;
  const decoded = Buffer.from(text, 'latin1').toString('utf8');
  return decoded.includes('\ufffd') ? text : decoded;
}
