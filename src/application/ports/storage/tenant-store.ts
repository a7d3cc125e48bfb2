import type { Edb } from '../../../domain/accounts/edb.ts';
import type { Tenant, TenantSettings } from '../../../domain/accounts/tenant.ts';

export type TenantStore = {
  readonly add: (tenant: TenantSettings, now: number) => Promise<boolean>;
  readonly find: (edb: Edb) => Promise<Tenant | null>;
  readonly list: () => Promise<readonly Tenant[]>;
  /** Changes the settings; whether delivery is stopped stays as it is. */
  readonly update: (tenant: TenantSettings) => Promise<boolean>;
  /** Leaves the tenant alone for a while, longer each time in a row; returns until when. One that is stopped stays so. */
  readonly stop: (edb: Edb, reason: string, now: number) => Promise<number>;
  /** The next stop is a first one again. */
  readonly resume: (edb: Edb) => Promise<void>;
};
