import type { Edb } from '../../../domain/accounts/edb.ts';

/** A tenant's certificate at the authority. Its private key is encrypted with a key that is not in the database. */
export type SealedCredential = {
  readonly tenant: Edb;
  /** PEM. */
  readonly certificate: string;
  /** Hexadecimal, upper case, without leading zeros. */
  readonly serialNumber: string;
  readonly validTo: number;
  readonly sealedKey: Uint8Array;
  /** Fingerprint of the key that sealed it. */
  readonly sealedBy: string;
  readonly changedAt: number;
};

export type CertificateFacts = Pick<SealedCredential, 'tenant' | 'serialNumber' | 'validTo' | 'changedAt'>;

export type CredentialStore = {
  readonly find: (tenant: Edb) => Promise<SealedCredential | null>;
  readonly list: () => Promise<readonly SealedCredential[]>;
  /** In the order of tenants, after the given one. */
  readonly page: (after: string, limit: number) => Promise<readonly SealedCredential[]>;
  /** What is known of every certificate, without the certificates and keys themselves, which are large. */
  readonly facts: () => Promise<readonly CertificateFacts[]>;
  /** Replaces the sealed key alone, unless it is no longer the given one; returns whether it was replaced. */
  readonly reseal: (
    tenant: Edb,
    former: Uint8Array,
    sealed: Pick<SealedCredential, 'sealedKey' | 'sealedBy'>,
  ) => Promise<boolean>;
  /** Replaces the former credential. */
  readonly save: (credential: SealedCredential) => Promise<void>;
  readonly remove: (tenant: Edb) => Promise<void>;
};
