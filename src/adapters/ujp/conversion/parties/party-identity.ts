import { type Edb, parseEdb } from '../../../../domain/accounts/edb.ts';
import type { PartyContent, PartyIdentifier } from '../../../../domain/documents/invoice-content.ts';
import { foldHomoglyphs } from '../code-matching.ts';
import { isVat } from '../vat/vat-category.ts';

export const HOME_COUNTRY = 'MK';

/** How the authority identifies a party: as a domestic taxpayer, a foreign party or a domestic natural person. */
export type PartyIdentity =
  | { readonly kind: 'company'; readonly edb: Edb }
  | { readonly kind: 'foreign'; readonly country: string; readonly taxNumber: PartyIdentifier | null }
  | { readonly kind: 'person' }
  | { readonly kind: 'malformed'; readonly stated: PartyIdentifier };

export function identityOf(party: PartyContent): PartyIdentity {
  const country = foldHomoglyphs(party.country ?? HOME_COUNTRY);
  const [first] = taxNumbers(party);
  if (country !== HOME_COUNTRY) return { kind: 'foreign', country, taxNumber: first ?? null };
  const edb = statedEdb(party);
  if (edb !== null) return { kind: 'company', edb };
  return first === undefined ? { kind: 'person' } : { kind: 'malformed', stated: first };
}

/**
 * The first identifier that is an EDB. Others are skipped: companies often state their registration number (ЕМБС) as legal
 * entity, before the tax number.
 */
export function statedEdb(party: PartyContent): Edb | null {
  for (const { value } of party.identifiers) {
    const edb = parseEdb(value);
    if (edb !== null) return edb;
  }
  return null;
}

/** Whether the document states a VAT number of the party. */
export function statesVatNumber({ identifiers }: PartyContent): boolean {
  return identifiers.some(({ source, taxScheme }) => source === 'tax-scheme' && isVat(taxScheme));
}

function taxNumbers({ identifiers }: PartyContent): readonly PartyIdentifier[] {
  return identifiers.filter(({ source, taxScheme }) => source !== 'tax-scheme' || isVat(taxScheme));
}
