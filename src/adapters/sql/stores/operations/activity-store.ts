import type { ActivityStore, CountedMove } from '../../../../application/ports/storage/operations/activity-store.ts';
import type { Edb } from '../../../../domain/accounts/edb.ts';
import type { DocUid } from '../../../../domain/documents/doc-uid.ts';
import type { OutboundStatus } from '../../../../domain/documents/outbound-status.ts';
import type { ActivityCount } from '../../../../domain/operations/document-activity.ts';
import type { Sql } from '../../engine.ts';

type EntryRow = {
  readonly number: number;
  readonly at: number;
  readonly kind: string;
  readonly doc_uid: DocUid;
  readonly status: OutboundStatus | null;
  readonly failure_code: string | null;
};

/** One look-up of the last entry for each tenant. */
const BEHIND = `
  select tenant from (
    select edb as tenant, activity_progress.number as counted,
      (select max(number) from document_change where document_change.tenant = edb) as last
    from tenant left join activity_progress on activity_progress.tenant = edb
  ) as progress where last is not null and (counted is null or last > counted) order by tenant`;

type StepRow = { readonly step: number; readonly label: string; readonly documents: number };

/** Added up by the database, from an index alone: thirty days of many failure codes are tens of thousands of counts. */
const MOVES_BY_STEP = `
  select (hour - cast($1 as bigint)) / cast($2 as bigint) as step, label, sum(documents) as documents from document_activity
  where measure = 'status' and hour >= $1 group by label, step`;
const TOTALS = `
  select measure, label, sum(documents) as documents from document_activity
  where measure in ('failure', 'retry', 'delivery-time') and hour >= $1 group by measure, label`;

export function activityStore(sql: Sql): ActivityStore {
  return {
    lock: () => sql.lock('activity'),
    behind: async () => (await sql.all<{ readonly tenant: Edb }>(BEHIND, [])).map(({ tenant }) => tenant),
    async countedUpTo(tenant) {
      const text = 'select number from activity_progress where tenant = $1';
      return (await sql.get<{ readonly number: number }>(text, [tenant]))?.number ?? null;
    },
    async moves(tenant, number, limit) {
      const rows = await sql.all<EntryRow>(
        `select number, at, kind, doc_uid, status, failure_code from document_change
         where tenant = $1 and number > $2 order by number limit $3`,
        [tenant, number ?? Number.MIN_SAFE_INTEGER, limit],
      );
      return { moves: rows.flatMap(toMove), entries: rows.length, last: rows.at(-1)?.number ?? null };
    },
    async add(counts) {
      for (const { hour, measure, label, documents } of counts) {
        await sql.run(
          `insert into document_activity (hour, measure, label, documents) values ($1, $2, $3, $4)
           on conflict (hour, measure, label) do update set documents = document_activity.documents + excluded.documents`,
          [hour, measure, label, documents],
        );
      }
    },
    async setCounted(tenant: Edb, number) {
      await sql.run(
        `insert into activity_progress (tenant, number) values ($1, $2)
         on conflict (tenant) do update set number = excluded.number`,
        [tenant, number],
      );
    },
    async movesByStep(fromHour, stepMs) {
      const rows = await sql.all<StepRow>(MOVES_BY_STEP, [fromHour, stepMs]);
      return rows.map(({ step, label, documents }) => ({
        step: Number(step),
        status: Number(label) as OutboundStatus,
        documents: Number(documents),
      }));
    },
    async totals(fromHour) {
      const rows = await sql.all<Omit<ActivityCount, 'hour'>>(TOTALS, [fromHour]);
      return rows.map((row) => ({ ...row, documents: Number(row.documents) }));
    },
    async deleteBefore(hour) {
      await sql.run('delete from document_activity where hour < $1', [hour]);
    },
  };
}

function toMove({ at, kind, doc_uid: docUid, status, failure_code: failureCode }: EntryRow): CountedMove[] {
  return kind === 'status' && status !== null ? [{ at, docUid, status, failureCode }] : [];
}
