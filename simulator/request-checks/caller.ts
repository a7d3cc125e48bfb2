import { authorityError } from '../authority-error.ts';
import { type HttpRequest, headerOf } from '../http-request.ts';
import { normalSerial, type RegisteredCertificate } from '../state/certificate.ts';
import type { Registry } from '../state/registry.ts';
import type { ErrorCodes } from './error-codes.ts';

export type Caller = { readonly eujpId: string; readonly edb: string };

/* The headers of the authority's published reference, §1.2. */
export const USER = 'X-EUJP-ID';
export const TAXPAYER = 'X-EDB';
export const SERIAL = 'X-SERIAL-NUMBER';
export const DOC_TYPE = 'X-DOC-TYPE-CODE';

/** Hexadecimal without leading zeros, as the portal shows it (§1.2). */
const SERIAL_NUMBER = /^[1-9a-f][\da-f]*$/iu;

export function readCaller(request: HttpRequest): Caller {
  return { eujpId: headerOf(request, USER), edb: headerOf(request, TAXPAYER) };
}

export function requireHeaders(request: HttpRequest, names: readonly string[]): void {
  const missing = names.filter((name) => headerOf(request, name) === '');
  if (missing.length > 0) throw authorityError('E4016', `Missing request headers: ${missing.join(', ')}`);
}

/** Returns the certificate by which this user may sign for this taxpayer. */
export function authoriseSigner(
  { eujpId, edb }: Caller,
  serial: string,
  registry: Registry,
  codes: ErrorCodes,
): RegisteredCertificate {
  if (!/^\d{13}$/u.test(edb)) throw authorityError(codes.malformedEdb, `${TAXPAYER} is not a tax number`, TAXPAYER);
  if (registry.company(edb) === undefined) throw authorityError('E1014', `Taxpayer ${edb} not found`, TAXPAYER);
  if (!registry.isUser(eujpId)) throw authorityError(codes.unknownUser, `User ${eujpId} not found`, USER);
  if (!SERIAL_NUMBER.test(serial)) {
    throw authorityError(codes.malformedSerial, `${SERIAL} is not hexadecimal without leading zeros`, SERIAL);
  }
  const registered = registry.certificates(normalSerial(serial));
  if (registered.length === 0) throw authorityError('E1012', `Certificate ${serial} not found`, SERIAL);
  const certificate = registered.find((one) => one.eujpId === eujpId && one.edb === edb);
  if (certificate === undefined || !registry.hasPrivilege(eujpId, edb, 'SIGN')) {
    throw authorityError('E1013', `User ${eujpId} is not authorised to sign for company ${edb}`, TAXPAYER);
  }
  return certificate;
}
