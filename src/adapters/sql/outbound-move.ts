import type { MoveRecord } from '../../application/ports.ts';
import type { DocUid } from '../../domain/doc-uid.ts';
import type { Edb } from '../../domain/edb.ts';
import { type OutboundEvent, type OutboundStatus, transition } from '../../domain/outbound-status.ts';
import type { Sql, SqlValue } from './engine.ts';
import { relist } from './listing.ts';

/** Moves a document that is still where it was seen, with its history row. False when somebody else was first. */
export async function moveOutbound(
  sql: Sql,
  tenant: Edb,
  docUid: DocUid,
  from: OutboundStatus,
  event: OutboundEvent,
  record: MoveRecord,
): Promise<boolean> {
  const to = transition(from, event);
  if (to === null) throw new Error(`A document in status ${from} cannot ${event}.`);
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
  const row = await sql.get<{ partner_edb: string | null }>(
    `update outbound set ${changes.join(', ')}
     where tenant = $1 and id = $2 and doc_uid is not null and status = $3${held} returning partner_edb`,
    parameters,
  );
  if (row === null) return false;
  await continueHistory(sql, tenant, docUid, to, record.at, record.failureCode);
  await relist(sql, tenant, 'outbound', row.partner_edb, docUid, { from, to });
  return true;
}

async function continueHistory(
  sql: Sql,
  tenant: Edb,
  docUid: DocUid,
  status: OutboundStatus,
  at: number,
  failureCode: string | null,
): Promise<void> {
  await sql.run(
    `insert into outbound_history (tenant, doc_uid, ordinal, status, at, failure_code)
     select $1, $2, max(ordinal) + 1, $3, $4, $5
     from outbound_history where tenant = $1 and doc_uid = $2`,
    [tenant, docUid, status, at, failureCode],
  );
}
