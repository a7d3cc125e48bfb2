import { type Edb, parseEdb } from '../domain/edb.ts';
import type { Tenant, TenantSettings } from '../domain/tenant.ts';
import { ACCOUNT_REFUSED } from './delivery-failure.ts';
import { OperatorError } from './operator-error.ts';
import type { Clock, Storage } from './ports.ts';

type Needs = { readonly storage: Storage; readonly clock: Clock };

export type TenantChanges = Partial<Omit<TenantSettings, 'edb'>>;

export type ManageTenants = {
  readonly add: (tenant: TenantSettings) => Promise<Tenant>;
  readonly list: () => Promise<readonly Tenant[]>;
  readonly find: (edbText: string) => Promise<Tenant>;
  readonly set: (edbText: string, changes: TenantChanges) => Promise<Tenant>;
};

/** The operator's work on tenants. */
export function manageTenants({ storage, clock }: Needs): ManageTenants {
  async function find(edbText: string, from: Storage = storage): Promise<Tenant> {
    const tenant = await from.tenants.find(readEdb(edbText));
    if (tenant === null) throw new OperatorError('not-found', `There is no tenant ${edbText}.`);
    return tenant;
  }

  return {
    find: (edbText) => find(edbText),
    list: () => storage.tenants.list(),
    async add(tenant) {
      const added = await storage.transaction((tx) => tx.tenants.add(tenant, clock.now()));
      if (!added) throw new OperatorError('refused', `There is a tenant ${tenant.edb} already.`);
      return { ...tenant, stopped: null };
    },
    set: (edbText, changes) =>
      storage.transaction(async (tx) => {
        const changed = { ...(await find(edbText, tx)), ...changes };
        await tx.tenants.update(changed);
        if (changes.eujpId === undefined && changes.environment === undefined) return changed;
        // What the authority refused so far was another account.
        await tx.tenants.resume(changed.edb);
        await tx.deliveries.hasten(changed.edb, ACCOUNT_REFUSED, clock.now());
        return { ...changed, stopped: null };
      }),
  };
}

export function readEdb(text: string): Edb {
  const edb = parseEdb(text);
  if (edb === null) throw new OperatorError('refused', `"${text}" is not an EDB: it has 13 digits.`);
  return edb;
}
