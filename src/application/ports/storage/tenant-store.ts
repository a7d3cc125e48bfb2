import type { Edb } from '../../../domain/accounts/edb.ts';
import type { Tenant, TenantSettings } from '../../../domain/accounts/tenant.ts';

export type TenantStore = {
  /** Returns false when there is a tenant with that EDB. */
  readonly add: (tenant: TenantSettings, now: number) => Promise<boolean>;
  readonly find: (edb: Edb) => Promise<Tenant | null>;
  readonly list: () => Promise<readonly Tenant[]>;
  /** Changes the settings; does not change whether delivery is stopped. */
  readonly update: (tenant: TenantSettings) => Promise<boolean>;
  /** Stops delivery for a while, longer with each stop in a row; returns until when. A running stop is not prolonged. */
  readonly stop: (edb: Edb, reason: string, now: number) => Promise<number>;
  /** Ends a stop; the next one is a first one again. Returns whether the tenant was stopped. */
  readonly resume: (edb: Edb) => Promise<boolean>;
};
