import type { Edb } from '../../../domain/accounts/edb.ts';
import type { Sql } from '../engine.ts';

type Side = 'outbound' | 'inbound';

/**
 * Serialises transactions that change one side of a tenant: its list, the states of its documents and, for outbound, the tenant
 * itself. Take it before changing any row, so that no deadlock is possible between this lock and row locks, but as late as that
 * allows, because the tenant's next transaction waits until this one is committed. Who waits for it must hold that of no other tenant.
 */
export function lockTenant(sql: Sql, tenant: Edb, side: Side): void {
  sql.lock(lockName(tenant, side));
}

/** Takes the locks of the tenants where they are free, without waiting; returns whose they are. */
export async function tryLockTenants(sql: Sql, tenants: readonly Edb[], side: Side): Promise<ReadonlySet<Edb>> {
  const taken = await sql.tryLocks(tenants.map((tenant) => lockName(tenant, side)));
  return new Set(tenants.filter((tenant) => taken.has(lockName(tenant, side))));
}

function lockName(tenant: Edb, side: Side): string {
  return `${side} ${tenant}`;
}
