import type {
  ClaimedDocument,
  DeliveryStage,
  DeliveryStore,
  Duplicate,
  FailingDocuments,
  Lease,
} from '../../../../application/ports/storage/delivery-store.ts';
import type { Edb } from '../../../../domain/accounts/edb.ts';
import { VOIDED_STATUS } from '../../../../domain/documents/authority-status.ts';
import type { DocUid } from '../../../../domain/documents/doc-uid.ts';
import type { DocumentKind } from '../../../../domain/documents/invoice-facts.ts';
import type { LeftOutReferences } from '../../../../domain/documents/left-out-references.ts';
import type { AuthorityAnswer } from '../../../../domain/documents/outbound-document.ts';
import { OUTBOUND_STATUS, type OutboundStatus } from '../../../../domain/documents/outbound-status.ts';
import type { Sql } from '../../engine.ts';
import { storeContent } from '../content.ts';
import { lockTenant } from '../tenant-lock.ts';
import { dueContainers } from '../workload/due-containers.ts';
import { firstDue } from '../workload/first-due.ts';
import { attempts, beginAttempt, endAttempt, lastAttempt } from './attempts.ts';
import { recordAuthorityStatus } from './authority-status.ts';
import { dropPayload, keepWarnings, payload, savePayload, saveWarnings } from './delivery-payload.ts';
import { findAccepted } from './find-accepted.ts';
import { OF_PRESENT_ENVIRONMENT } from './former-environment.ts';
import { recallPostponed } from './recall-postponed.ts';
import { registeredAs } from './registered-as.ts';

type ClaimedRow = {
  readonly id: DocUid;
  readonly status: OutboundStatus;
  readonly kind: DocumentKind;
  readonly document_number: string | null;
  readonly partner_edb: string | null;
  readonly failures: number;
  readonly references_left_out: LeftOutReferences | null;
  readonly euid: string | null;
  readonly ujp: string | null;
  readonly request_id: string | null;
  readonly traceparent: string | null;
  readonly bytes: number | null;
};

const { received, processing, sent, accepted } = OUTBOUND_STATUS;

/** Must be the conditions of the partial indexes, which are used only then. */
const WAITING: Readonly<Record<DeliveryStage, string>> = {
  delivery: `due_at is not null and status < ${accepted}`,
  container: `due_at is not null and status = ${accepted}`,
};

/** With the condition of the index of leases, which holds only what is under way, however long the queue is. */
const UNDER_WAY = `
  select count(*) as documents from outbound /*sqlite indexed by outbound_by_lease*/
  where tenant = $1 and lease is not null and status < ${accepted} and due_at > $2`;

/** The index holds the first 60 characters of a number. */
const SAME_NUMBER = 'substr(document_number, 1, 60) = substr($2, 1, 60) and document_number = $2';

const FIND_DUPLICATE = `
  select id, ujp from outbound /*sqlite indexed by outbound_by_number*/
  where tenant = $1 and doc_uid is not null and ${SAME_NUMBER} and kind = $3 and id <> $4
    and (status in (${processing}, ${sent}, ${accepted}) or (status = ${received} and id < $4))
    and ${OF_PRESENT_ENVIRONMENT}
  order by id limit 1`;

const ANY_DUE: Readonly<Record<DeliveryStage, string>> = {
  delivery: firstDue([received, processing, sent]),
  container: firstDue([accepted]),
};

/**
 * Skips in the index from tenant to tenant, so that the cost does not grow with the number of queued documents. It selects the
 * earliest due time rather than `exists`, for which PostgreSQL may choose a plan that reads all due documents of all tenants. Not by
 * `min`, which PostgreSQL plans in two ways each time: to plan this takes ten times as long as to run it.
 */
const TENANTS_DUE = forBothStages(
  (waiting) => `
  with recursive walk (tenant, steps) as (
    select (select tenant from outbound where ${waiting} and tenant > $1 order by tenant limit 1), 1
    union all
    select (select tenant from outbound where ${waiting} and tenant > walk.tenant order by tenant limit 1), steps + 1
    from walk where walk.tenant is not null and steps < $3
  )
  select tenant, case when (
    select due_at from outbound where outbound.tenant = walk.tenant and ${waiting} order by due_at limit 1
  ) <= $2 then 1 else 0 end as is_due
  from walk where tenant is not null`,
);

