import { OUTBOUND_STATUS } from '../../domain/documents/outbound-status.ts';
import { NO_TRACES, type Span, type SpanFacts } from '../ports/telemetry/tracer.ts';
import { type ClaimedDelivery, claimedDelivery } from './claimed-delivery.ts';
import type { Delivery, DeliveryEvent, DeliveryNeeds } from './delivery.ts';
import { fetchContainer } from './fetch-container.ts';
import { LeaseLost } from './leased-write.ts';
import { type Absences, createAbsences } from './lost-answers/absences.ts';
import { resolveLostAnswer } from './lost-answers/resolve-lost-answer.ts';
import { sendDocument } from './send-document.ts';

/** Where it fails, whoever has claimed the document gives back its lease. */
export type DeliverOutbound = (delivery: Delivery) => Promise<void>;

/**
 * Takes a claimed document as far as it gets: sends it, resolves a lost answer, or fetches its container. If the process dies
 * at any point, the lease runs out and the next worker goes on from what is on record.
 */
export function deliverOutbound(shared: DeliveryNeeds): DeliverOutbound {
  const absences = createAbsences(shared);
  return async (delivery) => {
    const { origin } = delivery.document;
    const span = beginSpan(shared, delivery);
    let facts: SpanFacts = {};
    let isFailure = false;
    function report(event: DeliveryEvent): void {
      const { outcome, failureCode } = event;
      facts = { 'dostava.outcome': outcome, ...(failureCode === null ? {} : { 'dostava.failure_code': failureCode }) };
      shared.report({ ...event, origin });
    }
    const needs: DeliveryNeeds = { ...shared, report };
    const claimed = claimedDelivery(needs, delivery);
    try {
      await span.within(() => withinMemory(needs, absences, claimed));
    } catch (error) {
      if (error instanceof LeaseLost) return reportLeaseLost(needs, delivery);
      isFailure = true;
      throw error;
    } finally {
      span.end(facts, isFailure);
    }
  };
}

/** Not a part of the submission's trace: it may be tried for days. */
function beginSpan({ tracer = NO_TRACES }: DeliveryNeeds, { document }: Delivery): Span {
  const { docUid, status, origin } = document;
  const facts = { 'dostava.doc_uid': docUid, 'dostava.status': status };
  return tracer.begin({ name: 'deliver', kind: 'work', facts, cause: origin.traceparent });
}

async function withinMemory(needs: DeliveryNeeds, absences: Absences, claimed: ClaimedDelivery): Promise<void> {
  const { tenant, document } = claimed;
  const work = () => step(needs, absences, claimed);
  await (needs.memory === undefined ? work() : needs.memory.run(tenant.edb, document.bytes, work));
}

async function step(needs: DeliveryNeeds, absences: Absences, claimed: ClaimedDelivery): Promise<void> {
  const { status, euid } = claimed.document;
  if (status === OUTBOUND_STATUS.sent) return resolveLostAnswer(needs, absences, claimed);
  if (status === OUTBOUND_STATUS.accepted && euid !== null) return fetchContainer(needs, claimed, euid);
  return sendDocument(needs, claimed);
}

function reportLeaseLost({ report }: DeliveryNeeds, { tenant, document }: Delivery): void {
  report({ outcome: 'lease-lost', tenant, docUid: document.docUid, failureCode: null, message: null });
}
