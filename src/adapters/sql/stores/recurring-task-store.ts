import type { ClaimedTask, RecurringTaskStore } from '../../../application/ports/storage/recurring-task-store.ts';
import type { Sql } from '../engine.ts';

const USER = "coalesce(tenant.environment || ' ' || tenant.eujp_id, recurring_task.tenant)";

const RUNNING = '/*sqlite json_each($5)*/ /*postgres json_array_elements_text(cast($5 as json))*/';

const EXCEPT = '/*sqlite json_each($7)*/ /*postgres json_array_elements_text(cast($7 as json))*/';

/** Users with a full share are left out before the limit applies, so that they do not hide the due tasks of others. */
const CLAIM = `
  with taken as materialized (
    select value as name, count(*) as runs from ${RUNNING} group by value
  ), due as materialized (
    select recurring_task.tenant, recurring_task.name, recurring_task.due_at, ${USER} as user_name
    from recurring_task left join tenant on tenant.edb = recurring_task.tenant
    where due_at <= $3
      and ${USER} || ' ' || recurring_task.name not in (select name from taken where runs >= $6)
      and recurring_task.tenant not in (select value from ${EXCEPT})
    order by due_at limit $4 /*postgres for update of recurring_task skip locked*/
  ), ranked as (
    select tenant, name, row_number() over (partition by user_name, name order by due_at)
      + coalesce((select runs from taken where taken.name = user_name || ' ' || due.name), 0) as place
    from due
  )
  update recurring_task set lease = $1, due_at = $2
  where (tenant, name) in (select tenant, name from ranked where place <= $6)
  returning tenant, name, note as checkpoint, failures, quiet_runs as "quietRuns",
    coalesce(
      (select environment || ' ' || eujp_id from tenant where edb = recurring_task.tenant), recurring_task.tenant
    ) as "user",
    (
      select count(*) from tenant as own
      join tenant as sharing on sharing.environment = own.environment and sharing.eujp_id = own.eujp_id
      where own.edb = recurring_task.tenant
    ) as "tenantsOfUser"`;

/** Waits for nobody, who might wait for a row that it has recalled: whatever is locked is being written by a clock that is trusted. */
const RECALL = `
  with postponed as materialized (
    select tenant as of_tenant from recurring_task
    where name = $1 and due_at > $2 and ((lease is not null and due_at > $3) or (lease is null and due_at > $4))
    /*postgres for update skip locked*/
  )
  update recurring_task set due_at = $2 where name = $1 and tenant in (select of_tenant from postponed)`;

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
    async remove(tenant) {
      await sql.run('delete from recurring_task where tenant = $1', [tenant]);
    },
    async isAnyDue(now) {
      return (await sql.get('select 1 as due from recurring_task where due_at <= $1 limit 1', [now])) !== null;
    },
    claim: ({ token, until }, now, limit, { maxPerName, running, except = [] }) => {
      const names = running.map(({ user, name }) => `${user} ${name}`);
      const lists = [JSON.stringify(names), maxPerName, JSON.stringify(except)];
      return sql.all<ClaimedTask>(CLAIM, [token, until, now, limit, ...lists]);
    },
    recallPostponed: (name, now, { leaseMs, pauseMs }) => sql.run(RECALL, [name, now, now + leaseMs, now + pauseMs]),
    async renew({ tenant, name }, { token, until }) {
      await sql.run('update recurring_task set due_at = $4 where tenant = $1 and name = $2 and lease = $3', [
        tenant,
        name,
        token,
        until,
      ]);
    },
    async reschedule({ tenant, name }, token, { dueAt, checkpoint, failures, failure, quietRuns }) {
      const settled = await sql.run(
        `update recurring_task set lease = null, due_at = $4, note = $5, failures = $6, failure = $7, quiet_runs = $8
         where tenant = $1 and name = $2 and lease = $3`,
        [tenant, name, token, dueAt, checkpoint, failures, failure, quietRuns],
      );
      return settled === 1;
    },
    async runNow(tenant, name, now) {
      await sql.run(
        'update recurring_task set due_at = $3 where tenant = $1 and name = $2 and lease is null and due_at > $3',
        [tenant, name, now],
      );
    },
    async retryFailed(tenant, now) {
      await sql.run(
        'update recurring_task set due_at = $2 where tenant = $1 and failures > 0 and lease is null and due_at > $2',
        [tenant, now],
      );
    },
    async followFrom(tenant, day, now) {
      await sql.run(
        `update recurring_task set lease = null, due_at = $3, note = case when note < $2 then note else $2 end
         where tenant = $1 and name = 'follow'`,
        [tenant, day, now],
      );
    },
  };
}
