import type {
  DueVoids,
  OutboundVoid,
  VoidState,
  VoidStore,
} from '../../../../application/ports/storage/outbound/void-store.ts';
import type { Edb } from '../../../../domain/accounts/edb.ts';
import type { DocUid } from '../../../../domain/documents/doc-uid.ts';
import { partsOfSignedText, signedText } from '../../../../domain/documents/signed-text.ts';
import type { Sql } from '../../engine.ts';
import { lockTenant } from '../tenant-lock.ts';

type Row = {
  readonly tenant: Edb;
  readonly doc_uid: DocUid;
  readonly state: VoidState;
  readonly reason_code: string;
  readonly reason: string;
  readonly comment: string | null;
  readonly requested_at: number;
  readonly due_at: number | null;
  readonly failures: number;
  readonly failure_code: string | null;
  readonly failure_message: string | null;
  readonly doc_type_code: string | null;
  readonly doc_number: string | null;
  readonly doc_date: string | null;
  readonly doc_id: string | null;
  /** As it was signed; what an earlier version sent is without the time of the request. */
  readonly text: string | null;
  readonly sent_at: number | null;
  readonly void_euid: string | null;
  readonly ended_at: number | null;
};

const COLUMNS = `tenant, doc_uid, state, reason_code, reason, comment, requested_at, due_at, failures, failure_code,
  failure_message, doc_type_code, doc_number, doc_date, doc_id, text, sent_at, void_euid, ended_at`;

/** The values of a parameter that is a list in JSON. */
const listed = (parameter: string) =>
  `/*sqlite json_each(${parameter})*/ /*postgres json_array_elements_text(cast(${parameter} as json))*/`;

/** The user is called as the line that its tenants share at the authority; a tenant without one is called by itself. */
const TENANTS_DUE = `
  with due as materialized (
    select tenant as of_tenant, min(due_at) as first_due_at, count(*) as voids from outbound_void
    where due_at is not null and due_at <= $1 group by tenant
  )
  select of_tenant as tenant, voids, coalesce(environment || ' ' || eujp_id, of_tenant) as "user"
  from due left join tenant on edb = of_tenant order by first_due_at, of_tenant`;

const CLAIM = `
  with due as materialized (
    select doc_uid as of_document from outbound_void where tenant = $1 and due_at is not null and due_at <= $4
    order by due_at, doc_uid limit $5 /*postgres for update skip locked*/
  )
  update outbound_void set lease = $2, due_at = $3
  where tenant = $1 and doc_uid in (select of_document from due) returning ${COLUMNS}`;

/** Waits for nobody, who might wait for a row that it has recalled: whatever is locked is being written by a clock that is trusted. */
const RECALL = `
  with postponed as materialized (
    select tenant as of_tenant, doc_uid as of_document from outbound_void
    where due_at is not null and due_at > $1 and (
      (lease is not null and due_at > $2) or (lease is null and state = 'sent' and due_at > $3) or (lease is null and due_at > $4))
    /*postgres for update skip locked*/
  )
  update outbound_void set due_at = $1
  where (tenant, doc_uid) in (select of_tenant, of_document from postponed)`;

