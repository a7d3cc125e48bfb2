import type { KeyObject } from 'node:crypto';
import { createKeyPair, issueCertificate, type KeyPair } from '../../simulator/state/issue-certificate.ts';
import { createQuickKeys } from './quick-keys.ts';

export type CertificateOrder = {
  /** Hexadecimal; random when not said. */
  readonly serial?: string;
  readonly commonName?: string;
  readonly validFrom?: Date;
  readonly validTo?: Date;
  /** Making keys is slow: many certificates may share a pair. */
  readonly keys?: KeyPair;
};

export type { KeyPair } from '../../simulator/state/issue-certificate.ts';

export type TestCertificate = {
  readonly certificatePem: string;
  readonly privateKeyPem: string;
  readonly privateKey: KeyObject;
  /** Hexadecimal, without leading zeros. */
  readonly serial: string;
};

const YEAR_MS = 365 * 86_400_000;
/** Before every clock of the tests. */
const LONG_AGO = new Date('2020-01-01T00:00:00Z');

let sharedKeys: KeyPair | null = null;
let otherKeys: KeyPair | null = null;

/** One pair of RSA keys for all that signs in a test process. */
export function sharedKeyPair(): KeyPair {
  sharedKeys ??= createQuickKeys();
  return sharedKeys;
}

/** Another pair, made as everybody makes theirs, for tests of keys and of those that do not belong together. */
export function otherKeyPair(): KeyPair {
  otherKeys ??= createKeyPair();
  return otherKeys;
}

/** A certificate for an RSA key, signed by that key itself. */
export function createCertificate(order: CertificateOrder = {}): TestCertificate {
  const keys = order.keys ?? sharedKeyPair();
  const { certificatePem, privateKeyPem, serialNumber } = issueCertificate({
    commonName: order.commonName ?? 'Test signer',
    validFrom: order.validFrom ?? LONG_AGO,
    validTo: order.validTo ?? new Date(Date.now() + YEAR_MS),
    keys,
    ...(order.serial === undefined ? {} : { serialNumber: order.serial }),
  });
  return { certificatePem, privateKeyPem, privateKey: keys.privateKey, serial: serialNumber };
}
