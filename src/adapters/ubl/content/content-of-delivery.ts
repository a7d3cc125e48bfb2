import { isDeepStrictEqual } from 'node:util';
import type { Delivery, Period } from '../../../domain/documents/invoice-content.ts';
import type { ContentElement } from './content-of-element.ts';
import { addressContent, partyName } from './content-of-party.ts';

/** The first delivery: the authority's form of a document has one date and one place of delivery. */
export function deliveryContent(document: ContentElement): Delivery | null {
  const delivery = document.child('cac:Delivery');
  if (delivery === null) return null;
  const location = delivery.child('cac:DeliveryLocation');
  const [address = null] = addressesOf(delivery);
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

/**
 * What says more of the place and the terms of delivery than is sent: the authority has one member for each, which holds the first
 * that the document states.
 */
export function furtherDeliveryTexts(document: ContentElement): readonly ContentElement[] {
  const deliveries = document.children('cac:Delivery').slice(0, 1);
  const locations = deliveries.flatMap((delivery) => delivery.child('cac:DeliveryLocation') ?? []);
  const places = locations.flatMap((location) => [
    ...location.children('cbc:Name'),
    ...location.children('cbc:Description'),
  ]);
  const terms = [document, ...deliveries]
    .flatMap((holder) => holder.children('cac:DeliveryTerms'))
    .flatMap((one) => one.children('cbc:SpecialTerms'));
  return [deliveries.flatMap(addressesOf), places, terms].flatMap(furtherTexts);
}

/** Those with a text, in the order in which they count. */
function addressesOf(delivery: ContentElement): readonly ContentElement[] {
  const location = delivery.child('cac:DeliveryLocation');
  const addresses = [location?.child('cac:Address'), delivery.child('cac:DeliveryAddress')];
  return addresses.flatMap((address) => (address?.value ? [address] : []));
}

/** Those behind the first with a text that say something else than it does. */
function furtherTexts(elements: readonly ContentElement[]): readonly ContentElement[] {
  const [first, ...others] = elements.filter(({ value }) => value !== null);
  const said = first?.allTexts();
  return others.filter((element) => !isDeepStrictEqual(element.allTexts(), said));
}

/** The periods with a date, of which the first is sent: one without may state the date of VAT as a code (BT-8). */
export function statedPeriods(document: ContentElement): readonly Period[] {
  const periods = document.children('cac:InvoicePeriod').map((period) => ({
    path: period.path,
    start: period.date('cbc:StartDate'),
    end: period.date('cbc:EndDate'),
  }));
  return periods.filter(({ start, end }) => start !== null || end !== null);
}
