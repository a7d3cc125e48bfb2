import { ACCOUNT_REFUSED, type FailureCode, SIGNER_UNAVAILABLE } from '../errors/failure-catalogue.ts';
import type { Delivery } from './delivery.ts';
import type { DecisionReads } from './leased-write.ts';

/** Every process uses a new certificate within this time. */
export const CHANGED_ACCOUNT_PAUSE_MS = 2_000;

type Reads = Pick<DecisionReads, 'tenants' | 'credentials'>;
type Claimed = Pick<Delivery, 'tenant' | 'claimedAt'>;

/**
 * Whether it failed because of an account that was changed since the worker claimed the document or void. Then the tenant is not stopped,
 * and the new account gets its turn. To be asked in the transaction that writes what follows: a change of the account makes due what waits
 * for it, but cannot do so with what a worker has in hand.
 */
export async function isOfFormerAccount(
  reads: Reads,
  claimed: Claimed,
  code: FailureCode,
  now: number,
): Promise<boolean> {
  return (code === ACCOUNT_REFUSED || code === SIGNER_UNAVAILABLE) && (await accountHasChanged(reads, claimed, now));
}

export async function accountHasChanged(
  { tenants, credentials }: Reads,
  { tenant, claimedAt }: Claimed,
  now: number,
): Promise<boolean> {
  const current = await tenants.find(tenant.edb);
  if (current?.eujpId !== tenant.eujpId || current.environment !== tenant.environment) return true;
  const credential = await credentials.find(tenant.edb);
  return credential !== null && isSinceClaim(credential.changedAt, claimedAt, now);
}

/** Whether the tenant was resumed since then: by the operator, or because the authority has dealt with another document. */
async function isResumedSince({ tenants }: Reads, { tenant, claimedAt }: Claimed, now: number): Promise<boolean> {
  const { resumedAt } = await tenants.queueState(tenant.edb);
  return resumedAt !== null && isSinceClaim(resumedAt, claimedAt, now);
}

/** Either of them: what failed since then may have failed because of what is mended now. */
export async function isMendedSince(reads: Reads, claimed: Claimed, now: number): Promise<boolean> {
  return (await accountHasChanged(reads, claimed, now)) || (await isResumedSince(reads, claimed, now));
}

/**
 * A change in the future was written by a wrong clock and says nothing: until then every refusal would be taken for one of the former account,
 * and tried again every two seconds. Processes may differ a little.
 */
function isSinceClaim(changedAt: number, claimedAt: number, now: number): boolean {
  return changedAt <= now + CHANGED_ACCOUNT_PAUSE_MS && claimedAt < changedAt + CHANGED_ACCOUNT_PAUSE_MS;
}
