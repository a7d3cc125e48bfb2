import type { Edb } from '../../domain/accounts/edb.ts';
import type { SealedCredential } from './storage/credential-store.ts';

type Sealed = Pick<SealedCredential, 'sealedKey' | 'sealedBy'>;

/**
 * Encrypts private keys, so that the database alone does not reveal them. The name of a signing command is sealed as well: who
 * can write to the database cannot make a tenant sign by another one.
 */
export type KeySealing = {
  readonly seal: (tenant: Edb, privateKeyPem: string) => Sealed;
  readonly sealCommand: (tenant: Edb, commandName: string) => Sealed;
  /** Whether it is sealed with the key that `seal` uses. */
  readonly isCurrent: (credential: SealedCredential) => boolean;
  /** What is sealed. Throws when it was sealed for another tenant or with an unknown key, or was changed. */
  readonly open: (credential: SealedCredential) => SignerSource;
};

/** What signs for a tenant. */
export type SignerSource =
  | { readonly kind: 'private-key'; readonly pem: string }
  | { readonly kind: 'signing-command'; readonly name: string };

/** Commands that sign with keys outside of this process. Every failure is an AuthorityCallError of the kind `signing`, but for a stop of the service. */
export type SigningCommands = {
  readonly names: readonly string[];
  /** The signature of the command for a SHA-256 DigestInfo (RFC 8017 §9.2), not checked yet. */
  readonly sign: (name: string, owner: SignatureOwner, digestInfo: Uint8Array) => Promise<Uint8Array>;
  /** A signature over random bytes, to tell which certificate the command has the key of. */
  readonly tryOut: (name: string, owner: SignatureOwner) => Promise<Pick<PrivateKeyFacts, 'belongsTo'>>;
};

export type SignatureOwner = { readonly tenant: Edb; readonly serialNumber: string };

export type CertificateFacts = {
  /** Only this certificate, also when the file holds more. */
  readonly pem: string;
  /** Hexadecimal, upper case, without leading zeros, as the authority shows it. */
  readonly serialNumber: string;
  readonly validFrom: number;
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

/** Key and certificates of a PKCS #12 file in PEM, or why they cannot be had. */
export type Pkcs12Content =
  | { readonly certificatePem: string; readonly privateKeyPem: string }
  | { readonly refusal: Pkcs12Refusal; readonly detail?: string };

export type Pkcs12Refusal = 'damaged' | 'wrong-password' | 'unsupported' | 'no-key' | 'several-keys' | 'no-certificate';

/** Reads the files of the operator. */
export type CredentialReading = {
  /** All certificates in the text, in their order; null when one cannot be read. */
  readonly certificates: (pem: string) => readonly CertificateFacts[] | null;
  /** The first private key in the text. */
  readonly privateKey: (pem: string) => PrivateKeyFacts | 'none' | 'unreadable' | 'encrypted';
  readonly pkcs12: (file: Uint8Array, password: string) => Pkcs12Content;
};