/**
 * Counts those that failed from an index that has them alone, however many wait, and reads the worst of each tenant. SQLite would take the index of
 * what is due, for its order.
 */
const FAILING = `
  with failing as (
    select tenant as of_tenant, id as of_document, count(*) over (partition by tenant) as documents,
      row_number() over (partition by tenant order by failures desc, id) as place
    from outbound /*sqlite indexed by outbound_by_failures */
    where ${WAITING.delivery} and failures > 0 and failures >= $1
  )
  select tenant, failure_code, failure_message, documents
  from failing cross join outbound where place = 1 and tenant = of_tenant and id = of_document order by tenant`;

const CLAIM = forBothStages(
  (waiting) => `
  with due as materialized (
    select id from outbound where tenant = $1 and ${waiting} and due_at <= $4
    order by due_at, id limit $5 /*postgres for update skip locked*/
  )
  update outbound set lease = $2, due_at = $3 where tenant = $1 and id in (select id from due)
  returning id, status, kind, document_number, partner_edb, failures, references_left_out, euid, ujp,
    request_id, traceparent,
    (select length(bytes) from content where content.tenant = outbound.tenant and sha256 = ubl_sha256) as bytes`,
);

function forBothStages(text: (waiting: string) => string): Readonly<Record<DeliveryStage, string>> {
  return { delivery: text(WAITING.delivery), container: text(WAITING.container) };
}

export function deliveryStore(sql: Sql): DeliveryStore {
  return {
    recallPostponed: (now, longest, limit) => recallPostponed(sql, WAITING, now, longest, limit),
    isAnyDue: async (stage, now) => (await sql.get(ANY_DUE[stage], [now])) !== null,
    tenantsDue: (stage, after, now, limit) => tenantsDue(sql, stage, after, now, limit),
    claim: (tenant, stage, lease, now, limit) => claim(sql, tenant, stage, lease, now, limit),
    failing: (failures) => failing(sql, failures),
    async underWay(tenant, now) {
      const row = await sql.get<{ readonly documents: number }>(UNDER_WAY, [tenant, now]);
      return Number(row?.documents ?? 0);
    },
    async renew(tenant, docUid, { token, until }) {
      const text = 'update outbound set due_at = $4 where tenant = $1 and id = $2 and lease = $3';
      return (await sql.run(text, [tenant, docUid, token, until])) === 1;
    },
    async release(tenant, docUid, token, { dueAt, failures }) {
      lockTenant(sql, tenant, 'outbound');
      const text = `update outbound set lease = null, due_at = $4, failures = coalesce($5, failures)
         where tenant = $1 and id = $2 and lease = $3`;
      return (await sql.run(text, [tenant, docUid, token, dueAt, failures ?? null])) === 1;
    },
    async retryNow(tenant, failureCode, now) {
      lockTenant(sql, tenant, 'outbound');
      await sql.run(
        `update outbound set due_at = $3
         where tenant = $1 and ${WAITING.delivery} and due_at > $3 and lease is null and failure_code = $2`,
        [tenant, failureCode, now],
      );
    },
    async dueAt(tenant, docUid) {
      const text = 'select due_at from outbound where tenant = $1 and id = $2';
      return (await sql.get<{ due_at: number | null }>(text, [tenant, docUid]))?.due_at ?? null;
    },
    payload: (tenant, docUid) => payload(sql, tenant, docUid),
    savePayload: (tenant, docUid, document) => savePayload(sql, tenant, docUid, document),
    async dropPayload(tenant, docUid) {
      await dropPayload(sql, tenant, docUid);
      await saveWarnings(sql, tenant, docUid, []);
    },
    saveWarnings: (tenant, docUid, warnings) => saveWarnings(sql, tenant, docUid, warnings),
    attempts: (tenant, docUid) => attempts(sql, tenant, docUid),
    lastAttempt: (tenant, docUid, act) => lastAttempt(sql, tenant, docUid, act),
    beginAttempt: (tenant, docUid, act, at) => beginAttempt(sql, tenant, docUid, act, at),
    endAttempt: (tenant, docUid, ordinal, end) => endAttempt(sql, tenant, docUid, ordinal, end),
    findDuplicate: (tenant, document) => findDuplicate(sql, tenant, document),
    registeredAs: (tenant, euid) => registeredAs(sql, tenant, euid),
    findAccepted: (tenant, references) => findAccepted(sql, tenant, references),
    async storeContainer(tenant, docUid, file, at) {
      await storeContent(sql, tenant, file);
      // Clients keep what they downloaded first, so a second container never takes its place.
      const text =
        'update outbound set ujp_sha256 = $3, changed_at = $4 where tenant = $1 and id = $2 and ujp_sha256 is null';
      await sql.run(text, [tenant, docUid, file.sha256, at]);
      await keepWarnings(sql, tenant, docUid);
      await dropPayload(sql, tenant, docUid);
    },
    ...dueContainers(sql, WAITING.container),
    recordAuthorityStatus: (tenant, change, now) => recordAuthorityStatus(sql, tenant, change, now),
  };
}

