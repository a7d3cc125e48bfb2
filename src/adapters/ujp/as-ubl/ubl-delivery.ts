import { CODEBOOK_LENGTH } from '../conversion/text-limits.ts';
import type { KnownDocument } from '../document-schema/document-fields.ts';
import { group, text, type XmlContent } from './xml-element.ts';

type Place = { readonly name: string | null; readonly line: string | null };

/**
 * Date and place of delivery. The authority's document says the place twice: as a text, and as a branch of the buyer. Where the
 * text is a name and the address of the branch, it is taken apart; any other text is one of terms.
 */
export function delivery({ header, buyer }: KnownDocument): XmlContent {
  const { docDelivery, docDeliveryDate } = header;
  const place = placeOf(docDelivery, buyer.buyerSubsidiaryAddress);
  const { name, line } = place ?? { name: null, line: buyer.buyerSubsidiaryAddress };
  return [
    ...group(
      'cac:Delivery',
      text('cbc:ActualDeliveryDate', docDeliveryDate),
      group(
        'cac:DeliveryLocation',
        text('cbc:ID', buyer.buyerSubsidiaryCode),
        text('cbc:Name', name),
        group('cac:Address', group('cac:AddressLine', text('cbc:Line', line))),
      ),
      group('cac:DeliveryParty', group('cac:PartyName', text('cbc:Name', buyer.buyerSubsidiaryName))),
    ),
    ...(place === null ? group('cac:DeliveryTerms', text('cbc:SpecialTerms', docDelivery)) : []),
  ];
}

/** The address of the branch may have been cut to its limit; the text then has more of it. */
function placeOf(docDelivery: string | null, address: string | null): Place | null {
  if (docDelivery === null || address === null) return null;
  const at = docDelivery.indexOf(address);
  const isWhole = docDelivery.length === at + address.length;
  const isCut = [...address].length >= CODEBOOK_LENGTH.branchText - 1;
  if (at === -1 || !(isWhole || isCut)) return null;
  const before = docDelivery.slice(0, at);
  if (before !== '' && !/\S, $/u.test(before)) return null;
  return { name: before === '' ? null : before.slice(0, -', '.length), line: docDelivery.slice(at) };
}
