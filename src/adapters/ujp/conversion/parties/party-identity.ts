import type { Edb } from '../../../../domain/accounts/edb.ts';
import { isPersonalNumber } from '../../../../domain/accounts/personal-number.ts';
import { isHomeCountry } from '../../../../domain/accounts/tax-number.ts';
import type { PartyContent, PartyIdentifier } from '../../../../domain/documents/invoice-content.ts';
import { isVat } from '../../../../domain/invoices/stated-codes.ts';
import { firstEdb, foreignTaxNumber, isOfTrade, taxNumbers } from '../../../../domain/invoices/tax-numbers.ts';
import { foldHomoglyphs } from '../../../../domain/values/homoglyphs.ts';
import type { RegistryCompany } from '../conversion-context.ts';

/** How the authority identifies a party: as a domestic taxpayer, a foreign party or a domestic natural person. */
export type PartyIdentity =
  | { readonly kind: 'company'; readonly edb: Edb }
  | { readonly kind: 'foreign'; readonly country: string; readonly taxNumber: PartyIdentifier | null }
  /** `personalNumber` is the path of the person's own number (ЕМБГ), which has the form of an EDB. */
  | { readonly kind: 'person'; readonly personalNumber: string | null }
  | { readonly kind: 'malformed'; readonly stated: PartyIdentifier };

/**
 * A number that is formed like a personal number is one, unless the authority has a company of that number: an invoice to a company
 * must not be registered as one to a person, which nobody would notice, and one to a person that names a company is only rejected. So is
 * a number of trade: it is a tax number with a wrong scheme, or none.
 */
export function identityOf(party: PartyContent, registered: RegistryCompany | null): PartyIdentity {
  const { country } = party;
  if (country !== null && !isHomeCountry(country)) {
    return { kind: 'foreign', country: foldHomoglyphs(country), taxNumber: foreignTaxNumber(party) };
  }
  const [first] = taxNumbers(party);
  const own = firstEdb(party);
  if (own !== null && registered === null && isOfTrade(own.stated)) return { kind: 'malformed', stated: own.stated };
  if (own !== null && registered === null && isPersonalNumber(own.edb)) {
    return { kind: 'person', personalNumber: own.stated.path };
  }
  if (own !== null) return { kind: 'company', edb: own.edb };
  return first === undefined ? { kind: 'person', personalNumber: null } : { kind: 'malformed', stated: first };
}

/** The number to look for in the authority's registry; null for a party that cannot be there. */
export function numberInRegistry(party: PartyContent): Edb | null {
  return isHomeCountry(party.country) ? statedEdb(party) : null;
}

export function statedEdb(party: PartyContent): Edb | null {
  return firstEdb(party)?.edb ?? null;
}

/** Whether the document states a VAT number of the party. */
export function statesVatNumber({ identifiers }: PartyContent): boolean {
  return identifiers.some(({ source, taxScheme }) => source === 'tax-scheme' && isVat(taxScheme));
}
