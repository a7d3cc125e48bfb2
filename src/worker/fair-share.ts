import { mayTryDuring } from '../domain/accounts/queue-state.ts';
import type { Tenant } from '../domain/accounts/tenant.ts';

export type ShareLimits = {
  /** Deliveries in progress at the same time in this process. */
  readonly maxInProgress: number;
  /** The authority allows each user one request a second: more documents at once would only wait for each other. */
  readonly maxPerUser: number;
};

/** How many documents to claim for each tenant. */
export type Shares = readonly (readonly [Tenant, number])[];

export function totalOf(shares: Shares): number {
  return shares.reduce((sum, [, count]) => sum + count, 0);
}

/** How many more documents of each tenant may be delivered now, given the deliveries in progress. The first tenants are served first. */
export function fairShare(
  tenants: readonly Tenant[],
  inProgress: readonly Tenant[],
  limits: ShareLimits,
  now: number,
): Shares {
  const used = new Map<string, number>();
  const take = (tenant: Tenant, count: number) => {
    for (const name of [userOf(tenant), tenant.edb]) used.set(name, (used.get(name) ?? 0) + count);
  };
  for (const tenant of inProgress) take(tenant, 1);
  let free = limits.maxInProgress - inProgress.length;
  return tenants.flatMap((tenant) => {
    const ofUser = limits.maxPerUser - (used.get(userOf(tenant)) ?? 0);
    const ofTenant = tenantLimit(tenant, now) - (used.get(tenant.edb) ?? 0);
    const count = Math.min(free, ofUser, ofTenant);
    if (count <= 0) return [];
    free -= count;
    take(tenant, count);
    return [[tenant, count] as const];
  });
}

function tenantLimit({ stopped }: Tenant, now: number): number {
  if (stopped === null) return Number.POSITIVE_INFINITY;
  return mayTryDuring(stopped, now) ? 1 : 0;
}

/** Tenants may share a user of the authority: an accountant signs for many companies. */
function userOf({ environment, eujpId, edb }: Tenant): string {
  return `${environment} ${eujpId ?? edb}`;
}
