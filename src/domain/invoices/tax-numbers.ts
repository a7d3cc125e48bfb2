import { type Edb, parseEdb } from '../accounts/edb.ts';
import { isPersonalNumber } from '../accounts/personal-number.ts';
import { foldedTaxNumber, isHomeCountry } from '../accounts/tax-number.ts';
import type { PartyContent, PartyIdentifier } from '../documents/invoice-content.ts';
import { isVat } from './stated-codes.ts';

/** The schemes of numbers of locations and companies for trade, which are numbers of no tax. That of a location (GLN) is as long as an EDB. */
const TRADE_SCHEMES = /^(?:0060|0088|DUNS|GLN)$/u;

export function isTradeScheme(scheme: string): boolean {
  return TRADE_SCHEMES.test(scheme);
}

/** Whether a number is by its own scheme one of trade. */
export function isOfTrade({ source, taxScheme }: PartyIdentifier): boolean {
  return source !== 'tax-scheme' && isTradeScheme(taxScheme ?? '');
}

/**
 * Of numbers with the form of an EDB the first that nothing says to be another one: a number of trade, or the personal number of a natural person. These
 * count where there is no other, a personal number first: a scheme may be wrong, and the authority may have a company of that number.
 */
export function likeliestEdb<Stated extends { readonly edb: Edb; readonly isOfTrade: boolean }>(
  stated: Iterable<Stated>,
): Stated | null {
  let personal: Stated | null = null;
  let first: Stated | null = null;
  for (const one of stated) {
    first ??= one;
    if (one.isOfTrade) continue;
    if (!isPersonalNumber(one.edb)) return one;
    personal ??= one;
  }
  return personal ?? first;
}

/**
 * The likeliest identifier that is an EDB. Others are skipped: companies often state their registration number (ЕМБС) as legal
 * entity, before the tax number.
 */
export function firstEdb({
  identifiers,
}: PartyContent): { readonly edb: Edb; readonly stated: PartyIdentifier } | null {
  const found = identifiers.flatMap((stated) => {
    const edb = parseEdb(stated.value);
    return edb === null ? [] : [{ edb, stated, isOfTrade: isOfTrade(stated) }];
  });
  return likeliestEdb(found);
}

/** What may be a tax number, in order of precedence; numbers of other taxes are none. */
export function taxNumbers({ identifiers }: PartyContent): readonly PartyIdentifier[] {
  return identifiers.filter(({ source, taxScheme }) => source !== 'tax-scheme' || isVat(taxScheme));
}

/**
 * The number that a party abroad states: a VAT number wherever it stands, else the first that may be one. An electronic address, most
 * often for e-mail, is one only where its scheme says so.
 */
export function foreignTaxNumber({ identifiers }: PartyContent): PartyIdentifier | null {
  const numbers = identifiers.filter(({ taxScheme }) => isVat(taxScheme));
  const vatNumber = numbers.find(({ source, taxScheme }) => source === 'tax-scheme' || taxScheme !== null);
  return vatNumber ?? numbers.find(({ source }) => source !== 'endpoint') ?? null;
}

/**
 * The tax number of a party: an EDB wherever it stands, and abroad its number there. A domestic party without an EDB has none but a
 * wrong one that is stated as such: what the seller calls its customer is no tax number. Nor is a personal number, or one
 * of a location, which are not registered.
 */
export function statedTaxNumber(party: PartyContent): PartyIdentifier | null {
  if (!isHomeCountry(party.country)) return foreignTaxNumber(party);
  const edb = firstEdb(party)?.stated ?? null;
  if (edb !== null && !isOfTrade(edb) && !isPersonal(edb)) return edb;
  return taxNumbers(party).find((one) => one.source === 'tax-scheme' && !isPersonal(one)) ?? null;
}

/** The number in the register of companies, unless it is the tax number that is stated there. */
export function statedCompanyNumber(party: PartyContent): PartyIdentifier | null {
  const tax = statedTaxNumber(party);
  const isTaxNumber = ({ value }: PartyIdentifier) => tax !== null && comparable(value) === comparable(tax.value);
  return (
    party.identifiers.find((one) => one.source === 'legal-entity' && !isTaxNumber(one) && !isPersonal(one)) ?? null
  );
}

function isPersonal({ value }: PartyIdentifier): boolean {
  const digits = parseEdb(value);
  return digits !== null && isPersonalNumber(digits);
}

function comparable(number: string): string {
  return parseEdb(number) ?? foldedTaxNumber(number);
}
