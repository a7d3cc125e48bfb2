import type { Edb } from '../../domain/accounts/edb.ts';
import type { SealedCredential } from './storage/credential-store.ts';

/** Encrypts private keys, so that the database alone does not reveal them. */
export type KeySealing = {
  readonly seal: (tenant: Edb, privateKeyPem: string) => Pick<SealedCredential, 'sealedKey' | 'sealedBy'>;
  /** Whether it is sealed with the key that `seal` uses. */
  readonly isCurrent: (credential: SealedCredential) => boolean;
  /** The private key in PEM. Throws when it was sealed for another tenant or with an unknown key, or was changed. */
  readonly open: (credential: SealedCredential) => string;
};

export type CertificateFacts = {
  /** Only this certificate, also when the file holds more. */
  readonly pem: string;
  /** Hexadecimal, upper case, without leading zeros, as the authority shows it. */
  readonly serialNumber: string;
  readonly validTo: number;
  /** For example `rsa` or `ec`. */
  readonly keyType: string;
  /** Zero for keys without a modulus. */
  readonly keyBits: number;
};

export type PrivateKeyFacts = {
  /** Only the key, as PKCS #8. */
  readonly pem: string;
  readonly belongsTo: (certificate: CertificateFacts) => boolean;
};

/** Reads the PEM files of the operator. */
export type CredentialReading = {
  /** All certificates in the text, in their order; null when one cannot be read. */
  readonly certificates: (pem: string) => readonly CertificateFacts[] | null;
  /** The first private key in the text. */
  readonly privateKey: (pem: string) => PrivateKeyFacts | 'none' | 'unreadable' | 'encrypted';
};
