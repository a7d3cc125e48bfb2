import { OUTBOUND_STATUS } from '../../domain/documents/outbound-status.ts';
import { ServiceUnavailable } from '../errors/service-unavailable.ts';
import { type Delivery, type DeliveryNeeds, TakenAway } from './delivery.ts';
import { fetchContainer } from './fetch-container.ts';
import { resolveLostAnswer } from './resolve-lost-answer.ts';
import { sendDocument } from './send-document.ts';
import { report } from './settle-delivery.ts';

const UNAVAILABLE_PAUSE_MS = 5_000;
const UNFORESEEN_PAUSE_MS = 300_000;

export type DeliverOutbound = (delivery: Delivery) => Promise<void>;

/**
 * Takes a claimed document as far as it gets: hands it over, finds out what became of it, or fetches its final form. If the
 * process dies at any point, the lease runs out and the next worker goes on from what is written down.
 */
export function deliverOutbound(needs: DeliveryNeeds): DeliverOutbound {
  return async (delivery) => {
    try {
      await step(needs, delivery);
    } catch (error) {
      if (error instanceof TakenAway) return report(needs, delivery, 'taken-away');
      await putOff(needs, delivery, error instanceof ServiceUnavailable ? UNAVAILABLE_PAUSE_MS : UNFORESEEN_PAUSE_MS);
      throw error;
    }
  };
}

/** What failed is not tried again at once, over and over. Where even this fails, the lease runs out. */
async function putOff(
  { storage, clock }: DeliveryNeeds,
  { tenant, document, token }: Delivery,
  pauseMs: number,
): Promise<void> {
  const dueAt = clock.now() + pauseMs;
  await storage
    .transaction((tx) => tx.deliveries.release(tenant.edb, document.docUid, token, { dueAt }))
    .catch(() => false);
}

async function step(needs: DeliveryNeeds, delivery: Delivery): Promise<void> {
  const { status, euid } = delivery.document;
  if (status === OUTBOUND_STATUS.sent) return resolveLostAnswer(needs, delivery);
  if (status === OUTBOUND_STATUS.accepted && euid !== null) return fetchContainer(needs, delivery, euid);
  return sendDocument(needs, delivery);
}
