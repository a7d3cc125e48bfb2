import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

export type CertificateOrder = {
  /** Hexadecimal; random when not said. */
  readonly serial?: string;
  readonly commonName?: string;
  readonly validFrom?: Date;
  readonly validTo?: Date;
  /** Making keys is slow: many certificates may share a pair. */
  readonly keys?: KeyPair;
};

export type KeyPair = { readonly privateKey: KeyObject; readonly publicKey: KeyObject };

export type TestCertificate = {
  readonly certificatePem: string;
  readonly privateKeyPem: string;
  readonly privateKey: KeyObject;
  /** Hexadecimal, without leading zeros. */
  readonly serial: string;
};

const YEAR_MS = 365 * 86_400_000;
const SHA256_WITH_RSA = der(0x30, objectId(0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0b), der(0x05));
const COMMON_NAME = objectId(0x55, 0x04, 0x03);
const VERSION_3 = der(0xa0, der(0x02, Buffer.from([2])));

let sharedKeys: KeyPair | null = null;

/** One pair of RSA keys for all the certificates of a test file. */
export function sharedKeyPair(): KeyPair {
  sharedKeys ??= createKeyPair();
  return sharedKeys;
}

export function createKeyPair(): KeyPair {
  return generateKeyPairSync('rsa', { modulusLength: 2048 });
}

/** A certificate for an RSA key, signed by that key itself. */
export function createCertificate(order: CertificateOrder = {}): TestCertificate {
  const { privateKey, publicKey } = order.keys ?? sharedKeyPair();
  const serial = (order.serial ?? randomSerial()).replace(/^0+/u, '').toUpperCase();
  const name = nameOf(order.commonName ?? 'Test signer');
  const validity = der(
    0x30,
    timeOf(order.validFrom ?? new Date(Date.now() - YEAR_MS)),
    timeOf(order.validTo ?? new Date(Date.now() + YEAR_MS)),
  );
  const publicKeyInfo = publicKey.export({ type: 'spki', format: 'der' });
  const content = der(
    0x30,
    VERSION_3,
    positiveInteger(serial),
    SHA256_WITH_RSA,
    name,
    validity,
    name,
    Buffer.from(publicKeyInfo),
  );
  const signature = sign('sha256', content, privateKey);
  const certificate = der(0x30, content, SHA256_WITH_RSA, der(0x03, Buffer.from([0]), signature));
  return {
    certificatePem: pem('CERTIFICATE', certificate),
    privateKeyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    privateKey,
    serial,
  };
}

function randomSerial(): string {
  return crypto.randomUUID().replaceAll('-', '').replace(/^./u, '1');
}

function nameOf(commonName: string): Buffer {
  return der(0x30, der(0x31, der(0x30, COMMON_NAME, der(0x0c, Buffer.from(commonName)))));
}

/** Two digits of the year up to 2049, four from 2050 on. */
function timeOf(moment: Date): Buffer {
  const digits = moment.toISOString().replaceAll(/[-:T]|\.\d+/gu, '');
  return moment.getUTCFullYear() < 2050 ? der(0x17, Buffer.from(digits.slice(2))) : der(0x18, Buffer.from(digits));
}

function positiveInteger(hex: string): Buffer {
  const bytes = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex');
  return ((bytes[0] ?? 0) & 0x80) === 0 ? der(0x02, bytes) : der(0x02, Buffer.from([0]), bytes);
}

function objectId(...content: readonly number[]): Buffer {
  return der(0x06, Buffer.from(content));
}

function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  const hex = content.length.toString(16);
  const digits = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex');
  const length = content.length < 0x80 ? [content.length] : [0x80 | digits.length, ...digits];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

function pem(label: string, bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/gu) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}
