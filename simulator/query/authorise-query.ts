import { type HttpRequest, headerOf } from '../http-request.ts';
import type { JsonObject } from '../json-object.ts';
import {
  authoriseSigner,
  type Caller,
  readCaller,
  requireHeaders,
  SERIAL,
  TAXPAYER,
  USER,
} from '../request-checks/caller.ts';
import { openEnvelope, readBody } from '../request-checks/envelope.ts';
import { QUERY_CODES } from '../request-checks/error-codes.ts';
import type { Pacing } from '../request-checks/pacing.ts';
import { checkTimestamp, checkTimestamps } from '../request-checks/request-timestamp.ts';
import { checkSignature } from '../request-checks/signature.ts';
import type { State } from '../state/state.ts';
import type { Access } from './service.ts';

const NO_BODY: JsonObject = {};

/** Makes all checks that come before the service itself; returns the caller and the body. */
export function authoriseQuery(
  request: HttpRequest,
  access: Access,
  { state, pacing }: { readonly state: State; readonly pacing: Pacing },
  now: Date,
): { readonly caller: Caller; readonly body: JsonObject } {
  const caller = readCaller(request);
  if (access === 'public') return { caller, body: NO_BODY };
  const isCatalogue = access === 'caller' || access === 'plain body';
  requireHeaders(request, isCatalogue ? [USER, TAXPAYER] : [USER, TAXPAYER, SERIAL]);
  pacing(caller.eujpId);
  if (access === 'caller') return { caller, body: NO_BODY };
  const body = readBody(request.body, QUERY_CODES);
  const isSigned = access === 'signed' || (access === 'signed or plain' && body['jws'] !== undefined);
  if (isSigned) return { caller, body: openSigned(request, body, caller, state, now) };
  checkTimestamp(body['requestTimestamp'], now, QUERY_CODES);
  if (!isCatalogue) authoriseSigner(caller, headerOf(request, SERIAL), state.registry, QUERY_CODES);
  return { caller, body };
}

function openSigned(request: HttpRequest, body: JsonObject, caller: Caller, state: State, now: Date): JsonObject {
  const envelope = openEnvelope(body, QUERY_CODES);
  checkTimestamps(envelope, now, QUERY_CODES);
  const certificate = authoriseSigner(caller, headerOf(request, SERIAL), state.registry, QUERY_CODES);
  checkSignature(envelope, certificate, now, QUERY_CODES);
  return envelope.payload;
}
