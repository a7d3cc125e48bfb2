import { type Edb, parseEdb } from '../../../../domain/accounts/edb.ts';
import type { PartyContent, PartyIdentifier } from '../../../../domain/documents/invoice-content.ts';
import { shapeOf } from '../served-code.ts';
import { isVat } from '../vat/vat-scheme.ts';

export const HOME = 'MK';

/** Who a party is for the authority: a taxpayer at home, somebody abroad, or a natural person at home. */
export type PartyIdentity =
  | { readonly kind: 'company'; readonly edb: Edb }
  | { readonly kind: 'abroad'; readonly country: string; readonly taxNumber: PartyIdentifier | null }
  | { readonly kind: 'person' }
  | { readonly kind: 'malformed'; readonly stated: PartyIdentifier };

export function identityOf(party: PartyContent): PartyIdentity {
  const country = shapeOf(party.country ?? HOME);
  const [first] = taxNumbers(party);
  if (country !== HOME) return { kind: 'abroad', country, taxNumber: first ?? null };
  const edb = statedEdb(party);
  if (edb !== null) return { kind: 'company', edb };
  return first === undefined ? { kind: 'person' } : { kind: 'malformed', stated: first };
}

/**
 * The first identifier that is an EDB. A company often states its registration number (ЕМБС) as legal entity, which is none
 * and must not hide the tax number behind it.
 */
export function statedEdb(party: PartyContent): Edb | null {
  for (const { value } of party.identifiers) {
    const edb = parseEdb(value);
    if (edb !== null) return edb;
  }
  return null;
}

/** Whether the document presents the party as registered for VAT. */
export function statesVatNumber({ identifiers }: PartyContent): boolean {
  return identifiers.some(({ source, taxScheme }) => source === 'tax-scheme' && isVat(taxScheme));
}

function taxNumbers({ identifiers }: PartyContent): readonly PartyIdentifier[] {
  return identifiers.filter(({ source, taxScheme }) => source !== 'tax-scheme' || isVat(taxScheme));
}
