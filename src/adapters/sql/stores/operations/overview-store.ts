import type {
  OldestDocument,
  OverviewStore,
  TaskRun,
  TaskState,
} from '../../../../application/ports/storage/operations/overview-store.ts';
import { FAILURES_TO_TELL } from '../../../../domain/accounts/failures-in-a-row.ts';
import type { OutboundStatus } from '../../../../domain/documents/outbound-status.ts';
import type { Sql } from '../../engine.ts';
import { ALL_PARTNERS } from '../../list-index/list-index.ts';

/** The counters of the list index, of the list with all documents of each tenant. */
const COUNT = `
  select state, sum(documents) as documents from tenant
  join listing_group_count on listing_group_count.tenant = tenant.edb and list = 'outbound' and scope = '${ALL_PARTNERS}'
  group by state`;

/** One look-up in the index for each tenant. */
const OLDEST = `
  select tenant, doc_uid as "docUid" from (
    select edb as tenant, (
      select doc_uid from listing
      where listing.tenant = edb and list = 'outbound' and scope = '${ALL_PARTNERS}' and state = $1 order by doc_uid limit 1
    ) as doc_uid
    from tenant
  ) as oldest where doc_uid is not null`;

const TASKS = `
  select environment, count(*) as tasks, sum(case when failures > 0 then 1 else 0 end) as failing,
    sum(case when failures >= ${FAILURES_TO_TELL} then 1 else 0 end) as "keepFailing",
    min(case when failures >= ${FAILURES_TO_TELL} then tenant end) as "failingTenant",
    max(case when failures > 0 then failure end) as failure
  from recurring_task join tenant on tenant.edb = recurring_task.tenant group by environment order by environment`;

export function overviewStore(sql: Sql): OverviewStore {
  return {
    async countOutbound() {
      const rows = await sql.all<{ readonly state: OutboundStatus; readonly documents: number }>(COUNT, []);
      return new Map(rows.map(({ state, documents }) => [state, Number(documents)]));
    },
    async oldest(statuses) {
      const found: OldestDocument[] = [];
      for (const status of statuses) {
        const rows = await sql.all<Omit<OldestDocument, 'status'>>(OLDEST, [status]);
        found.push(...rows.map((row) => ({ ...row, status })));
      }
      return found;
    },
    taskRuns: (tenant) =>
      sql.all<TaskRun>(
        'select name, due_at as "dueAt", failures, failure from recurring_task where tenant = $1 order by name',
        [tenant],
      ),
    async taskStates() {
      const rows = await sql.all<TaskState>(TASKS, []);
      return rows.map((row) => ({
        ...row,
        tasks: Number(row.tasks),
        failing: Number(row.failing),
        keepFailing: Number(row.keepFailing),
      }));
    },
  };
}
