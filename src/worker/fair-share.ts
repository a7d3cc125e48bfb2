import type { Tenant } from '../domain/accounts/tenant.ts';

export type ShareLimits = {
  readonly mostAtOnce: number;
  /** One user of the authority gets one request a second: more documents at once would only wait for each other. */
  readonly mostPerUser: number;
};

/** How many documents each may have. */
export type Shares = readonly (readonly [Tenant, number])[];

export function documentsIn(shares: Shares): number {
  return shares.reduce((sum, [, count]) => sum + count, 0);
}

/** How many more documents each of the tenants may have under way, in their order, beside what is under way already. */
export function fairShare(
  tenants: readonly Tenant[],
  underWay: readonly Tenant[],
  limits: ShareLimits,
  now: number,
): Shares {
  const used = new Map<string, number>();
  const take = (tenant: Tenant, count: number) => {
    for (const name of [userOf(tenant), tenant.edb]) used.set(name, (used.get(name) ?? 0) + count);
  };
  for (const tenant of underWay) take(tenant, 1);
  let free = limits.mostAtOnce - underWay.length;
  return tenants.flatMap((tenant) => {
    const ofUser = limits.mostPerUser - (used.get(userOf(tenant)) ?? 0);
    const ofTenant = mostOf(tenant, now) - (used.get(tenant.edb) ?? 0);
    const count = Math.min(free, ofUser, ofTenant);
    if (count <= 0) return [];
    free -= count;
    take(tenant, count);
    return [[tenant, count] as const];
  });
}

/** While a tenant's account is not accepted, one document at a time finds out whether it is again. */
function mostOf({ stopped }: Tenant, now: number): number {
  if (stopped === null) return Number.POSITIVE_INFINITY;
  return stopped.until <= now ? 1 : 0;
}

/** Tenants may share a user: an accountant signs for many companies. */
function userOf({ environment, eujpId, edb }: Tenant): string {
  return `${environment} ${eujpId ?? edb}`;
}
