import type { TenantStore } from '../../../application/ports/storage/tenant-store.ts';
import type { StoreEnvironment } from '../../../application/ports/store-environment.ts';
import type { Edb } from '../../../domain/accounts/edb.ts';
import type { QueueState } from '../../../domain/accounts/queue-state.ts';
import {
  type AuthorityEnvironment,
  type DeliveryStop,
  defaultSettings,
  LONGEST_STOP_MS,
  type ReverseChargeRate,
  type StopCause,
  stopPauseMs,
  type Tenant,
  type TenantSettings,
} from '../../../domain/accounts/tenant.ts';
import type { DocUid } from '../../../domain/documents/doc-uid.ts';
import type { Language } from '../../../domain/messages/languages.ts';
import type { Sql } from '../engine.ts';
import { refuseLostClaim } from '../store-environment.ts';
import { formerEnvironment, leaveEnvironment } from './outbound/former-environment.ts';
import { lockTenant } from './tenant-lock.ts';

export type TenantRow = {
  readonly edb: Edb;
  readonly name: string;
  readonly environment: AuthorityEnvironment;
  readonly outbound_enabled: number;
  readonly eujp_id: string | null;
  readonly reverse_charge_rate: ReverseChargeRate;
  readonly foreign_currency: number;
  readonly language: Language;
} & StopRow;

type StopRow = {
  readonly stopped_until: number | null;
  readonly stopped_since: number | null;
  readonly stopped_reason: string | null;
  readonly stopped_cause: StopCause | null;
};

type QueueRow = StopRow & {
  readonly stopped_times: number;
  readonly refusals_in_a_row: number;
  readonly refused_document: DocUid | null;
  readonly resumed_at: number | null;
};

const SETTINGS = 'edb, name, environment, outbound_enabled, eujp_id, reverse_charge_rate, foreign_currency, language';

const STOP = 'stopped_until, stopped_since, stopped_reason, stopped_cause';

export const TENANT_COLUMNS = `${SETTINGS}, ${STOP}`;

const FIND = `select ${TENANT_COLUMNS} from tenant where edb = $1`;

/** A stop by the version before has no cause: it knows only one. */
const COUNT_STOPPED = `
  select coalesce(stopped_cause, 'account') as cause, count(*) as tenants from tenant
  where stopped_until is not null group by coalesce(stopped_cause, 'account')`;

const NOT_STOPPED = 'stopped_until = null, stopped_since = null, stopped_reason = null, stopped_cause = null';

