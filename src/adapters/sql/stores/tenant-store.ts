import type { TenantStore } from '../../../application/ports/storage/tenant-store.ts';
import type { StoreEnvironment } from '../../../application/ports/store-environment.ts';
import type { Edb } from '../../../domain/accounts/edb.ts';
import {
  type AuthorityEnvironment,
  stopPauseMs,
  type Tenant,
  type TenantSettings,
} from '../../../domain/accounts/tenant.ts';
import type { Sql } from '../engine.ts';
import { refuseLostClaim } from '../store-environment.ts';
import { lockTenant } from './tenant-lock.ts';

export type TenantRow = {
  readonly edb: Edb;
  readonly name: string;
  readonly environment: AuthorityEnvironment;
  readonly outbound_enabled: number;
  readonly eujp_id: string | null;
  readonly stopped_until: number | null;
  readonly stopped_since: number | null;
  readonly stopped_reason: string | null;
};

const SETTINGS = 'edb, name, environment, outbound_enabled, eujp_id';

export const TENANT_COLUMNS = `${SETTINGS}, stopped_until, stopped_since, stopped_reason`;

const FIND = `select ${TENANT_COLUMNS} from tenant where edb = $1`;

export function tenantStore(sql: Sql, environment: StoreEnvironment | null = null): TenantStore {
  return {
    async add(tenant, now) {
      if (environment !== null) await refuseLostClaim(sql, environment);
      const added = await sql.run(
        `insert into tenant (${SETTINGS}, created_at) values ($1, $2, $3, $4, $5, $6) on conflict do nothing`,
        [...values(tenant), now],
      );
      return added === 1;
    },
    async find(edb) {
      // Locked within a transaction, so that an update can rely on what was read.
      lockTenant(sql, edb, 'outbound');
      const row = await sql.get<TenantRow>(FIND, [edb]);
      return row === null ? null : toTenant(row);
    },
    async list() {
      return (await sql.all<TenantRow>(`select ${TENANT_COLUMNS} from tenant order by edb`, [])).map(toTenant);
    },
    async update(tenant) {
      lockTenant(sql, tenant.edb, 'outbound');
      const updated = await sql.run(
        'update tenant set name = $2, environment = $3, outbound_enabled = $4, eujp_id = $5 where edb = $1',
        values(tenant),
      );
      return updated === 1;
    },
    async stop(edb, reason, now) {
      lockTenant(sql, edb, 'outbound');
      // Deliveries that fail while the tenant is stopped were under way before: they do not prolong the stop.
      const counted = await sql.get<{ readonly stopped_times: number }>(
        `update tenant set stopped_times = stopped_times + 1
         where edb = $1 and (stopped_until is null or stopped_until <= $2) returning stopped_times`,
        [edb, now],
      );
      if (counted === null) return stoppedUntil(sql, edb);
      const until = now + stopPauseMs(counted.stopped_times);
      await sql.run(
        `update tenant set stopped_since = coalesce(stopped_since, $2), stopped_until = $3, stopped_reason = $4
         where edb = $1`,
        [edb, now, until, reason],
      );
      return until;
    },
    async resume(edb) {
      lockTenant(sql, edb, 'outbound');
      const resumed = await sql.run(
        `update tenant set stopped_until = null, stopped_since = null, stopped_reason = null, stopped_times = 0
         where edb = $1 and stopped_times > 0`,
        [edb],
      );
      return resumed === 1;
    },
  };
}

async function stoppedUntil(sql: Sql, edb: Edb): Promise<number> {
  const row = await sql.get<TenantRow>(FIND, [edb]);
  if (row === null || row.stopped_until === null) throw new Error(`There is no tenant ${edb} to stop.`);
  return row.stopped_until;
}

export function toTenant(row: TenantRow): Tenant {
  const { stopped_until: until, stopped_since: since, stopped_reason: reason } = row;
  return {
    edb: row.edb,
    name: row.name,
    environment: row.environment,
    outboundEnabled: row.outbound_enabled === 1,
    eujpId: row.eujp_id,
    stopped: until === null || since === null ? null : { until, since, reason: reason ?? '' },
  };
}

function values(tenant: TenantSettings) {
  return [tenant.edb, tenant.name, tenant.environment, tenant.outboundEnabled ? 1 : 0, tenant.eujpId];
}
