import { endlessRetryPauseMs } from '../../domain/documents/retry-schedule.ts';
import { randomFraction } from '../../domain/values/random-fraction.ts';
import { AuthorityCallError } from '../ports/authority.ts';
import type { ClaimedDelivery } from './claimed-delivery.ts';
import type { DeliveryNeeds } from './delivery.ts';

/** Fetches the signed container of a registered document: nothing else is served as the authority's file. */
export async function fetchContainer(needs: DeliveryNeeds, claimed: ClaimedDelivery, euid: string): Promise<void> {
  const { storage, authority, hasher, clock, random } = needs;
  const { tenant, document } = claimed;
  try {
    const bytes = await authority.container(tenant, euid);
    await claimed.storeContainer(await storage.storeLargeFile(tenant.edb, { bytes, sha256: hasher.sha256(bytes) }));
  } catch (error) {
    if (!(error instanceof AuthorityCallError)) throw error;
    // Clients wait for it, and a missing right or an outage may last for days: it is asked for until it is there.
    const failures = document.failures + 1;
    await claimed.postpone(clock.now() + endlessRetryPauseMs(failures, randomFraction(random)), failures);
  }
}
