import type { Edb } from '../../domain/accounts/edb.ts';
import type { AuthorityEnvironment } from '../../domain/accounts/tenant.ts';
import type { OutboundDocument } from '../../domain/documents/outbound-document.ts';
import type { Storage } from '../ports/storage/storage.ts';

/** The environment of a tenant, and when it was last changed; null where it was not, as far back as was asked. */
export type EnvironmentPast = { readonly environment: AuthorityEnvironment | null; readonly changedAt: number | null };

export type ReadEnvironmentPast = (tenant: Edb, since: number) => Promise<EnvironmentPast>;

/** Reads the audit trail, which may be long: not within a transaction, where others would wait. */
export function readEnvironmentPast({ tenants, audit }: Pick<Storage, 'tenants' | 'audit'>): ReadEnvironmentPast {
  return async (tenant, since) => {
    const environment = (await tenants.find(tenant))?.environment ?? null;
    return { environment, changedAt: await audit.environmentChangedAt(tenant, since) };
  };
}

/** Reads the audit trail once for each tenant, where the oldest document comes first. */
export function rememberEnvironmentPast(read: ReadEnvironmentPast): ReadEnvironmentPast {
  const known = new Map<Edb, { readonly since: number; readonly past: Promise<EnvironmentPast> }>();
  return (tenant, since) => {
    const before = known.get(tenant);
    if (before !== undefined && before.since <= since) return before.past;
    const past = read(tenant, since);
    known.set(tenant, { since, past });
    return past;
  };
}

/**
 * Whether the document was submitted for another environment than the tenant has now: a test document must not become a real one.
 * Within a transaction, which sees a change since the past was read. The store knows it by identifiers, whatever the clocks said, of
 * changes since migration 33; the audit trail tells of those before.
 */
export async function isOfFormerEnvironment(
  { tenants }: Pick<Storage, 'tenants'>,
  tenant: Edb,
  { docUid, createdAt }: Pick<OutboundDocument, 'docUid' | 'createdAt'>,
  { environment, changedAt }: EnvironmentPast,
): Promise<boolean> {
  if (changedAt !== null && changedAt >= createdAt) return true;
  const present = (await tenants.find(tenant))?.environment ?? null;
  const own = (await tenants.formerEnvironment(tenant, 'outbound', docUid)) ?? present;
  return present !== environment || present !== own;
}
