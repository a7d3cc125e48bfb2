import { type Edb, parseEdb } from '../accounts/edb.ts';
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
 * The first identifier that is an EDB. Others are skipped: companies often state their registration number (ЕМБС) as legal
 * entity, before the tax number. A number of trade is one only where there is no other: its scheme may be wrong.
 */
export function firstEdb({
  identifiers,
}: PartyContent): { readonly edb: Edb; readonly stated: PartyIdentifier } | null {
  const found = identifiers.flatMap((stated) => {
    const edb = parseEdb(stated.value);
    return edb === null ? [] : [{ edb, stated }];
  });
  return found.find(({ stated }) => !isOfTrade(stated)) ?? found[0] ?? null;
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
 * wrong one that is stated as such: what the seller calls its customer is no tax number.
 */
export function statedTaxNumber(party: PartyContent): PartyIdentifier | null {
  if (!isHomeCountry(party.country)) return foreignTaxNumber(party);
  return firstEdb(party)?.stated ?? taxNumbers(party).find(({ source }) => source === 'tax-scheme') ?? null;
}

/** The number in the register of companies, unless it is the tax number that is stated there. */
export function statedCompanyNumber(party: PartyContent): PartyIdentifier | null {
  const tax = statedTaxNumber(party);
  const isTaxNumber = ({ value }: PartyIdentifier) => tax !== null && comparable(value) === comparable(tax.value);
  return party.identifiers.find((one) => one.source === 'legal-entity' && !isTaxNumber(one)) ?? null;
}

function comparable(number: string): string {
  return parseEdb(number) ?? foldedTaxNumber(number);
}
