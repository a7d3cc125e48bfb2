import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { Call, Caller } from '../../application/accounts/caller.ts';
import type { RecognisedKey } from '../../application/accounts/recognise-key.ts';
import { documentNotFound } from '../../application/errors/document-not-found.ts';
import type { ErrorCode } from '../../application/errors/problem-catalogue.ts';
import type { Platform, Timers } from '../../application/ports/platform.ts';
import type { AuditEntry } from '../../application/ports/storage/audit-store.ts';
import type { Edb } from '../../domain/accounts/edb.ts';
import { type CallOrigin, readRequestId, readTraceparent } from '../../domain/audit/call-origin.ts';
import { callerText } from '../../domain/audit/caller-text.ts';
import { type DocUid, parseDocUid } from '../../domain/documents/doc-uid.ts';
import type { CallerAddress } from './caller-address.ts';

/** What is known of one request so far; its log line and its audit entry are made from it. */
export type RequestContext = {
  /** What the answer's X-Request-Id says: the caller's own where it is usable. It may have given it to other calls too. */
  readonly origin: CallOrigin & { readonly requestId: string };
  readonly startedAt: number;
  readonly startedMs: number;
  readonly elapsedMs: Timers['elapsedMs'];
  /** How long it waited until it could begin. */
  waitedMs: number;
  /** Read when the request begins: a socket that was reset has no address any more. */
  readonly address: string;
  /** The address is the caller's own, not that of a proxy which did not say whose call it is. */
  readonly isAddressKnown: boolean;
  identity: RecognisedKey | null;
  /** Whose document a link shows that was opened without a key. */
  linkTenant: Edb | null;
  /** By authentication, or for an answer without it. */
  isKeyLookedUp: boolean;
  /** The key was accepted, the call was within its rate limit, and the service was not overloaded. */
  isAdmitted: boolean;
  code: ErrorCode | null;
  /** The document that the call created, when the path does not name one. */
  docUid: DocUid | null;
  /** The audit entry was written in the transaction of the change. */
  isAudited: boolean;
};

declare module 'fastify' {
  interface FastifyRequest {
    context: RequestContext;
    /** Set by authentication. */
    caller: Caller | null;
  }
}

type Needs = Pick<Platform, 'clock' | 'timers'>;

const UNKNOWN_ADDRESS = 'unknown';

export function newRequestContext(
  { clock, timers }: Needs,
  { address, isKnown }: CallerAddress,
  { id, headers }: Pick<FastifyRequest, 'id' | 'headers'>,
): RequestContext {
  const given = (name: string) => [headers[name] ?? []].flat().join(', ');
  return {
    origin: {
      requestId: readRequestId(given('x-request-id')) ?? id,
      traceparent: readTraceparent(given('traceparent')),
    },
    startedAt: clock.now(),
    startedMs: timers.elapsedMs(),
    elapsedMs: timers.elapsedMs,
    waitedMs: 0,
    address: address ?? UNKNOWN_ADDRESS,
    isAddressKnown: isKnown,
    identity: null,
    linkTenant: null,
    isKeyLookedUp: false,
    isAdmitted: false,
    code: null,
    docUid: null,
    isAudited: false,
  };
}

export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null) throw new Error(`${request.method} ${request.url} is served without authentication.`);
  return request.caller;
}

/** The tenant of a call whose key was recognised. */
export function tenantOf({ context, url }: FastifyRequest): Edb {
  if (context.identity === null) throw new Error(`The key of a call to ${url} was not recognised.`);
  return context.identity.tenant.edb;
}

/** Whose data the answer holds; null where it is nobody's. */
export function answeredTenant({ identity, linkTenant }: RequestContext): Edb | null {
  return identity?.tenant.edb ?? linkTenant;
}

export function callOf(request: FastifyRequest): Call {
  return {
    origin: request.context.origin,
    auditEntry: (outcome) => auditEntry(request, outcome),
    markAudited: () => {
      request.context.isAudited = true;
    },
  };
}

export function auditEntry(
  request: FastifyRequest,
  outcome: { readonly httpStatus: number; readonly docUid: DocUid | null },
): AuditEntry {
  const { context } = request;
  const softwareId = headerText(request, 'x-software-id');
  return {
    at: context.startedAt,
    tenant: answeredTenant(context),
    keyId: context.identity?.key.keyId ?? null,
    softwareId: softwareId === undefined ? null : callerText(softwareId),
    method: request.method,
    path: pathOf(request),
    docUid: outcome.docUid,
    httpStatus: outcome.httpStatus,
    code: context.code,
    address: context.address,
    durationMs: durationMs(context),
    requestId: context.origin.requestId,
    entryId: request.id,
    operator: null,
    calls: 1,
  };
}

export function durationMs({ elapsedMs, startedMs }: RequestContext): number {
  return Math.round((elapsedMs() - startedMs) * 1000) / 1000;
}

/** For log and audit trail: without the query, which does not identify the resource, and without keys. */
export function pathOf(request: FastifyRequest): string {
  return callerText(request.originalUrl.split('?', 1)[0] ?? '');
}

export function docUidInPath(request: FastifyRequest): DocUid | null {
  const { docUid } = (request.params ?? {}) as { readonly docUid?: string };
  return docUid === undefined ? null : parseDocUid(docUid);
}

/** The document that a call is about; what is no identifier is answered as an unknown one. */
export function requestedDocUid(request: FastifyRequest): DocUid {
  const docUid = docUidInPath(request);
  if (docUid === null) throw documentNotFound();
  return docUid;
}

/** Node decodes headers as Latin-1; clients send names in other scripts as UTF-8, which is restored here. */
export function headerText(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  const text = Array.isArray(value) ? value.join(', ') : value;
  if (text === undefined || !/[\u0080-\u00ff]/u.test(text)) return text;
  const decoded = Buffer.from(text, 'latin1').toString('utf8');
  return decoded.includes('\ufffd') ? text : decoded;
}

/** A header as it was sent. */
export function headerBytes(request: FastifyRequest, name: string): Uint8Array {
  return Buffer.from([request.headers[name] ?? []].flat().join(', '), 'latin1');
}

/** How often a header was sent; Node joins the values of most headers that come more than once. */
export function headerCount({ rawHeaders }: IncomingMessage, name: string): number {
  return rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === name).length;
}
