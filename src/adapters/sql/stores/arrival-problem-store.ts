import type { ArrivalProblemStore } from '../../../application/ports/storage/inbound-store.ts';
import type { ArrivalProblem } from '../../../domain/documents/arrival-problem.ts';
import type { Sql } from '../engine.ts';

const LIST = `
  select subject, cause, reason, since, failures, due_at as "dueAt", seen_at as "seenAt",
    inbound_problem.doc_uid as "docUid"
  from inbound_problem
  left join inbound on inbound.tenant = inbound_problem.tenant and inbound.id = inbound_problem.doc_uid
  where inbound_problem.tenant = $1 and acked_at is null
  order by subject`;

const SAVE = `
  insert into inbound_problem (tenant, subject, cause, reason, since, failures, due_at, seen_at, doc_uid)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  on conflict (tenant, subject) do update set cause = excluded.cause, reason = excluded.reason, since = excluded.since,
    failures = excluded.failures, due_at = excluded.due_at, seen_at = excluded.seen_at, doc_uid = excluded.doc_uid`;

export function arrivalProblemStore(sql: Sql): ArrivalProblemStore {
  return {
    list: (tenant) => sql.all<ArrivalProblem>(LIST, [tenant]),
    async save(tenant, { subject, cause, reason, since, failures, dueAt, seenAt, docUid }) {
      await sql.run(SAVE, [tenant, subject, cause, reason, since, failures, dueAt, seenAt, docUid]);
    },
    async remove(tenant, subject) {
      await sql.run('delete from inbound_problem where tenant = $1 and subject = $2', [tenant, subject]);
    },
    async removeUnstored(tenant) {
      await sql.run('delete from inbound_problem where tenant = $1 and doc_uid is null', [tenant]);
    },
    async makeDue(tenant, cause, now) {
      await sql.run('update inbound_problem set due_at = $3 where tenant = $1 and cause = $2 and due_at > $3', [
        tenant,
        cause,
        now,
      ]);
    },
  };
}
