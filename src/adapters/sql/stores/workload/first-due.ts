import { OUTBOUND_STATUS, type OutboundStatus } from '../../../../domain/documents/outbound-status.ts';

/**
 * The document of each status that is due longest, if it is due at $1: the first entry of the status in the index of what is due. With the condition
 * of that index, which is used only then; ordered, because PostgreSQL would otherwise take another one where it knows little of the table.
 */
export function firstDue(statuses: readonly OutboundStatus[], condition = 'true'): string {
  return statuses
    .map(
      (status) => `
      select * from (
        select status, due_at from outbound
        where status = ${status} and status <= ${OUTBOUND_STATUS.accepted} and due_at is not null and due_at <= $1 and ${condition}
        order by due_at limit 1
      ) as of_${status}`,
    )
    .join(' union all ');
}
