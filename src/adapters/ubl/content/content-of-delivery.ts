import type { Delivery, Period } from '../../../domain/documents/invoice-content.ts';
import type { ContentElement } from './content-of-element.ts';
import { addressContent, partyName } from './content-of-party.ts';

/** The first delivery: the authority's form of a document has one date and one place of delivery. */
export function deliveryContent(document: ContentElement): Delivery | null {
  const delivery = document.child('cac:Delivery');
  if (delivery === null) return null;
  const location = delivery.child('cac:DeliveryLocation');
  const address = location?.child('cac:Address') ?? delivery.child('cac:DeliveryAddress');
  const party = delivery.child('cac:DeliveryParty');
  return {
    path: delivery.path,
    actualDate: delivery.date('cbc:ActualDeliveryDate'),
    locationId: location?.text('cbc:ID') ?? null,
    locationName: location?.text('cbc:Name') ?? location?.text('cbc:Description') ?? null,
    address: address === null ? null : addressContent(address),
    partyName: party === null ? null : partyName(party),
  };
}

export function deliveryTermsContent(document: ContentElement): string | null {
  return (
    document.text('cac:DeliveryTerms', 'cbc:SpecialTerms') ??
    document.text('cac:Delivery', 'cac:DeliveryTerms', 'cbc:SpecialTerms')
  );
}

export function periodContent(document: ContentElement): Period | null {
  const period = document.child('cac:InvoicePeriod');
  if (period === null) return null;
  return { path: period.path, start: period.date('cbc:StartDate'), end: period.date('cbc:EndDate') };
}
