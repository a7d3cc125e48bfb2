import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { der, explicit, generalizedTime, integer, objectId, sequence, setOf } from '../files/der.ts';
import { normalSerial } from './certificate.ts';

export type KeyPair = { readonly privateKey: KeyObject; readonly publicKey: KeyObject };

export type CertificateRequest = {
  readonly commonName: string;
  readonly validFrom: Date;
  /** Three years after `validFrom` by default. */
  readonly validTo?: Date;
  /** Hexadecimal; random by default. */
  readonly serialNumber?: string;
  /** A new pair by default. */
  readonly keys?: KeyPair;
};

export type IssuedCertificate = {
  readonly certificatePem: string;
  /** PKCS #8. */
  readonly privateKeyPem: string;
  readonly serialNumber: string;
};

const KEY_BITS = 2_048;
const VALID_YEARS = 3;
const SERIAL_BYTES = 16;

const SHA256_WITH_RSA = sequence(objectId('1.2.840.113549.1.1.11'), der(0x05));
const COMMON_NAME = objectId('2.5.4.3');
const VERSION_3 = explicit(0, integer(Buffer.from([2])));

export function createKeyPair(): KeyPair {
  return generateKeyPairSync('rsa', { modulusLength: KEY_BITS });
}

/** A self-signed certificate for an RSA key: the simulator does not check who issued a certificate. */
export function issueCertificate(request: CertificateRequest): IssuedCertificate {
  const { privateKey, publicKey } = request.keys ?? createKeyPair();
  const serialNumber = normalSerial(request.serialNumber ?? randomSerial());
  const name = sequence(setOf(sequence(COMMON_NAME, der(0x0c, Buffer.from(request.commonName)))));
  const content = sequence(
    VERSION_3,
    integer(Buffer.from(serialNumber.padStart(serialNumber.length + (serialNumber.length % 2), '0'), 'hex')),
    SHA256_WITH_RSA,
    name,
    sequence(time(request.validFrom), time(request.validTo ?? yearsAfter(request.validFrom))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', content, privateKey));
  return {
    certificatePem: pem(sequence(content, SHA256_WITH_RSA, signature)),
    privateKeyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    serialNumber,
  };
}

/** The first digit is never 0, so that the number has the same length with and without leading zeros. */
function randomSerial(): string {
  return randomBytes(SERIAL_BYTES).toString('hex').replace(/^./u, '1');
}

function yearsAfter(moment: Date): Date {
  const later = new Date(moment);
  later.setUTCFullYear(later.getUTCFullYear() + VALID_YEARS);
  return later;
}

/** Two digits of the year up to 2049, four from 2050 on (RFC 5280, 4.1.2.5). */
function time(moment: Date): Buffer {
  if (moment.getUTCFullYear() >= 2050) return generalizedTime(moment);
  return der(
    0x17,
    Buffer.from(
      moment
        .toISOString()
        .slice(2)
        .replaceAll(/[-:T]|\.\d+/gu, ''),
    ),
  );
}

function pem(certificate: Buffer): string {
  const lines = certificate.toString('base64').match(/.{1,64}/gu) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}
