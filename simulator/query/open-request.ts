import { authorise, type Caller, readCaller, requireHeaders, SERIAL, TAXPAYER, USER } from '../gate/caller.ts';
import { openEnvelope, readBody } from '../gate/envelope.ts';
import type { Pacing } from '../gate/pacing.ts';
import { checkTimestamp, checkTimestamps } from '../gate/request-timestamp.ts';
import { QUERY_CODES } from '../gate/root-codes.ts';
import { checkSignature } from '../gate/signature.ts';
import type { JsonObject } from '../json-object.ts';
import { headerOf, type ReceivedRequest } from '../received-request.ts';
import type { State } from '../state/state.ts';
import type { Access } from './service.ts';

const NO_BODY: JsonObject = {};

/** Who asks and for what, after every check that comes before the question itself. */
export function openRequest(
  request: ReceivedRequest,
  access: Access,
  { state, pacing }: { readonly state: State; readonly pacing: Pacing },
  now: Date,
): { readonly caller: Caller; readonly body: JsonObject } {
  const caller = readCaller(request);
  if (access === 'open') return { caller, body: NO_BODY };
  const isCatalogue = access === 'caller' || access === 'plain body';
  requireHeaders(request, isCatalogue ? [USER, TAXPAYER] : [USER, TAXPAYER, SERIAL]);
  pacing(caller.eujpId);
  if (access === 'caller') return { caller, body: NO_BODY };
  const body = readBody(request.body, QUERY_CODES);
  const isSigned = access === 'signed' || (access === 'signed or plain' && body['jws'] !== undefined);
  if (isSigned) return { caller, body: openSigned(request, body, caller, state, now) };
  checkTimestamp(body['requestTimestamp'], now, QUERY_CODES);
  if (!isCatalogue) authorise(caller, headerOf(request, SERIAL), state.registry, QUERY_CODES);
  return { caller, body };
}

function openSigned(request: ReceivedRequest, body: JsonObject, caller: Caller, state: State, now: Date): JsonObject {
  const envelope = openEnvelope(body, QUERY_CODES);
  checkTimestamps(envelope, now, QUERY_CODES);
  const certificate = authorise(caller, headerOf(request, SERIAL), state.registry, QUERY_CODES);
  checkSignature(envelope, certificate, now, QUERY_CODES);
  return envelope.payload;
}
