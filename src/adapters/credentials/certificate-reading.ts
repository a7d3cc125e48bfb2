import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import type { CertificateFacts, CredentialReading, PrivateKeyFacts } from '../../application/ports/credentials.ts';
import { pemCertificates } from '../platform/pem-certificates.ts';
import { readPkcs12 } from './pkcs12/read-pkcs12.ts';

const PRIVATE_KEY = /-----BEGIN ((?:[A-Z]+ )?)PRIVATE KEY-----(?:[^-]|-(?!---))*-----END \1PRIVATE KEY-----/u;

/** Reads certificates and private keys. In PEM, other text around them and further certificates of a chain are allowed. */
export const certificateReading: CredentialReading = {
  certificates(pem) {
    try {
      return pemCertificates(pem).map(readCertificate);
    } catch {
      return null;
    }
  },
  privateKey(pem) {
    const [block, kind] = PRIVATE_KEY.exec(pem) ?? [];
    if (block === undefined) return 'none';
    // OpenSSL's traditional format names the encryption in a header inside the block.
    if (kind === 'ENCRYPTED ' || block.includes('Proc-Type: 4,ENCRYPTED')) return 'encrypted';
    try {
      return factsOf(createPrivateKey(block));
    } catch {
      return 'unreadable';
    }
  },
  pkcs12: readPkcs12,
};

function readCertificate(block: string): CertificateFacts {
  const certificate = new X509Certificate(block);
  const { asymmetricKeyType, asymmetricKeyDetails } = certificate.publicKey;
  return {
    pem: certificate.toString(),
    serialNumber: certificate.serialNumber.replace(/^0+(?=.)/u, '').toUpperCase(),
    validFrom: certificate.validFromDate.getTime(),
    validTo: certificate.validToDate.getTime(),
    keyType: asymmetricKeyType ?? 'unknown',
    keyBits: asymmetricKeyDetails?.modulusLength ?? 0,
  };
}

function factsOf(key: KeyObject): PrivateKeyFacts {
  return {
    pem: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
    belongsTo: ({ pem }) => new X509Certificate(pem).checkPrivateKey(key),
  };
}
