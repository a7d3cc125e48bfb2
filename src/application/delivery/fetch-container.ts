import { retryPauseMs } from '../../domain/documents/retry-schedule.ts';
import { AuthorityCallError } from '../ports/authority.ts';
import { type Delivery, type DeliveryNeeds, draw } from './delivery.ts';

/**
 * Fetches the signed container of a registered document. Until it is there, and where the authority gives none, the
 * registered payload stands for it.
 */
export async function fetchContainer(needs: DeliveryNeeds, delivery: Delivery, euid: string): Promise<void> {
  const { storage, authority, hasher } = needs;
  const { tenant, document, token } = delivery;
  try {
    const bytes = await authority.container(tenant, euid);
    const final = await storage.storeAhead(tenant.edb, { bytes, sha256: hasher.sha256(bytes) });
    await storage.transaction(async (tx) => {
      const isOurs = await tx.deliveries.release(tenant.edb, document.docUid, token, { dueAt: null, failures: 0 });
      if (isOurs) await tx.deliveries.keepContainer(tenant.edb, document.docUid, final);
    });
  } catch (error) {
    if (!(error instanceof AuthorityCallError)) throw error;
    await comeBack(needs, delivery);
  }
}

/** A container that cannot be had may be there later; after the usual number of tries nobody asks any more. */
async function comeBack({ storage, clock, random }: DeliveryNeeds, { tenant, document, token }: Delivery) {
  const failures = document.failures + 1;
  const pause = retryPauseMs(failures, draw(random));
  const dueAt = pause === null ? null : clock.now() + pause;
  await storage.transaction((tx) => tx.deliveries.release(tenant.edb, document.docUid, token, { dueAt, failures }));
}
