import type { RecurringTaskName } from '../../../../application/ports/storage/recurring-task-store.ts';
import type { WorkloadStore } from '../../../../application/ports/storage/workload/workload-store.ts';
import { FAILURES_TO_TELL } from '../../../../domain/accounts/failures-in-a-row.ts';
import {
  OUTBOUND_STATUS,
  OUTBOUND_STATUSES,
  type OutboundStatus,
} from '../../../../domain/documents/outbound-status.ts';
import type { Sql } from '../../engine.ts';
import { firstDue } from './first-due.ts';

/** From the counters of the list index, tenant by tenant: its key begins so. */
const BY_STATUS = `
  select state as status, sum(documents) as documents
  from tenant cross join listing_group_count
  where listing_group_count.tenant = tenant.edb and list = 'outbound' and scope = '' group by state`;

const OLDEST_DUE = firstDue(
  OUTBOUND_STATUSES.filter((status) => status <= OUTBOUND_STATUS.accepted),
  'tenant not in (select edb from tenant where stopped_until > $1)',
);

const TASKS = `
  select name, count(*) as scheduled, sum(case when failures >= ${FAILURES_TO_TELL} then 1 else 0 end) as failing,
    min(case when due_at <= $1 then due_at end) as due_at
  from recurring_task group by name`;

type TaskRow = {
  readonly name: RecurringTaskName;
  readonly scheduled: number;
  readonly failing: number;
  readonly due_at: number | null;
};

export function workloadStore(sql: Sql): WorkloadStore {
  return {
    async outboundByStatus() {
      const rows = await sql.all<{ status: OutboundStatus; documents: number }>(BY_STATUS, []);
      return new Map(rows.map(({ status, documents }) => [status, Number(documents)]));
    },
    async oldestDueAt(now) {
      const rows = await sql.all<{ status: OutboundStatus; due_at: number }>(OLDEST_DUE, [now]);
      return new Map(rows.map(({ status, due_at }) => [status, due_at]));
    },
    async recurringTasks(now) {
      const rows = await sql.all<TaskRow>(TASKS, [now]);
      return rows.map(({ name, scheduled, failing, due_at }) => ({
        name,
        scheduled: Number(scheduled),
        failing: Number(failing),
        oldestDueAt: due_at,
      }));
    },
  };
}