export function tenantStore(sql: Sql, environment: StoreEnvironment | null = null): TenantStore {
  return {
    async add(tenant, now) {
      if (environment !== null) await refuseLostClaim(sql, environment);
      const added = await sql.run(
        `insert into tenant (${SETTINGS}, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict do nothing`,
        [...values({ ...defaultSettings(environment), ...tenant }), now],
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
    formerEnvironment: (edb, side, docUid) => formerEnvironment(sql, edb, side, docUid),
    async update(tenant) {
      lockTenant(sql, tenant.edb, 'outbound');
      await leaveEnvironment(sql, tenant);
      const updated = await sql.run(
        `update tenant set name = $2, environment = $3, outbound_enabled = $4, eujp_id = $5, reverse_charge_rate = $6,
           foreign_currency = $7, language = $8
         where edb = $1`,
        values(tenant),
      );
      return updated === 1;
    },
    async stop(edb, reason, now) {
      lockTenant(sql, edb, 'outbound');
      // Deliveries that fail while the tenant is stopped were under way before: they do not prolong the stop.
      const counted = await sql.get<{ readonly stopped_times: number }>(
        `update tenant set stopped_times = case when stopped_cause = 'account' then stopped_times + 1 else 1 end
         where edb = $1 and (stopped_until is null or stopped_until <= $2 or stopped_until > $3) returning stopped_times`,
        [edb, now, now + LONGEST_STOP_MS],
      );
      const until =
        counted === null ? await stoppedUntil(sql, edb) : now + stopPauseMs('account', counted.stopped_times);
      await sql.run(
        `update tenant set stopped_since = coalesce(stopped_since, $2), stopped_until = $3, stopped_cause = 'account',
           stopped_reason = case when $5 = 1 or stopped_cause <> 'account' then $4 else stopped_reason end
         where edb = $1`,
        [edb, now, until, reason, counted === null ? 0 : 1],
      );
      return until;
    },
    async resume(edb, now) {
      lockTenant(sql, edb, 'outbound');
      const resumed = await sql.run(
        `update tenant set ${NOT_STOPPED}, refused_document = null, resumed_at = $2,
           stopped_times = case when refusals_in_a_row = 0 then 0 else stopped_times end,
           refusals_in_a_row = case when refusals_in_a_row = 0 then 0 else 1 end
         where edb = $1 and stopped_until is not null`,
        [edb, now],
      );
      return resumed === 1;
    },
    async recordTaken(edb, now) {
      lockTenant(sql, edb, 'outbound');
      const wasStopped = await sql.get<StopRow>(
        `select ${STOP} from tenant where edb = $1 and (stopped_until is not null or refusals_in_a_row > 0)`,
        [edb],
      );
      if (wasStopped === null) return false;
      await sql.run(
        `update tenant set ${NOT_STOPPED}, stopped_times = 0, refusals_in_a_row = 0, refused_document = null,
           resumed_at = case when stopped_until is null then resumed_at else $2 end
         where edb = $1`,
        [edb, now],
      );
      return wasStopped.stopped_until !== null;
    },
    async countStopped() {
      const rows = await sql.all<{ readonly cause: StopCause; readonly tenants: number }>(COUNT_STOPPED, []);
      return new Map(rows.map(({ cause, tenants }) => [cause, Number(tenants)]));
    },
    queueState: (edb) => queueState(sql, edb),
    saveQueueState: (edb, state) => saveQueueState(sql, edb, state),
  };
}

async function queueState(sql: Sql, edb: Edb): Promise<QueueState> {
  lockTenant(sql, edb, 'outbound');
  const row = await sql.get<QueueRow>(
    `select ${STOP}, stopped_times, refusals_in_a_row, refused_document, resumed_at from tenant where edb = $1`,
    [edb],
  );
  if (row === null) throw new Error(`There is no tenant ${edb}.`);
  return {
    stopped: toStop(row),
    timesStopped: row.stopped_times,
    refusalsInARow: row.refusals_in_a_row,
    refusedDocument: row.refused_document,
    resumedAt: row.resumed_at,
  };
}

async function saveQueueState(sql: Sql, edb: Edb, state: QueueState): Promise<void> {
  const { stopped, timesStopped, refusalsInARow, refusedDocument } = state;
  lockTenant(sql, edb, 'outbound');
  await sql.run(
    `update tenant set stopped_until = $2, stopped_since = $3, stopped_reason = $4, stopped_cause = $5,
       stopped_times = $6, refusals_in_a_row = $7, refused_document = $8
     where edb = $1`,
    [
      edb,
      ...[stopped?.until ?? null, stopped?.since ?? null, stopped?.reason ?? null, stopped?.cause ?? null],
      ...[timesStopped, refusalsInARow, refusedDocument],
    ],
  );
}

async function stoppedUntil(sql: Sql, edb: Edb): Promise<number> {
  const row = await sql.get<TenantRow>(FIND, [edb]);
  if (row === null || row.stopped_until === null) throw new Error(`There is no tenant ${edb} to stop.`);
  return row.stopped_until;
}

export function toTenant(row: TenantRow): Tenant {
  return {
    edb: row.edb,
    name: row.name,
    environment: row.environment,
    outboundEnabled: row.outbound_enabled === 1,
    eujpId: row.eujp_id,
    reverseChargeRate: row.reverse_charge_rate,
    foreignCurrency: row.foreign_currency === 1,
    language: row.language,
    stopped: toStop(row),
  };
}

function toStop({
  stopped_until: until,
  stopped_since: since,
  stopped_reason: reason,
  stopped_cause: cause,
}: StopRow): DeliveryStop | null {
  if (until === null || since === null) return null;
  return { until, since, reason: reason ?? '', cause: cause ?? 'account' };
}

function values(tenant: TenantSettings) {
  return [
    tenant.edb,
    tenant.name,
    tenant.environment,
    tenant.outboundEnabled ? 1 : 0,
    tenant.eujpId,
    tenant.reverseChargeRate,
    tenant.foreignCurrency ? 1 : 0,
    tenant.language,
  ];
}
