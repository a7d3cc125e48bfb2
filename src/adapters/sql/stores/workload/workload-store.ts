import type { RecurringTaskName } from '../../../../application/ports/storage/recurring-task-store.ts';
import type { UnknownSince, WorkloadStore } from '../../../../application/ports/storage/workload/workload-store.ts';
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

/** In an outage all that wait are about as old; more of them would keep other calls waiting. */
const MOST_LOOKED_AT = 500;

/** By the history: rows of what was sent are large. The condition is that of the index of what is due. */
const UNKNOWN_SINCE = `
  select (
    select min(since) from (
      select (
        select max(at) from outbound_history
        where outbound_history.tenant = waiting.tenant and outbound_history.doc_uid = waiting.id and status = ${OUTBOUND_STATUS.sent}
      ) as since
      from (
        select tenant, id from outbound
        where status = ${OUTBOUND_STATUS.sent} and status <= ${OUTBOUND_STATUS.accepted} and due_at is not null
        order by due_at limit ${MOST_LOOKED_AT}
      ) as waiting
    ) as documents
  ) as document,
  (select min(sent_at) from outbound_void where due_at is not null and state = 'sent') as void`;

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
    async unknownSince() {
      const { document = null, void: ofVoid = null } = (await sql.get<UnknownSince>(UNKNOWN_SINCE, [])) ?? {};
      return { document, void: ofVoid };
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
