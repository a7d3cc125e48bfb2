import type { MoveRecord } from '../../../../application/ports/storage/outbound-store.ts';
import type { Edb } from '../../../../domain/accounts/edb.ts';
import type { DocUid } from '../../../../domain/documents/doc-uid.ts';
import { type OutboundEvent, type OutboundStatus, transition } from '../../../../domain/documents/outbound-status.ts';
import type { Sql } from '../../engine.ts';
import { updateListState } from '../../list-index/list-index.ts';
import { lockTenant } from '../tenant-lock.ts';
import { writeSentences } from './failure-sentences.ts';

const MOVE = `
  update outbound set status = $4, failure_code = $5, failure_message = $6, due_at = $7, lease = $8,
    failures = coalesce($9, failures), ujp = case when $13 = 1 then null else coalesce($10, ujp) end, euid = coalesce($11, euid),
    references_left_out = coalesce($14, references_left_out), failure_sentences = $15
  where tenant = $1 and id = $2 and doc_uid is not null and status = $3 and (lease = $12 or $12 is null)
  returning partner_edb`;

/**
 * Moves a document by one event or by several at one moment, with a history row for each. False when its status or lease is no
 * longer the expected one, because another transaction moved it first.
 */
export async function moveOutbound(
  sql: Sql,
  tenant: Edb,
  docUid: DocUid,
  from: OutboundStatus,
  events: OutboundEvent | readonly OutboundEvent[],
  record: MoveRecord,
): Promise<boolean> {
  const statuses = statusesAfter(from, [events].flat());
  const to = statuses.at(-1) ?? from;
  const { failureCode, failureMessage, dueAt = null, lease, failures = null, ujp } = record;
  lockTenant(sql, tenant, 'outbound');
  const row = await sql.get<{ partner_edb: string | null }>(MOVE, [
    tenant,
    docUid,
    from,
    to,
    failureCode,
    failureMessage,
    lease?.leaseUntil ?? dueAt,
    lease?.leaseUntil === undefined ? null : lease.token,
    failures,
    ujp ? JSON.stringify(ujp) : null,
    ujp?.euid ?? null,
    lease?.token ?? null,
    ujp === null ? 1 : 0,
    record.leftOutReferences ?? null,
    writeSentences(record),
  ]);
  if (row === null) return false;
  await Promise.all([
    appendHistory(sql, tenant, docUid, statuses, record),
    ...(from === to ? [] : [updateListState(sql, tenant, 'outbound', row.partner_edb, docUid, { from, to })]),
  ]);
  return true;
}

/** The status after each event; the last is the new one. */
function statusesAfter(from: OutboundStatus, events: readonly OutboundEvent[]): readonly OutboundStatus[] {
  let status = from;
  return events.map((event) => {
    const next = transition(status, event);
    if (next === null) throw new Error(`A document in status ${status} cannot ${event}.`);
    status = next;
    return next;
  });
}

/**
 * A history is chronological for its reader, also where the clock of the process that writes a row is behind that of the process
 * that wrote the row before.
 */
const APPEND = `
  insert into outbound_history (tenant, doc_uid, ordinal, status, at, failure_code)
  values ($1, $2, (select max(ordinal) + 1 from outbound_history where tenant = $1 and doc_uid = $2), $3,
    (select case when max(at) > $4 then max(at) else $4 end from outbound_history where tenant = $1 and doc_uid = $2), $5)`;

/** One row for each status; a failure is recorded with the last. */
async function appendHistory(
  sql: Sql,
  tenant: Edb,
  docUid: DocUid,
  statuses: readonly OutboundStatus[],
  { at, failureCode }: MoveRecord,
): Promise<void> {
  const rows = statuses.map((status, index) => {
    const failure = index === statuses.length - 1 ? failureCode : null;
    return sql.run(APPEND, [tenant, docUid, status, at, failure]);
  });
  await Promise.all(rows);
}
