import type { AuthorityStatusChange } from '../../../../application/ports/authority.ts';
import type { Edb } from '../../../../domain/accounts/edb.ts';
import { historyCodeOf, isLater } from '../../../../domain/documents/authority-status.ts';
import type { DocUid } from '../../../../domain/documents/doc-uid.ts';
import type { AuthorityAnswer } from '../../../../domain/documents/outbound-document.ts';
import { OUTBOUND_STATUS } from '../../../../domain/documents/outbound-status.ts';
import type { Sql } from '../../engine.ts';
import { lockTenant } from '../tenant-lock.ts';

type RegisteredRow = { readonly id: DocUid; readonly ujp: string; readonly authority_status_at: number | null };

/** Without what is known to have the EUID by mistake: its own registration beside it says so. */
const FIND_REGISTERED = `
  select id, ujp, authority_status_at from outbound /*sqlite indexed by outbound_by_euid*/
  where tenant = $1 and euid in ($2, lower($2), upper($2)) and euid is not null and ujp is not null and not exists (
    select 1 from stray_registration
    where tenant = $1 and doc_uid = outbound.id and stray_registration.euid in ($2, lower($2), upper($2))
      and stray_registration.status = ${OUTBOUND_STATUS.accepted})`;

/** Whatever was overtaken by a later status is left out of the answer, but what happened stays a row of the history. */
export async function recordAuthorityStatus(
  sql: Sql,
  tenant: Edb,
  change: AuthorityStatusChange,
  now: number,
): Promise<boolean> {
  lockTenant(sql, tenant, 'outbound');
  let isNews = false;
  // More than one where an answer was mixed up and nobody knows it yet: the one that it belongs to must not miss it.
  for (const row of await sql.all<RegisteredRow>(FIND_REGISTERED, [tenant, change.euid])) {
    const isNewAnswer = await updateAnswer(sql, tenant, row, change, now);
    const isNewRow = await appendOnce(sql, tenant, row.id, change, now);
    isNews ||= isNewAnswer || isNewRow;
  }
  return isNews;
}

async function updateAnswer(
  sql: Sql,
  tenant: Edb,
  { id, ujp, authority_status_at: knownAt }: RegisteredRow,
  { status, from, at, reason }: AuthorityStatusChange,
  now: number,
): Promise<boolean> {
  const previous = JSON.parse(ujp) as AuthorityAnswer;
  const { statusCode, statusName, message } = previous;
  const isSame = statusCode === status.code;
  const known = { status: { code: statusCode ?? '', name: statusName }, at: knownAt };
  if (statusCode !== null && !isSame && !isLater(known, { status, from, at })) return false;
  // The same status without its time is known from a look-up, which gives neither the time nor the reason.
  if (isSame && statusName !== null && (at === null || (knownAt !== null && at <= knownAt))) return false;
  const answer: AuthorityAnswer = {
    ...previous,
    statusCode: status.code,
    statusName: status.name ?? (isSame ? statusName : null),
    message: reason ?? message,
  };
  const text = JSON.stringify(answer);
  const change =
    'update outbound set ujp = $3, authority_status_at = $4, changed_at = $5 where tenant = $1 and id = $2';
  // Without a time of its own it is not earlier than the status before it; what is older than that stays older.
  await sql.run(change, [tenant, id, text, at === null ? knownAt : Math.max(at, knownAt ?? at), now]);
  return text !== JSON.stringify(previous);
}

/** The tenant is locked: of several processes that see the same change, one finds that the row is not there yet. */
async function appendOnce(
  sql: Sql,
  tenant: Edb,
  docUid: DocUid,
  { status, at }: AuthorityStatusChange,
  now: number,
): Promise<boolean> {
  const code = historyCodeOf(status);
  if (code === null) return false;
  const rows = await sql.all<{ readonly at: number; readonly failure_code: string | null }>(
    'select at, failure_code from outbound_history where tenant = $1 and doc_uid = $2',
    [tenant, docUid],
  );
  if (rows.some(({ failure_code }) => failure_code === code)) return false;
  // A history is chronological. After a lost answer the buyer may have decided before we knew of the registration.
  const notBefore = rows.reduce((latest, row) => Math.max(latest, row.at), 0);
  await sql.run(
    `insert into outbound_history (tenant, doc_uid, ordinal, status, at, failure_code)
     values ($1, $2, (select max(ordinal) + 1 from outbound_history where tenant = $1 and doc_uid = $2), $3, $4, $5)`,
    [tenant, docUid, OUTBOUND_STATUS.accepted, Math.max(at ?? now, notBefore), code],
  );
  return true;
}
