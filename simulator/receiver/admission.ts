import {
  authorise,
  type Caller,
  DOC_TYPE,
  readCaller,
  requireHeaders,
  SERIAL,
  TAXPAYER,
  USER,
} from '../gate/caller.ts';
import { type Envelope, openEnvelope, readBody } from '../gate/envelope.ts';
import type { Pacing } from '../gate/pacing.ts';
import { checkTimestamps } from '../gate/request-timestamp.ts';
import { RECEIVER_CODES } from '../gate/root-codes.ts';
import { asObject, type JsonObject } from '../json-object.ts';
import { headerOf, type ReceivedRequest } from '../received-request.ts';
import { refusal } from '../refusal.ts';
import type { RegisteredCertificate } from '../state/certificate.ts';
import type { Registry } from '../state/registry.ts';

/** A request whose sender may sign for the company; neither the document nor the signature has been looked at. */
export type Admitted = {
  readonly caller: Caller;
  readonly certificate: RegisteredCertificate;
  readonly envelope: Envelope;
  /** The number of the document, if it can be read. */
  readonly docNumber: unknown;
};

const HEADERS = [USER, TAXPAYER, SERIAL, DOC_TYPE];
/** Latin and Cyrillic. */
const COUNTRY_PREFIX = /^(?:MK|МК)/iu;

export function admit(request: ReceivedRequest, registry: Registry, pacing: Pacing, now: Date): Admitted {
  requireHeaders(request, HEADERS);
  const caller = readCaller(request);
  pacing(caller.eujpId);
  const envelope = openEnvelope(readBody(request.body, RECEIVER_CODES), RECEIVER_CODES);
  checkTimestamps(envelope, now, RECEIVER_CODES);
  const certificate = authorise(caller, headerOf(request, SERIAL), registry, RECEIVER_CODES);
  const document = asObject(envelope.payload['document']) ?? {};
  checkHeadersAgainst(document, caller.edb, headerOf(request, DOC_TYPE));
  return { caller, certificate, envelope, docNumber: memberOf(document, 'header', 'docNumber') };
}

function checkHeadersAgainst(document: JsonObject, edb: string, docTypeHeader: string): void {
  const sellerTin = memberOf(document, 'seller', 'sellerTin');
  const tins = [sellerTin, memberOf(document, 'buyer', 'buyerTin')];
  if (tins.some((tin) => typeof tin === 'string' && COUNTRY_PREFIX.test(tin))) {
    // The authority does not expect the prefix and breaks.
    throw refusal('E5000', 'Internal server error');
  }
  if (typeof sellerTin === 'string' && sellerTin !== edb) {
    throw refusal('E4020', `${TAXPAYER} is ${edb}, the seller's tax number ${sellerTin}`, TAXPAYER);
  }
  const docType = memberOf(document, 'header', 'docType');
  if (typeof docType === 'string' && docType !== docTypeHeader) {
    throw refusal('E4020', `${DOC_TYPE} is ${docTypeHeader}, the document's type ${docType}`, DOC_TYPE);
  }
}

function memberOf(document: JsonObject, part: string, member: string): unknown {
  return asObject(document[part])?.[member];
}
