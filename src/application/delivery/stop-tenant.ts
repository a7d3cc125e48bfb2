import type { Storage } from '../ports/storage/storage.ts';
import type { Delivery } from './delivery.ts';

/** A new certificate is used by everybody within this time. */
const NEWS_TRAVEL_MS = 2_000;

/**
 * Stops the queue of a tenant whose account the authority does not accept. False when the account was changed since the
 * worker set out: then it was another one that was refused, and the new one must get its turn.
 */
export async function stopTenant(tx: Storage, delivery: Delivery, reason: string, now: number): Promise<boolean> {
  if (await isAnotherAccount(tx, delivery)) return false;
  await tx.tenants.stop(delivery.tenant.edb, reason, now);
  return true;
}

async function isAnotherAccount(tx: Storage, { tenant, takenAt }: Delivery): Promise<boolean> {
  const current = await tx.tenants.find(tenant.edb);
  if (current?.eujpId !== tenant.eujpId || current.environment !== tenant.environment) return true;
  const credential = await tx.credentials.find(tenant.edb);
  return credential !== null && takenAt < credential.changedAt + NEWS_TRAVEL_MS;
}

/** When a document that was refused together with an account that is no more shall be tried again. */
export const ANOTHER_ACCOUNT_PAUSE_MS = NEWS_TRAVEL_MS;
