import { verify, X509Certificate } from 'node:crypto';
import { authorityError } from '../authority-error.ts';
import { normalSerial, type RegisteredCertificate } from '../state/certificate.ts';
import type { Envelope } from './envelope.ts';
import type { ErrorCodes } from './error-codes.ts';

/** The authority's published reference, §1.5 and §3.11: checks that a certificate in the header is the registered one, then the signature, then the certificate's validity. */
export function checkSignature(
  { header, signed, signature }: Envelope,
  certificate: RegisteredCertificate,
  now: Date,
  codes: ErrorCodes,
): void {
  if (!isCertificateOf(certificate, header['x5c'])) {
    throw authorityError(codes.otherCertificate, 'The certificate in the JWS is not the one of X-SERIAL-NUMBER', 'jws');
  }
  if (!verify('RSA-SHA256', Buffer.from(signed), certificate.publicKey, signature)) {
    throw authorityError(codes.wrongSignature, 'JWS signature is not valid', 'jws');
  }
  if (now < certificate.validFrom || now > certificate.validTo)
    throw authorityError('E5002', 'Certificate has expired');
  if (certificate.revoked) throw authorityError('E5003', 'Certificate is revoked');
}

/** The header may carry the signer's certificate; the signature is verified with the registered one in any case. */
function isCertificateOf({ serial, base64 }: RegisteredCertificate, x5c: unknown): boolean {
  if (x5c === undefined) return true;
  const [leaf] = Array.isArray(x5c) ? x5c : [];
  if (leaf === base64) return true;
  try {
    return normalSerial(new X509Certificate(Buffer.from(String(leaf), 'base64')).serialNumber) === serial;
  } catch {
    throw authorityError('E5005', 'x5c does not hold a certificate', 'jws');
  }
}
