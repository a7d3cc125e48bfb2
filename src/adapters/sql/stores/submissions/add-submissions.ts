import type { Random } from '../../../../application/ports/platform.ts';
import type { StoredDocument } from '../../../../application/ports/storage/lists.ts';
import type { NewSubmission } from '../../../../application/ports/storage/outbound/store-submission.ts';
import type { Edb } from '../../../../domain/accounts/edb.ts';
import type { Sql } from '../../engine.ts';
import { readNewest } from '../../list-index/list-index.ts';
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

/**
 * Stores submissions, no two of them under the same key. Unless it may wait, those of tenants whose lists others have locked are
 * left out: the answer has no entry for them.
 */
export async function addSubmissions(
  sql: Sql,
  random: Random,
  submissions: readonly NewSubmission[],
  mayWait: boolean,
): Promise<ReadonlyMap<NewSubmission, StoredDocument>> {
  const tenants = [...new Set(submissions.map(({ key }) => key.tenant))];
  const places = submissions.map(({ key, document }) => ({ tenant: key.tenant, partner: document.partnerEdb }));
  const [locked, heads] = await Promise.all([
    mayWait ? lockAll(sql, tenants) : tryLockTenants(sql, tenants, 'outbound'),
    // Sent together with the locks, and so after them: what it finds for a tenant that is left out is not used.
    readNewest(sql, 'outbound', places),
  ]);
  const now = Math.max(...submissions.map((submission) => submission.now));
  const place = createPlacing(random, heads, now);
  const placed = submissions
    .filter(({ key }) => locked.has(key.tenant))
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
  return new Map(placed.map(({ submission, docUid, at }) => [submission, { docUid, at }]));
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
