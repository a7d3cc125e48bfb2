import type { TenantChange } from '../../../../application/errors/tenant-changed.ts';
import type { Random } from '../../../../application/ports/platform.ts';
import type { StoredDocument } from '../../../../application/ports/storage/lists.ts';
import type { NewSubmission } from '../../../../application/ports/storage/outbound/store-submission.ts';
import type { Edb } from '../../../../domain/accounts/edb.ts';
import type { AuthorityEnvironment } from '../../../../domain/accounts/tenant.ts';
import type { Sql } from '../../engine.ts';
import { readNewest } from '../../list-index/list-index.ts';
import { queryEach, type RowQuery } from '../../row-lists.ts';
import { auditStore } from '../audit/audit-store.ts';
import { saveRecords } from '../idempotency-store.ts';
import { createPlacing, storeOutbound } from '../outbound/add-outbound.ts';
import { lockTenant, tryLockTenants } from '../tenant-lock.ts';

/** Others have taken the keys of these submissions. Thrown to roll the transaction back. */
export class KeysTaken extends Error {
  override readonly name = 'KeysTaken';
  readonly submissions: ReadonlySet<NewSubmission>;

  constructor(submissions: ReadonlySet<NewSubmission>) {
    super('The idempotency keys are taken.');
    this.submissions = submissions;
  }
}

type Present = { readonly environment: AuthorityEnvironment; readonly outbound_enabled: number };

const PRESENT: RowQuery = { text: 'select environment, outbound_enabled from tenant where edb = $1', types: ['text'] };

/**
 * Stores submissions, no two of them under the same key; of one whose tenant was changed since it was let in, the answer has the change.
 * Unless it may wait, those of tenants whose lists others have locked are left out: the answer has no entry for them.
 */
export async function addSubmissions(
  sql: Sql,
  random: Random,
  submissions: readonly NewSubmission[],
  mayWait: boolean,
): Promise<ReadonlyMap<NewSubmission, StoredDocument | TenantChange>> {
  const tenants = [...new Set(submissions.map(({ key }) => key.tenant))];
  const places = submissions.map(({ key, document }) => ({ tenant: key.tenant, partner: document.partnerEdb }));
  const [locked, heads, present] = await Promise.all([
    mayWait ? lockAll(sql, tenants) : tryLockTenants(sql, tenants, 'outbound'),
    // Sent together with the locks, and so after them: what it finds for a tenant that is left out is not used.
    readNewest(sql, 'outbound', places),
    readTenants(sql, tenants),
  ]);
  const now = Math.max(...submissions.map((submission) => submission.now));
  const place = createPlacing(random, heads, now);
  const mayStore = submissions.filter(({ key }) => locked.has(key.tenant));
  const changed = mayStore.flatMap((submission) => {
    const change = changeOf(submission, present.get(submission.key.tenant) ?? null);
    return change === null ? [] : [[submission, change] as const];
  });
  const refused = new Map(changed);
  const placed = mayStore
    .filter((submission) => !refused.has(submission))
    .map((submission) => place(tenantDocument(submission)));
  const [taken] = await Promise.all([
    saveRecords(
      sql,
      placed.map(({ submission, docUid, at }) => ({
        ...recordOf(submission, now),
        submission,
        docUid,
        receivedAt: at,
      })),
      now,
    ),
    storeOutbound(sql, heads, placed, now),
    auditStore(sql).append(placed.map(({ submission, docUid }) => ({ ...submission.auditEntry, docUid }))),
  ]);
  if (taken.length > 0) throw new KeysTaken(new Set(taken.map(({ submission }) => submission)));
  return new Map<NewSubmission, StoredDocument | TenantChange>([
    ...changed,
    ...placed.map(({ submission, docUid, at }) => [submission, { docUid, at }] as const),
  ]);
}

async function readTenants(sql: Sql, tenants: readonly Edb[]): Promise<ReadonlyMap<Edb, Present | null>> {
  const edbs = tenants.map((tenant) => [tenant]);
  const found = await queryEach<Present>(sql, PRESENT, edbs);
  return new Map(tenants.map((tenant, index) => [tenant, found[index] ?? null]));
}

/** A test document that came before the change must not become a real one. Decided under the lock of the tenant, which a change takes too. */
function changeOf({ environment }: NewSubmission, present: Present | null): TenantChange | null {
  if (present === null) return null;
  if (present.environment !== environment) return 'environment';
  return present.outbound_enabled === 1 ? null : 'outbound-off';
}

async function lockAll(sql: Sql, tenants: readonly Edb[]): Promise<ReadonlySet<Edb>> {
  for (const tenant of tenants) lockTenant(sql, tenant, 'outbound');
  return new Set(tenants);
}

function tenantDocument(submission: NewSubmission) {
  return { tenant: submission.key.tenant, document: submission.document, submission };
}

function recordOf({ key, document, keptForMs }: NewSubmission, now: number) {
  return { ...key, contentSha256: document.ubl.sha256, expiresAt: now + keptForMs };
}