type FailingRow = {
  readonly tenant: Edb;
  readonly documents: number;
  readonly failure_code: string | null;
  readonly failure_message: string | null;
};

async function failing(sql: Sql, failures: number): Promise<ReadonlyMap<Edb, FailingDocuments>> {
  const rows = await sql.all<FailingRow>(FAILING, [failures]);
  return new Map(
    rows.map(({ tenant, documents, failure_code: failureCode, failure_message: failureMessage }) => [
      tenant,
      { documents: Number(documents), failureCode, failureMessage },
    ]),
  );
}

async function tenantsDue(sql: Sql, stage: DeliveryStage, after: string, now: number, limit: number) {
  const rows = await sql.all<{ tenant: Edb; is_due: number }>(TENANTS_DUE[stage], [after, now, limit]);
  return {
    tenants: rows.flatMap(({ tenant, is_due }) => (is_due === 1 ? tenant : [])),
    last: rows.length < limit ? null : (rows.at(-1)?.tenant ?? null),
  };
}

async function claim(
  sql: Sql,
  tenant: Edb,
  stage: DeliveryStage,
  { token, until }: Lease,
  now: number,
  limit: number,
): Promise<readonly ClaimedDocument[]> {
  const rows = await sql.all<ClaimedRow>(CLAIM[stage], [tenant, token, until, now, limit]);
  return rows.map(toClaimed);
}

function toClaimed(row: ClaimedRow): ClaimedDocument {
  return {
    docUid: row.id,
    status: row.status,
    kind: row.kind,
    documentNumber: row.document_number,
    partnerEdb: row.partner_edb,
    failures: row.failures,
    leftOutReferences: row.references_left_out,
    euid: row.euid,
    ujp: row.ujp === null ? null : (JSON.parse(row.ujp) as AuthorityAnswer),
    origin: { requestId: row.request_id, traceparent: row.traceparent },
    bytes: Number(row.bytes ?? 0),
  };
}

async function findDuplicate(
  sql: Sql,
  tenant: Edb,
  { docUid, kind, documentNumber }: Parameters<DeliveryStore['findDuplicate']>[1],
): Promise<Duplicate | null> {
  if (documentNumber === null) return null;
  // The result holds until this transaction has moved the document: of two duplicates, the second sees the first.
  lockTenant(sql, tenant, 'outbound');
  const values = [tenant, documentNumber, kind, docUid];
  const row = await sql.get<{ readonly id: DocUid; readonly ujp: string | null }>(FIND_DUPLICATE, values);
  if (row === null) return null;
  const answer = row.ujp === null ? null : (JSON.parse(row.ujp) as AuthorityAnswer);
  return { docUid: row.id, isVoided: answer?.statusCode === VOIDED_STATUS };
}
