import type { TenantStore } from '../../application/ports.ts';
import type { Edb } from '../../domain/edb.ts';
import type { AuthorityEnvironment, Tenant } from '../../domain/tenant.ts';
import type { Sql } from './engine.ts';

export type TenantRow = {
  readonly edb: Edb;
  readonly name: string;
  readonly environment: AuthorityEnvironment;
  readonly outbound_enabled: number;
  readonly eujp_id: string | null;
};

const COLUMNS = 'edb, name, environment, outbound_enabled, eujp_id';

export function tenantStore(sql: Sql): TenantStore {
  return {
    async add(tenant, now) {
      const added = await sql.run(
        `insert into tenant (${COLUMNS}, created_at) values ($1, $2, $3, $4, $5, $6) on conflict do nothing`,
        [...values(tenant), now],
      );
      return added === 1;
    },
    async find(edb) {
      const row = await sql.get<TenantRow>(`select ${COLUMNS} from tenant where edb = $1`, [edb]);
      return row === null ? null : toTenant(row);
    },
    async list() {
      return (await sql.all<TenantRow>(`select ${COLUMNS} from tenant order by edb`, [])).map(toTenant);
    },
    async update(tenant) {
      const updated = await sql.run(
        'update tenant set name = $2, environment = $3, outbound_enabled = $4, eujp_id = $5 where edb = $1',
        values(tenant),
      );
      return updated === 1;
    },
  };
}

export function toTenant(row: TenantRow): Tenant {
  return {
    edb: row.edb,
    name: row.name,
    environment: row.environment,
    outboundEnabled: row.outbound_enabled === 1,
    eujpId: row.eujp_id,
  };
}

function values(tenant: Tenant) {
  return [tenant.edb, tenant.name, tenant.environment, tenant.outboundEnabled ? 1 : 0, tenant.eujpId];
}
