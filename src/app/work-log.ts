import type { Logger } from 'pino';
import type { DeliveryEvent } from '../application/delivery/delivery.ts';
import type { CollectionEvent } from '../application/inbound/arrival-problems.ts';
import { AuthorityCallError } from '../application/ports/authority.ts';
import type { VoidEvent } from '../application/voiding/void-delivery.ts';
import type { FailuresInARow } from '../domain/accounts/failures-in-a-row.ts';
import { originFacts } from '../domain/audit/call-origin.ts';

/** Somebody has to look: the authority holds a document that should not be there. */
const STRAY_REGISTRATION = 'the authority registered what does not fit the document here';

export function logCollection(log: Logger, { tenant, isNews, error, ...event }: CollectionEvent): void {
  if (!isNews) return;
  const facts = { tenant: tenant.edb, ...event };
  if (event.outcome === 'resolved') log.info(facts, 'problem of an inbound document resolved');
  else if (error === undefined || error instanceof AuthorityCallError)
    log.warn(
      facts,
      event.outcome === 'unreadable' ? 'inbound document stored, but not readable' : 'inbound documents not collected',
    );
  else log.error({ ...facts, err: error }, 'inbound document could not be stored');
}

export function logDelivery(log: Logger, event: DeliveryEvent): void {
  const facts = deliveryFacts(event);
  if (event.outcome === 'stray-registration') log.error(facts, STRAY_REGISTRATION);
  else if (event.queue === 'stopped')
    log.warn(facts, 'delivery stopped: the authority refuses the requests of the taxpayer');
  else if (event.queue === 'resumed') log.warn(facts, 'delivery of the taxpayer goes on');
  else if (event.failureCode === 'CREDENTIALS')
    log.error(facts, 'delivery stopped: the authority does not accept the account');
  else if (event.outcome === 'failed') log.warn(facts, 'document not delivered');
  else log.info(facts, 'document delivery');
}

/** Stops have lines of their own: these are failures that are only tried again, for two days, before a document fails. */
export function logFailures(log: Logger, event: DeliveryEvent, failures: FailuresInARow): void {
  const facts = deliveryFacts(event);
  const { tenant } = event;
  if (event.outcome === 'accepted' || event.outcome === 'rejected') {
    if (failures.succeeded(tenant.edb) !== null)
      log.warn(facts, 'the authority deals with documents of the taxpayer again');
  } else if (event.failureCode !== null && (event.outcome === 'retry' || event.outcome === 'unknown')) {
    if (failures.failed(tenant.edb) !== null)
      log.warn(facts, 'several attempts of the taxpayer failed in a row; its documents are tried again');
  }
}

/** With the call that brought the document, so that both are found together. */
function deliveryFacts({ tenant, origin, ...event }: DeliveryEvent) {
  return { tenant: tenant.edb, ...event, ...(origin === undefined ? {} : originFacts(origin)) };
}

export function logVoid(log: Logger, { tenant, ...event }: VoidEvent): void {
  const facts = { tenant: tenant.edb, ...event };
  if (event.state === 'stray-registration') log.error(facts, STRAY_REGISTRATION);
  else log.info(facts, 'void of a document');
}
