import { authorityError } from '../authority-error.ts';
import { asObject, type JsonObject, parseJson } from '../json-object.ts';
import type { ErrorCodes } from './error-codes.ts';

/** The parts of a compact JWS; the signature has not been verified. */
export type Envelope = {
  readonly requestTimestamp: unknown;
  readonly jws: string;
  /** The text that the signature covers. */
  readonly signed: string;
  readonly signature: Buffer;
  readonly header: JsonObject;
  readonly payload: JsonObject;
};

const COMPACT_JWS = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/u;

export function readBody(body: string, codes: ErrorCodes): JsonObject {
  if (body.trim() === '') throw authorityError('E4011', 'Request body is missing');
  const object = asObject(parseJson(body));
  if (object === null) throw authorityError(codes.unreadableBody, 'Request body is not a JSON object');
  return object;
}

export function openEnvelope(body: JsonObject, codes: ErrorCodes): Envelope {
  const { jws, requestTimestamp } = body;
  if (typeof jws !== 'string' || jws === '')
    throw authorityError('E4011', 'JWS must not be null or empty string', 'jws');
  const [, header64 = '', payload64 = '', signature64 = ''] = COMPACT_JWS.exec(jws) ?? [];
  const header = asObject(parseJson(decode(header64).toString('utf8')));
  if (header === null)
    throw authorityError('E5005', 'JWS is not a compact serialization with a readable header', 'jws');
  if (header['alg'] !== 'RS256') throw authorityError('E5005', 'JWS algorithm must be RS256', 'jws');
  const payload = asObject(parseJson(decode(payload64).toString('utf8')));
  if (payload === null)
    throw authorityError(codes.unreadablePayload, 'The payload of the JWS is not a JSON object', 'jws');
  return {
    requestTimestamp,
    jws,
    signed: `${header64}.${payload64}`,
    signature: decode(signature64),
    header,
    payload,
  };
}

/** The signed payload, exactly as its sender wrote it. */
export function payloadText(jws: string): string {
  return decode(jws.split('.')[1] ?? '').toString('utf8');
}

function decode(base64url: string): Buffer {
  return Buffer.from(base64url, 'base64url');
}
