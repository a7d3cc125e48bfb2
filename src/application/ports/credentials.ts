import type { Edb } from '../../domain/accounts/edb.ts';
import type { SealedCredential } from './storage/credential-store.ts';

/** Keeps private keys from whoever sees the database alone. */
export type KeySealing = {
  readonly seal: (tenant: Edb, privateKeyPem: string) => Pick<SealedCredential, 'sealedKey' | 'sealedBy'>;
  /** The private key in PEM. What was sealed for another tenant, with another key or was altered does not open. */
  readonly open: (credential: SealedCredential) => string;
};

export type CertificateFacts = {
  /** This certificate alone, whatever stood beside it. */
  readonly pem: string;
  /** Hexadecimal, upper case, without leading zeros, as the authority shows it. */
  readonly serialNumber: string;
  readonly validTo: number;
  /** For example `rsa` or `ec`. */
  readonly keyType: string;
  /** Zero for keys that are not measured in bits of a modulus. */
  readonly keyBits: number;
};

export type PrivateKeyFacts = {
  /** The key alone, as PKCS #8. */
  readonly pem: string;
  readonly belongsTo: (certificate: CertificateFacts) => boolean;
};

/** Reads what the operator was given, in PEM. */
export type CredentialReading = {
  /** Every certificate in the text, in its order; null where one cannot be read. */
  readonly certificates: (pem: string) => readonly CertificateFacts[] | null;
  /** The first private key in the text. */
  readonly privateKey: (pem: string) => PrivateKeyFacts | 'none' | 'unreadable' | 'encrypted';
};
