import type { PartyFacts } from '../documents/invoice-facts.ts';
import { type Edb, parseEdb } from './edb.ts';

const MAX_FOREIGN_TAX_NUMBER_LENGTH = 30;

/** The tax number of a party. Tagged, because a foreign number can be any text, also one of our own tags. */
export type PartyTaxNumber =
  | { readonly kind: 'edb'; readonly edb: Edb }
  | { readonly kind: 'foreign'; readonly number: string }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'none' };

const MALFORMED: PartyTaxNumber = { kind: 'malformed' };

/** Whether a party is of North Macedonia; one that states no country is taken to be. */
export function isHomeCountry(country: string | null): boolean {
  return country === null || country === 'MK';
}

/** The number that a party states: an EDB in North Macedonia (country MK or not stated), any short value abroad. */
export function partyTaxNumber({ taxNumber, country }: PartyFacts): PartyTaxNumber {
  if (taxNumber === null || taxNumber === '') return { kind: 'none' };
  if (isHomeCountry(country)) {
    const edb = parseEdb(taxNumber);
    return edb === null ? MALFORMED : { kind: 'edb', edb };
  }
  const isShort = [...taxNumber].length <= MAX_FOREIGN_TAX_NUMBER_LENGTH;
  return isShort ? { kind: 'foreign', number: taxNumber } : MALFORMED;
}

/** The text by which lists find the documents of a party; null where it has no tax number that can be one. */
export function listedTaxNumber(party: PartyFacts): string | null {
  const taxNumber = partyTaxNumber(party);
  switch (taxNumber.kind) {
    case 'edb':
      return taxNumber.edb;
    case 'foreign':
      return taxNumber.number;
    case 'malformed':
    case 'none':
      return null;
  }
}
