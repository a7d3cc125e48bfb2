import type { PartyFacts } from '../documents/invoice-facts.ts';
import { parseEdb } from './edb.ts';

const LONGEST_FOREIGN_TAX_NUMBER = 30;

/**
 * The tax number by which a party is known to us: an EDB at home (country MK or none given),
 * any short value abroad. `null` when the party states none, `malformed` when it states one that cannot be.
 */
export function partyTaxNumber(party: PartyFacts): string | null | 'malformed' {
  if (party.taxNumber === null || party.taxNumber === '') return null;
  if (party.country === null || party.country === 'MK') return parseEdb(party.taxNumber) ?? 'malformed';
  return [...party.taxNumber].length <= LONGEST_FOREIGN_TAX_NUMBER ? party.taxNumber : 'malformed';
}
