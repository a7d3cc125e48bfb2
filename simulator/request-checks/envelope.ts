import { isUtf8 } from 'node:buffer';
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

const STANDARD_BASE64 = /^[A-Za-z\d+/]+={0,2}$/u;
/** Base64url without padding (the authority's published reference, §1.5). */
const COMPACT_JWS = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/u;

export function readBody(body: string, codes: ErrorCodes): JsonObject {
  if (body.trim() === '') throw authorityError('E4011', 'Request body is missing');
  const object = asObject(parseJson(body));
  if (object === null) throw authorityError(codes.unreadableBody, 'Request body is not a JSON object');
  return object;
}

/** The envelope of every signed call (§1.4). */
export function openEnvelope(body: JsonObject, codes: ErrorCodes): Envelope {
  const { jws, requestTimestamp } = body;
  if (typeof jws !== 'string' || jws === '')
    throw authorityError('E4011', 'JWS must not be null or empty string', 'jws');
  const [, header64 = '', payload64 = '', signature64 = ''] = COMPACT_JWS.exec(jws) ?? [];
  const header = asObject(parseJson(decode(header64).toString('utf8')));
  if (header === null)
    throw authorityError('E5005', 'JWS is not a compact serialization with a readable header', 'jws');
  checkHeader(header);
  const payload = asObject(parseJson(utf8Of(decode(payload64)) ?? ''));
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

/** Accepted live were `alg` with `x5c` or with `typ` (§1.5); RFC 7515 has a reader refuse extensions (`crit`) it does not know. */
function checkHeader({ alg, typ = 'JWT', crit, x5c = ['AA=='] }: JsonObject): void {
  if (alg !== 'RS256') throw authorityError('E5005', 'JWS algorithm must be RS256', 'jws');
  if (typ !== 'JWT') throw authorityError('E5005', 'JWS type must be JWT', 'jws');
  if (crit !== undefined) throw authorityError('E5005', 'JWS extensions are not supported', 'jws');
  const isChain = Array.isArray(x5c) && x5c.length > 0 && x5c.every((one) => STANDARD_BASE64.test(String(one)));
  if (!isChain) throw authorityError('E5005', 'x5c must be an array of certificates in standard base64', 'jws');
}

function utf8Of(bytes: Buffer): string | null {
  return isUtf8(bytes) ? bytes.toString('utf8') : null;
}

/** The signed payload, exactly as its sender wrote it. */
export function payloadText(jws: string): string {
  return decode(jws.split('.')[1] ?? '').toString('utf8');
}

function decode(base64url: string): Buffer {
  return Buffer.from(base64url, 'base64url');
}
