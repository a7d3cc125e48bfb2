import { type KeyObject, X509Certificate } from 'node:crypto';

export type CertificateInput = {
  /** The user who signs with it. */
  readonly eujpId: string;
  /** The company for which the user signs; the same certificate may be registered for several. */
  readonly edb: string;
  readonly certificatePem: string;
  readonly revoked?: boolean;
};

export type RegisteredCertificate = {
  readonly eujpId: string;
  readonly edb: string;
  readonly serial: string;
  /** The whole certificate, as a JWS header carries it. */
  readonly base64: string;
  readonly publicKey: KeyObject;
  readonly validFrom: Date;
  readonly validTo: Date;
  readonly revoked: boolean;
};

/** As the authority's portal shows it: hexadecimal without leading zeros. Upper case, to compare without regard to case. */
export function normalSerial(hex: string): string {
  return hex.replace(/^0+(?=.)/u, '').toUpperCase();
}

/** Throws an error that says what is wrong with the certificate. */
export function readCertificate({ eujpId, edb, certificatePem, revoked }: CertificateInput): RegisteredCertificate {
  const certificate = new X509Certificate(certificatePem);
  const { publicKey } = certificate;
  if (publicKey.asymmetricKeyType !== 'rsa') throw new Error('The certificate must hold an RSA key.');
  return {
    eujpId,
    edb,
    serial: normalSerial(certificate.serialNumber),
    base64: certificate.raw.toString('base64'),
    publicKey,
    validFrom: new Date(certificate.validFrom),
    validTo: new Date(certificate.validTo),
    revoked: revoked ?? false,
  };
}
