import type { Delivery } from './delivery.ts';
import type { DecisionReads } from './leased-write.ts';

/** Every process uses a new certificate within this time. */
export const CHANGED_ACCOUNT_PAUSE_MS = 2_000;

/**
 * Whether the account was changed since the worker claimed the document or void. Then it was the former account that the authority did
 * not accept: the tenant is not stopped, and the new account gets its turn.
 */
export async function accountHasChanged(
  { tenants, credentials }: Pick<DecisionReads, 'tenants' | 'credentials'>,
  { tenant, claimedAt }: Pick<Delivery, 'tenant' | 'claimedAt'>,
): Promise<boolean> {
  const current = await tenants.find(tenant.edb);
  if (current?.eujpId !== tenant.eujpId || current.environment !== tenant.environment) return true;
  const credential = await credentials.find(tenant.edb);
  return credential !== null && claimedAt < credential.changedAt + CHANGED_ACCOUNT_PAUSE_MS;
}
