import type {
  AttemptEnd,
  AttemptOutcome,
  RecordedAttempt,
} from '../../../../application/ports/storage/delivery-store.ts';
import type { Edb } from '../../../../domain/accounts/edb.ts';
import type { DocUid } from '../../../../domain/documents/doc-uid.ts';
import type { Sql } from '../../engine.ts';
import { lockTenant } from '../tenant-lock.ts';

type AttemptRow = {
  readonly act: RecordedAttempt['act'];
  readonly started_at: number;
  readonly ended_at: number | null;
  readonly outcome: AttemptOutcome | null;
  readonly failure_code: string | null;
  readonly message: string | null;
  readonly answer: string | null;
};

export async function attempts(sql: Sql, tenant: Edb, docUid: DocUid): Promise<readonly RecordedAttempt[]> {
  const rows = await sql.all<AttemptRow>(
    `select act, started_at, ended_at, outcome, failure_code, message, answer
     from outbound_attempt where tenant = $1 and doc_uid = $2 order by ordinal`,
    [tenant, docUid],
  );
  return rows.map((row) => ({
    act: row.act,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    outcome: row.outcome,
    failureCode: row.failure_code,
    message: row.message,
    answer: row.answer,
  }));
}

export async function lastAttempt(
  sql: Sql,
  tenant: Edb,
  docUid: DocUid,
  act: RecordedAttempt['act'],
): Promise<number | null> {
  lockTenant(sql, tenant, 'outbound');
  const text = 'select max(ordinal) as ordinal from outbound_attempt where tenant = $1 and doc_uid = $2 and act = $3';
  return (await sql.get<{ ordinal: number | null }>(text, [tenant, docUid, act]))?.ordinal ?? null;
}

export async function beginAttempt(
  sql: Sql,
  tenant: Edb,
  docUid: DocUid,
  act: RecordedAttempt['act'],
  at: number,
): Promise<number> {
  lockTenant(sql, tenant, 'outbound');
  const row = await sql.get<{ ordinal: number }>(
    `insert into outbound_attempt (tenant, doc_uid, ordinal, act, started_at)
     values ($1, $2,
       (select coalesce(max(ordinal), 0) + 1 from outbound_attempt where tenant = $1 and doc_uid = $2), $3, $4)
     returning ordinal`,
    [tenant, docUid, act, at],
  );
  return row?.ordinal ?? 0;
}

export async function endAttempt(
  sql: Sql,
  tenant: Edb,
  docUid: DocUid,
  ordinal: number,
  { endedAt, outcome, failureCode, message, answer }: AttemptEnd,
): Promise<void> {
  await sql.run(
    `update outbound_attempt set ended_at = $4, outcome = $5, failure_code = $6, message = $7, answer = $8
     where tenant = $1 and doc_uid = $2 and ordinal = $3`,
    [tenant, docUid, ordinal, endedAt, outcome, failureCode, message, answer],
  );
}
