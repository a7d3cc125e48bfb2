import type { Delivery } from './delivery.ts';
import type { DecisionReads } from './leased-write.ts';

/** Every process uses a new certificate within this time. */
export const CHANGED_ACCOUNT_PAUSE_MS = 2_000;

/**
 * Whether the account was changed since the worker claimed the document or void. Then it was the former account that the authority did
 * not accept: the tenant is not stopped, and the new account gets its turn. A change in the future was written by a wrong clock and says
 * nothing: until then every refusal would be taken for one of the former account, and tried again every two seconds. Processes may differ a little.
 */
export async function accountHasChanged(
  { tenants, credentials }: Pick<DecisionReads, 'tenants' | 'credentials'>,
  { tenant, claimedAt }: Pick<Delivery, 'tenant' | 'claimedAt'>,
  now: number,
): Promise<boolean> {
  const current = await tenants.find(tenant.edb);
  if (current?.eujpId !== tenant.eujpId || current.environment !== tenant.environment) return true;
  const credential = await credentials.find(tenant.edb);
  if (credential === null || credential.changedAt > now + CHANGED_ACCOUNT_PAUSE_MS) return false;
  return claimedAt < credential.changedAt + CHANGED_ACCOUNT_PAUSE_MS;
}
