import type { Edb } from '../../domain/accounts/edb.ts';

/** Signs in a tenant's name. The key may lie in this process or in a token elsewhere. */
export type Signer = {
  /** Hexadecimal, upper case, without leading zeros, as the authority shows it. */
  readonly serialNumber: string;
  /** The certificate, DER in base64. */
  readonly certificate: string;
  /** RFC 3339. */
  readonly validTo: string;
  /** The key is outside of this process: signing takes none of its threads, and may take long. */
  readonly isExternal?: true;
  /** A compact JWS over the text. */
  readonly sign: (text: string) => Promise<string>;
};

export type Signers = {
  /** Null where the tenant has no certificate. Throws KeyUnopened where its key cannot be used in this process. */
  readonly find: (tenant: Edb) => Promise<Signer | null>;
};
