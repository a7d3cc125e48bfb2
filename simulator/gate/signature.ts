import { verify, X509Certificate } from 'node:crypto';
import { refusal } from '../refusal.ts';
import { normalSerial, type RegisteredCertificate } from '../state/certificate.ts';
import type { Envelope } from './envelope.ts';
import type { RootCodes } from './root-codes.ts';

/** Signature first, then integrity of the certificate sent along, then its validity. */
export function checkSignature(
  { header, signed, signature }: Envelope,
  certificate: RegisteredCertificate,
  now: Date,
  codes: RootCodes,
): void {
  if (!isCertificateOf(certificate, header['x5c'])) {
    throw refusal(codes.otherCertificate, 'The certificate in the JWS is not the one of X-SERIAL-NUMBER', 'jws');
  }
  if (!verify('RSA-SHA256', Buffer.from(signed), certificate.publicKey, signature)) {
    throw refusal(codes.wrongSignature, 'JWS signature is not valid', 'jws');
  }
  if (now < certificate.validFrom || now > certificate.validTo) throw refusal('E5002', 'Certificate has expired');
  if (certificate.revoked) throw refusal('E5003', 'Certificate is revoked');
}

/** The header may name the signer's certificate. What verifies is the registered one, whatever is sent. */
function isCertificateOf({ serial, base64 }: RegisteredCertificate, x5c: unknown): boolean {
  if (x5c === undefined) return true;
  const [leaf] = Array.isArray(x5c) ? x5c : [];
  if (leaf === base64) return true;
  try {
    return normalSerial(new X509Certificate(Buffer.from(String(leaf), 'base64')).serialNumber) === serial;
  } catch {
    throw refusal('E5005', 'x5c does not hold a certificate', 'jws');
  }
}
