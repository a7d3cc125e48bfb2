import type { PartyFacts } from '../documents/invoice-facts.ts';
import { parseEdb } from './edb.ts';

const MAX_FOREIGN_TAX_NUMBER_LENGTH = 30;

/**
 * The tax number that identifies a party: an EDB in North Macedonia (country MK or not stated), any short value abroad.
 * `null` when the party states none.
 */
export function partyTaxNumber(party: PartyFacts): string | null | 'malformed' {
  if (party.taxNumber === null || party.taxNumber === '') return null;
  if (party.country === null || party.country === 'MK') return parseEdb(party.taxNumber) ?? 'malformed';
  return [...party.taxNumber].length <= MAX_FOREIGN_TAX_NUMBER_LENGTH ? party.taxNumber : 'malformed';
}
