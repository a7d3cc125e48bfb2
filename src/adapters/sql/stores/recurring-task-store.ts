import type { ClaimedTask, RecurringTaskStore } from '../../../application/ports/storage/recurring-task-store.ts';
import type { Sql } from '../engine.ts';

export function recurringTaskStore(sql: Sql): RecurringTaskStore {
  return {
    async schedule(tenant, names, dueAt) {
      for (const name of names) {
        await sql.run(
          'insert into recurring_task (tenant, name, due_at, failures) values ($1, $2, $3, 0) on conflict do nothing',
          [tenant, name, dueAt],
        );
      }
    },
    claim: ({ token, until }, now, limit) =>
      sql.all<ClaimedTask>(
        `with due as materialized (
           select tenant, name from recurring_task where due_at <= $3 order by due_at limit $4 /*postgres for update skip locked*/
         )
         update recurring_task set lease = $1, due_at = $2 where (tenant, name) in (select tenant, name from due)
         returning tenant, name, note as checkpoint, failures`,
        [token, until, now, limit],
      ),
    async reschedule({ tenant, name }, token, { dueAt, checkpoint, failures, failure }) {
      const settled = await sql.run(
        `update recurring_task set lease = null, due_at = $4, note = $5, failures = $6, failure = $7
         where tenant = $1 and name = $2 and lease = $3`,
        [tenant, name, token, dueAt, checkpoint, failures, failure],
      );
      return settled === 1;
    },
    async runNow(tenant, name, now) {
      await sql.run(
        'update recurring_task set due_at = $3 where tenant = $1 and name = $2 and lease is null and due_at > $3',
        [tenant, name, now],
      );
    },
  };
}
