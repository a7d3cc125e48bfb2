import type { PartyFacts } from '../documents/invoice-facts.ts';
import { foldHomoglyphs } from '../values/homoglyphs.ts';
import { type Edb, parseEdb } from './edb.ts';

export const HOME_COUNTRY = 'MK';

const MAX_FOREIGN_TAX_NUMBER_LENGTH = 30;

/** The tax number of a party. Tagged, because a foreign number can be any text, also one of our own tags. */
export type PartyTaxNumber =
  | { readonly kind: 'edb'; readonly edb: Edb }
  | { readonly kind: 'foreign'; readonly number: string }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'none' };

const MALFORMED: PartyTaxNumber = { kind: 'malformed' };

/** Whether a party is of North Macedonia, also with `МК` in Cyrillic; one that states no country is taken to be. */
export function isHomeCountry(country: string | null): boolean {
  return country === null || foldHomoglyphs(country) === HOME_COUNTRY;
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

/** A tax number as it is compared: blanks and case do not matter. */
export function foldedTaxNumber(number: string): string {
  return number.replace(/\s+/gu, '').toUpperCase();
}

/** A country as documents should state it, in Latin letters; null for anything else, which can be any text. */
export function countryCode(country: string | null): string | null {
  const code = foldHomoglyphs(country ?? '');
  return /^[A-Z]{2}$/u.test(code) ? code : null;
}

/** Greek tax numbers begin with the code of the language. */
const OTHER_PREFIXES: ReadonlyMap<string, string> = new Map([['GR', 'EL']]);

/**
 * The forms in which a tax number from abroad is asked for, with and without the prefix of its country; none for an EDB. Other
 * letters at its beginning belong to the number: British companies have numbers such as SC123456.
 */
export function foreignSpellings(number: string, country: string | null): readonly string[] {
  const folded = foldedTaxNumber(number);
  if (isHomeCountry(country)) return parseEdb(number) === null ? [folded] : [];
  const code = countryCode(country) ?? '';
  const prefixes = [code, OTHER_PREFIXES.get(code) ?? ''].filter((prefix) => prefix !== '');
  const own = prefixes.find((prefix) => folded.startsWith(prefix) && folded.length > prefix.length) ?? '';
  const rest = folded.slice(own.length);
  return [...new Set([folded, rest, ...prefixes.map((prefix) => `${prefix}${rest}`)])];
}
