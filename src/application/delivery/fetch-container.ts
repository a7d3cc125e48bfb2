import { retryPauseMs } from '../../domain/documents/retry-schedule.ts';
import { AuthorityCallError } from '../ports/authority.ts';
import type { ClaimedDelivery } from './claimed-delivery.ts';
import type { DeliveryNeeds } from './delivery.ts';
import { randomFraction } from './random-fraction.ts';

/**
 * Fetches the signed container of a registered document. Until it is there, and where the authority gives none, the
 * registered payload is served in its place.
 */
export async function fetchContainer(needs: DeliveryNeeds, claimed: ClaimedDelivery, euid: string): Promise<void> {
  const { storage, authority, hasher, clock, random } = needs;
  const { tenant, document } = claimed;
  try {
    const bytes = await authority.container(tenant, euid);
    await claimed.storeContainer(await storage.storeLargeFile(tenant.edb, { bytes, sha256: hasher.sha256(bytes) }));
  } catch (error) {
    if (!(error instanceof AuthorityCallError)) throw error;
    // It may be there later; after the usual number of tries it is not asked for any more.
    const failures = document.failures + 1;
    const pause = retryPauseMs(failures, randomFraction(random));
    await claimed.postpone(pause === null ? null : clock.now() + pause, failures);
  }
}
