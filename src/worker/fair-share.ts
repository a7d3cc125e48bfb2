import type { Tenant } from '../domain/tenant.ts';

export type ShareLimits = {
  readonly mostAtOnce: number;
  /** One user of the authority gets one request a second: more documents at once would only wait for each other. */
  readonly mostPerUser: number;
};

/** How many more documents each of the tenants may have under way, in their order, beside what is under way already. */
export function fairShare(
  tenants: readonly Tenant[],
  underWay: readonly Tenant[],
  limits: ShareLimits,
  now: number,
): readonly (readonly [Tenant, number])[] {
  const perUser = new Map<string, number>();
  for (const tenant of underWay) perUser.set(userOf(tenant), (perUser.get(userOf(tenant)) ?? 0) + 1);
  let free = limits.mostAtOnce - underWay.length;
  return tenants.flatMap((tenant) => {
    const used = perUser.get(userOf(tenant)) ?? 0;
    const count = Math.min(free, mostOf(tenant, limits, now) - used);
    if (count <= 0) return [];
    free -= count;
    perUser.set(userOf(tenant), used + count);
    return [[tenant, count] as const];
  });
}

/** While a tenant's account is not accepted, one document at a time finds out whether it is again. */
function mostOf({ stopped }: Tenant, { mostPerUser }: ShareLimits, now: number): number {
  if (stopped === null) return mostPerUser;
  return stopped.until <= now ? 1 : 0;
}

/** Tenants may share a user: an accountant signs for many companies. */
function userOf({ environment, eujpId, edb }: Tenant): string {
  return `${environment} ${eujpId ?? edb}`;
}
