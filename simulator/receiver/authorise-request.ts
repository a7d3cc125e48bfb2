import { authorityError } from '../authority-error.ts';
import { type HttpRequest, headerOf } from '../http-request.ts';
import { asObject, type JsonObject } from '../json-object.ts';
import {
  authoriseSigner,
  type Caller,
  DOC_TYPE,
  readCaller,
  requireHeaders,
  SERIAL,
  TAXPAYER,
  USER,
} from '../request-checks/caller.ts';
import { type Envelope, openEnvelope, readBody } from '../request-checks/envelope.ts';
import { RECEIVER_CODES } from '../request-checks/error-codes.ts';
import type { Pacing } from '../request-checks/pacing.ts';
import { checkTimestamps } from '../request-checks/request-timestamp.ts';
import type { RegisteredCertificate } from '../state/certificate.ts';
import type { Registry } from '../state/registry.ts';

/** A request whose sender may sign for the company; document and signature are not checked yet. */
export type AuthorisedRequest = {
  readonly caller: Caller;
  readonly certificate: RegisteredCertificate;
  readonly envelope: Envelope;
  /** The number of the document, if it can be read. */
  readonly docNumber: unknown;
};

const HEADERS = [USER, TAXPAYER, SERIAL, DOC_TYPE];
/** Latin and Cyrillic. */
const COUNTRY_PREFIX = /^(?:MK|МК)/iu;

export function authoriseRequest(
  request: HttpRequest,
  registry: Registry,
  pacing: Pacing,
  now: Date,
): AuthorisedRequest {
  requireHeaders(request, HEADERS);
  const caller = readCaller(request);
  pacing(caller.eujpId);
  const envelope = openEnvelope(readBody(request.body, RECEIVER_CODES), RECEIVER_CODES);
  checkTimestamps(envelope, now, RECEIVER_CODES);
  const certificate = authoriseSigner(caller, headerOf(request, SERIAL), registry, RECEIVER_CODES);
  const document = asObject(envelope.payload['document']) ?? {};
  checkHeadersMatch(document, caller.edb, headerOf(request, DOC_TYPE));
  return { caller, certificate, envelope, docNumber: memberOf(document, 'header', 'docNumber') };
}

function checkHeadersMatch(document: JsonObject, edb: string, docTypeHeader: string): void {
  const sellerTin = memberOf(document, 'seller', 'sellerTin');
  const tins = [sellerTin, memberOf(document, 'buyer', 'buyerTin')];
  if (tins.some((tin) => typeof tin === 'string' && COUNTRY_PREFIX.test(tin))) {
    // The authority answers the country prefix with an internal error.
    throw authorityError('E5000', 'Internal server error');
  }
  if (typeof sellerTin === 'string' && sellerTin !== edb) {
    throw authorityError('E4020', `${TAXPAYER} is ${edb}, the seller's tax number ${sellerTin}`, TAXPAYER);
  }
  const docType = memberOf(document, 'header', 'docType');
  if (typeof docType === 'string' && docType !== docTypeHeader) {
    throw authorityError('E4020', `${DOC_TYPE} is ${docTypeHeader}, the document's type ${docType}`, DOC_TYPE);
  }
}

function memberOf(document: JsonObject, part: string, member: string): unknown {
  return asObject(document[part])?.[member];
}
