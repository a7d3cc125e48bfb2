import type { MoveRecord } from '../../application/ports.ts';
import type { DocUid } from '../../domain/doc-uid.ts';
import type { Edb } from '../../domain/edb.ts';
import { type OutboundEvent, type OutboundStatus, transition } from '../../domain/outbound-status.ts';
import type { Sql, SqlValue } from './engine.ts';
import { relist } from './listing.ts';
import { lockTenant } from './tenant-lock.ts';

/**
 * Moves a document that is still where it was seen, by one event or by several at one moment, with a history row for each.
 * False when somebody else was first.
 */
export async function moveOutbound(
  sql: Sql,
  tenant: Edb,
  docUid: DocUid,
  from: OutboundStatus,
  events: OutboundEvent | readonly OutboundEvent[],
  record: MoveRecord,
): Promise<boolean> {
  const way = statuses(from, [events].flat());
  const to = way.at(-1) ?? from;
  const parameters: SqlValue[] = [tenant, docUid, from];
  const set = (column: string, value: SqlValue) => `${column} = $${parameters.push(value)}`;
  const changes = [
    set('status', to),
    set('failure_code', record.failureCode),
    set('failure_message', record.failureMessage),
    set('due_at', record.lease?.keptUntil ?? record.dueAt ?? null),
    set('lease', record.lease?.keptUntil === undefined ? null : record.lease.token),
  ];
  if (record.failures !== undefined) changes.push(set('failures', record.failures));
  if (record.ujp !== undefined) changes.push(set('ujp', JSON.stringify(record.ujp)), set('euid', record.ujp.euid));
  const held = record.lease === undefined ? '' : ` and ${set('lease', record.lease.token)}`;
  lockTenant(sql, tenant, 'outbound');
  const row = await sql.get<{ partner_edb: string | null }>(
    `update outbound set ${changes.join(', ')}
     where tenant = $1 and id = $2 and doc_uid is not null and status = $3${held} returning partner_edb`,
    parameters,
  );
  if (row === null) return false;
  await Promise.all([
    continueHistory(sql, tenant, docUid, way, record),
    ...(from === to ? [] : [relist(sql, tenant, 'outbound', row.partner_edb, docUid, { from, to })]),
  ]);
  return true;
}

/** The statuses on the way, the last of them the new one. */
function statuses(from: OutboundStatus, events: readonly OutboundEvent[]): readonly OutboundStatus[] {
  let status = from;
  return events.map((event) => {
    const next = transition(status, event);
    if (next === null) throw new Error(`A document in status ${status} cannot ${event}.`);
    status = next;
    return next;
  });
}

/** One row for each status; a failure belongs to the last. */
async function continueHistory(
  sql: Sql,
  tenant: Edb,
  docUid: DocUid,
  way: readonly OutboundStatus[],
  { at, failureCode }: MoveRecord,
): Promise<void> {
  const rows = way.map((status, index) => {
    const failure = index === way.length - 1 ? failureCode : null;
    return sql.run(
      `insert into outbound_history (tenant, doc_uid, ordinal, status, at, failure_code)
       values ($1, $2, (select max(ordinal) + 1 from outbound_history where tenant = $1 and doc_uid = $2), $3, $4, $5)`,
      [tenant, docUid, status, at, failure],
    );
  });
  await Promise.all(rows);
}
