import type { DeliveryStage, LongestWaits } from '../../../../application/ports/storage/delivery-store.ts';
import { OUTBOUND_STATUS } from '../../../../domain/documents/outbound-status.ts';
import type { Sql } from '../../engine.ts';

const { received, sent } = OUTBOUND_STATUS;

/**
 * How long a document is held back is known only to the process that took it: it is the time from its creation to when it is due, where
 * both were written by the same clock. A clock that was ahead by less than that does not delay it much.
 */
const HELD_BY_WRONG_CLOCK = `status = ${received} and due_at >= created_at and 2 * created_at - due_at > $2`;

const IMPOSSIBLE = `(
  (lease is not null and due_at > $2)
  or (lease is null and ${HELD_BY_WRONG_CLOCK})
  or (lease is null and status = ${sent} and due_at > $3)
  or (lease is null and due_at > $4 and status <> ${received})
)`;

/**
 * Tenant by tenant in the index of due times, so that a long queue of what is due costs nothing. The writes of other processes wait for
 * none of these rows: whatever is locked is being written by a clock that is trusted.
 */
export async function recallPostponed(
  sql: Sql,
  waiting: Readonly<Record<DeliveryStage, string>>,
  now: number,
  { leaseMs, lookUpMs, retryMs }: LongestWaits,
  limit: number,
): Promise<number> {
  const latest = [now + leaseMs, now + lookUpMs, now + retryMs];
  let recalled = 0;
  for (const stage of Object.values(waiting)) {
    recalled += await sql.run(
      `with postponed as materialized (
         select tenant as of_tenant, id as of_document from outbound
         where ${stage} and tenant in (select edb from tenant) and due_at > $1 and ${IMPOSSIBLE}
         limit $5 /*postgres for update skip locked*/
       )
       update outbound set due_at = case when lease is null and status = ${received} then $1 + due_at - created_at else $1 end
       where (tenant, id) in (select of_tenant, of_document from postponed)`,
      [now, ...latest, limit],
    );
  }
  return recalled;
}
