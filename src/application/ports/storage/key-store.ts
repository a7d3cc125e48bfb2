import type { ApiKey } from '../../../domain/accounts/api-key.ts';
import type { Edb } from '../../../domain/accounts/edb.ts';
import type { Tenant } from '../../../domain/accounts/tenant.ts';

export type KeyStore = {
  readonly add: (key: ApiKey, secretSha256: Uint8Array) => Promise<void>;
  readonly findBySecret: (
    secretSha256: Uint8Array,
  ) => Promise<{ readonly key: ApiKey; readonly tenant: Tenant } | null>;
  readonly find: (keyId: string) => Promise<ApiKey | null>;
  readonly list: (tenant: Edb | null) => Promise<readonly ApiKey[]>;
  /** Everything but its last use. */
  readonly update: (key: ApiKey) => Promise<void>;
  /** Writes nothing where a use within the last hour is on record. */
  readonly recordUse: (tenant: Edb, keyId: string, at: number) => Promise<void>;
};
