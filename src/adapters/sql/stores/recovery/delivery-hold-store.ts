import type { DeliveryHoldStore } from '../../../../application/ports/storage/recovery/delivery-hold-store.ts';
import type { Edb } from '../../../../domain/accounts/edb.ts';
import { OUTBOUND_STATUS } from '../../../../domain/documents/outbound-status.ts';
import { type Hold, RESTORED, type RestoredHold } from '../../../../domain/operations/delivery-hold.ts';
import type { Sql } from '../../engine.ts';

type Row = Hold & {
  readonly restored_since: RestoredHold['since'] | null;
  readonly restored_at: RestoredHold['at'] | null;
};

/** Entries of a log that one statement looks through: no index tells the last of all histories, and all of them take longer than a statement may. */
const ENTRIES = 1_000;
const AFTER_ALL = Number.MAX_SAFE_INTEGER;

const SENDING = `select edb from tenant where exists (select 1 from outbound where outbound.tenant = edb)`;

/**
 * Later statuses of registered documents, the rows of 40 with a code, have the authority's time: they may be written after a restore and be of
 * the time between the backup and the restore.
 */
const NEWEST = `
  select count(*) as entries, min(number) as first, max(case when kind = 'status' and at < $3
    and (status <> ${OUTBOUND_STATUS.accepted} or failure_code is null) then at end) as last
  from (
    select number, kind, at, status, failure_code from document_change
    where tenant = $1 and number < $2 order by number desc limit ${ENTRIES}
  ) as newest`;

type Newest = { readonly entries: number; readonly first: number | null; readonly last: number | null };

type UncomparedRow = { readonly tenant: Edb; readonly restored_since: number; readonly restored_at: number };

/** One that has left the service would be named for ever. */
const UNCOMPARED = `
  select uncompared.tenant, uncompared.restored_since, uncompared.restored_at
  from uncompared_tenant as uncompared
  join tenant as account on account.edb = uncompared.tenant and account.eujp_id is not null
  join credential on credential.tenant = uncompared.tenant
  order by uncompared.tenant`;

/** Of restores without a comparison between them the first shows how old the database is, the last until when something was sent. */
const KEEP_UNCOMPARED = `
  insert into uncompared_tenant (tenant, restored_since, restored_at)
  select cast($1 as text), restored_since, restored_at from delivery_hold where restored_at = $2
  on conflict (tenant) do update set restored_at = excluded.restored_at`;

export function deliveryHoldStore(sql: Sql): DeliveryHoldStore {
  return {
    async find() {
      const row = await sql.get<Row>('select reason, since, restored_since, restored_at from delivery_hold', []);
      if (row === null) return null;
      const { reason, since, restored_since: first, restored_at: at } = row;
      return { reason, since, restored: first === null || at === null ? null : { since: first, at } };
    },
    async isHeldFor(tenant) {
      const held = 'select 1 as held from delivery_hold union all select 1 from uncompared_tenant where tenant = $1';
      return (await sql.get(held, [tenant])) !== null;
    },
    async uncompared() {
      const rows = await sql.all<UncomparedRow>(UNCOMPARED, []);
      return rows.map(({ tenant, restored_since: since, restored_at: at }) => ({ tenant, restored: { since, at } }));
    },
    async heldByThemselves() {
      const rows = await sql.all<{ readonly tenant: Edb }>('select tenant from uncompared_tenant order by tenant', []);
      return rows.map(({ tenant }) => tenant);
    },
    set: ({ reason, since }) => (reason === RESTORED ? setRestored(sql, since) : setOther(sql, reason, since)),
    async end() {
      const isRestoredLeft = await sql.run(
        'update delivery_hold set reason = $1, since = restored_since where reason <> $1 and restored_since is not null',
        [RESTORED],
      );
      if (isRestoredLeft === 1) return true;
      if ((await sql.run('delete from delivery_hold where restored_at is null', [])) === 1) return true;
      const restored = await sql.run('delete from delivery_hold', []);
      return (await sql.run('delete from uncompared_tenant', [])) + restored > 0;
    },
    async endRestored(at, uncompared) {
      for (const tenant of uncompared) await sql.run(KEEP_UNCOMPARED, [tenant, at]);
      const isOtherLeft = await sql.run(
        'update delivery_hold set restored_since = null, restored_at = null where reason <> $1 and restored_at = $2',
        [RESTORED, at],
      );
      return isOtherLeft === 1 || (await sql.run('delete from delivery_hold where restored_at = $1', [at])) === 1;
    },
    async endUncompared(tenant) {
      return (await sql.run('delete from uncompared_tenant where tenant = $1', [tenant])) === 1;
    },
    lastMoveBefore: (time) => lastMoveBefore(sql, time),
  };
}

async function setOther(sql: Sql, reason: string, since: number): Promise<void> {
  await sql.run(
    `insert into delivery_hold (id, reason, since) values (1, $1, $2)
     on conflict (id) do update set reason = excluded.reason, since = excluded.since`,
    [reason, since],
  );
}

/** The first time is kept until it is reconciled: it may be in the backup, which was taken while nothing was sent. */
async function setRestored(sql: Sql, at: number): Promise<void> {
  await sql.run(
    `insert into delivery_hold (id, reason, since, restored_since, restored_at) values (1, $1, $2, $2, $2)
     on conflict (id) do update set
       restored_since = coalesce(delivery_hold.restored_since, excluded.restored_since),
       restored_at = excluded.restored_at`,
    [RESTORED, at],
  );
}

/** When a document of any tenant was moved last before that time. Its log has every row of its histories, in the order in which they were written. */
async function lastMoveBefore(sql: Sql, time: number): Promise<number | null> {
  let last: number | null = null;
  for (const { edb } of await sql.all<{ readonly edb: Edb }>(SENDING, [])) {
    const ofTenant = await lastOf(sql, edb, time);
    if (ofTenant !== null && (last === null || ofTenant > last)) last = ofTenant;
  }
  return last;
}

async function lastOf(sql: Sql, tenant: Edb, time: number): Promise<number | null> {
  for (let before = AFTER_ALL; ; ) {
    const found: Newest | null = await sql.get<Newest>(NEWEST, [tenant, before, time]);
    if (found === null || found.last !== null) return found?.last ?? null;
    if (found.entries < ENTRIES || found.first === null) return null;
    before = found.first;
  }
}