export function voidStore(sql: Sql): VoidStore {
  return {
    async find(tenant, docUid) {
      lockTenant(sql, tenant, 'outbound');
      const text = `select ${COLUMNS} from outbound_void where tenant = $1 and doc_uid = $2`;
      const row = await sql.get<Row>(text, [tenant, docUid]);
      return row === null ? null : toVoid(row);
    },
    async countOpen(tenant) {
      lockTenant(sql, tenant, 'outbound');
      const text = `select cast(count(*) as integer) as voids from outbound_void where tenant = $1 and state in ('requested', 'sent')`;
      return (await sql.get<{ readonly voids: number }>(text, [tenant]))?.voids ?? 0;
    },
    async sentUnder(tenant, docNumber) {
      const text = `select doc_uid from outbound_void where tenant = $1 and state = 'sent' and doc_number = $2`;
      return (await sql.all<Pick<Row, 'doc_uid'>>(text, [tenant, docNumber])).map(({ doc_uid: docUid }) => docUid);
    },
    async request(tenant, docUid, { code, name, comment }, now) {
      lockTenant(sql, tenant, 'outbound');
      const requested = await sql.run(
        `insert into outbound_void (tenant, doc_uid, state, reason_code, reason, comment, requested_at, due_at)
         values ($1, $2, 'requested', $3, $4, $5, $6, $6)
         on conflict (tenant, doc_uid) do update set state = 'requested', reason_code = excluded.reason_code,
           reason = excluded.reason, comment = excluded.comment, requested_at = excluded.requested_at,
           due_at = excluded.due_at, failures = 0, failure_code = null, failure_message = null, ended_at = null
         where outbound_void.state in ('refused', 'failed')`,
        [tenant, docUid, code, name, comment, now],
      );
      return requested === 1;
    },
    async retryNow(tenant, failureCodes, now) {
      lockTenant(sql, tenant, 'outbound');
      // One that was put off during a stop may never have been tried, and a lost answer may be looked up at any time.
      await sql.run(
        `update outbound_void set due_at = $2 where tenant = $1 and due_at > $2 and lease is null
           and (state = 'sent' or failure_code is null or failure_code in (select value from ${listed('$3')}))`,
        [tenant, now, JSON.stringify(failureCodes)],
      );
    },
    recallPostponed: (now, { leaseMs, lookUpMs, retryMs }) =>
      sql.run(RECALL, [now, now + leaseMs, now + lookUpMs, now + retryMs]),
    async tenantsDue(now) {
      const rows = await sql.all<DueVoids>(TENANTS_DUE, [now]);
      return rows.map(({ tenant, user, voids }) => ({ tenant, user, voids: Number(voids) }));
    },
    async beginSend(tenant, docUid, { token, until }, sent, at) {
      lockTenant(sql, tenant, 'outbound');
      const { docTypeCode, docNumber, docDate, docId } = sent;
      const text = signedText(sent.text, sent.requestTimestamp);
      const begun = await sql.run(
        `update outbound_void set state = 'sent', due_at = $4, doc_type_code = $5, doc_number = $6, doc_date = $7, doc_id = $8,
           text = $9, sent_at = $10
         where tenant = $1 and doc_uid = $2 and lease = $3`,
        [tenant, docUid, token, until, docTypeCode, docNumber, docDate, docId, text, at],
      );
      return begun === 1;
    },
    ...voidLeases(sql),
    async settle(tenant, docUid, token, settlement) {
      lockTenant(sql, tenant, 'outbound');
      const { state, dueAt, failures, failureCode, failureMessage, voidEuid = null, endedAt = null } = settlement;
      const settled = await sql.run(
        `update outbound_void set lease = null, state = $4, due_at = $5, failures = $6, failure_code = $7, failure_message = $8,
           void_euid = coalesce($9, void_euid), ended_at = $10
         where tenant = $1 and doc_uid = $2 and (lease = $3 or ($3 is null and state = 'sent'))`,
        [tenant, docUid, token, state, dueAt, failures, failureCode, failureMessage, voidEuid, endedAt],
      );
      return settled === 1;
    },
  };
}

/** A lease from its claim on, but for the writes of what became of the void, which end it too. */
function voidLeases(sql: Sql): Pick<VoidStore, 'claim' | 'renew' | 'release'> {
  return {
    async claim(tenant, { token, until }, now, limit) {
      return (await sql.all<Row>(CLAIM, [tenant, token, until, now, limit])).map(toVoid);
    },
    async renew(tenant, docUid, { token, until }) {
      lockTenant(sql, tenant, 'outbound');
      await sql.run('update outbound_void set due_at = $4 where tenant = $1 and doc_uid = $2 and lease = $3', [
        tenant,
        docUid,
        token,
        until,
      ]);
    },
    async release(tenant, docUid, token, dueAt) {
      lockTenant(sql, tenant, 'outbound');
      await sql.run(
        'update outbound_void set lease = null, due_at = $4 where tenant = $1 and doc_uid = $2 and lease = $3',
        [tenant, docUid, token, dueAt],
      );
    },
  };
}

function toVoid(row: Row): OutboundVoid {
  const {
    doc_type_code: docTypeCode,
    doc_number: docNumber,
    doc_date: docDate,
    doc_id: docId,
    text,
    sent_at: sentAt,
  } = row;
  const isSent = docTypeCode !== null && docNumber !== null && docDate !== null && docId !== null;
  return {
    tenant: row.tenant,
    docUid: row.doc_uid,
    state: row.state,
    reason: { code: row.reason_code, name: row.reason, comment: row.comment },
    requestedAt: row.requested_at,
    dueAt: row.due_at,
    failures: row.failures,
    failureCode: row.failure_code,
    failureMessage: row.failure_message,
    sent:
      isSent && text !== null && sentAt !== null
        ? { docTypeCode, docNumber, docDate, docId, sentAt, ...partsOfSignedText(text) }
        : null,
    voidEuid: row.void_euid,
    endedAt: row.ended_at,
  };
}
