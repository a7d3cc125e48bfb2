import type { DeliveryStore } from '../../../../application/ports/storage/delivery-store.ts';
import { OUTBOUND_STATUS } from '../../../../domain/documents/outbound-status.ts';
import type { Sql } from '../../engine.ts';
import { lockTenant } from '../tenant-lock.ts';

/** Whether the containers of a tenant are asked for; `waiting` is the condition of those that are. */
export function dueContainers(
  sql: Sql,
  waiting: string,
): Pick<DeliveryStore, 'giveUpContainers' | 'askForContainers' | 'retryContainers'> {
  return {
    giveUpContainers(tenant) {
      lockTenant(sql, tenant, 'outbound');
      return sql.run(`update outbound set due_at = null, lease = null where tenant = $1 and ${waiting}`, [tenant]);
    },
    async retryContainers(tenant, now) {
      lockTenant(sql, tenant, 'outbound');
      await sql.run(
        `update outbound set due_at = $2 where tenant = $1 and ${waiting} and due_at > $2 and lease is null`,
        [tenant, now],
      );
    },
    async askForContainers(tenant, now) {
      lockTenant(sql, tenant, 'outbound');
      await sql.run(
        `update outbound set due_at = $2, failures = 0
         where tenant = $1 and status = ${OUTBOUND_STATUS.accepted} and doc_uid is not null and euid is not null
           and ujp_sha256 is null and due_at is null and archived_at is null`,
        [tenant, now],
      );
    },
  };
}
