import type { Edb } from '../domain/accounts/edb.ts';

/** The order in which tenants are served: least recently served first. */
export type TenantOrder = {
  readonly leastRecentFirst: (tenants: readonly Edb[]) => readonly Edb[];
  /** Records that these tenants were served together, just now. */
  readonly served: (tenants: readonly Edb[]) => void;
};

export function createTenantOrder(): TenantOrder {
  const lastServed = new Map<Edb, number>();
  let rounds = 0;
  const lastRound = (tenant: Edb) => lastServed.get(tenant) ?? 0;
  return {
    leastRecentFirst: (tenants) => tenants.toSorted((one, other) => lastRound(one) - lastRound(other)),
    served(tenants) {
      rounds += 1;
      for (const tenant of tenants) lastServed.set(tenant, rounds);
    },
  };
}
