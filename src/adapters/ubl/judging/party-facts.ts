import { parseEdb } from '../../../domain/accounts/edb.ts';
import { isHomeCountry } from '../../../domain/accounts/tax-number.ts';
import type { PartyFacts } from '../../../domain/documents/invoice-facts.ts';
import { isTradeScheme, likeliestEdb } from '../../../domain/invoices/tax-numbers.ts';
import { firstNonBlank, firstText, type NonBlankElement, nonBlankElements } from '../xml/first-text.ts';
import type { ElementNumber, ReadableTree } from '../xml/readable-tree.ts';

const TAX_SCHEME = ['cac:PartyTaxScheme', 'cbc:CompanyID'];
/** Where a party can state its tax number, in the order in which the places count. */
const TAX_NUMBERS = [
  TAX_SCHEME,
  ['cac:PartyLegalEntity', 'cbc:CompanyID'],
  ['cac:PartyIdentification', 'cbc:ID'],
  ['cbc:EndpointID'],
];

const NAMES = [
  ['cac:PartyLegalEntity', 'cbc:RegistrationName'],
  ['cac:PartyName', 'cbc:Name'],
];

const COUNTRIES = [
  ['cac:PostalAddress', 'cac:Country', 'cbc:IdentificationCode'],
  ['cac:PartyLegalEntity', 'cac:RegistrationAddress', 'cac:Country', 'cbc:IdentificationCode'],
  ['cac:PartyTaxScheme', 'cac:RegistrationAddress', 'cac:Country', 'cbc:IdentificationCode'],
  ['cac:PhysicalLocation', 'cac:Address', 'cac:Country', 'cbc:IdentificationCode'],
];

const EMPTY_PARTY: PartyFacts = { name: null, taxNumber: null, country: null };

export function partyFacts(tree: ReadableTree, party: ElementNumber | null): PartyFacts {
  if (party === null) return EMPTY_PARTY;
  const country = firstOf(tree, party, COUNTRIES)?.text.toUpperCase() ?? null;
  return {
    name: firstOf(tree, party, NAMES)?.text ?? personName(tree, party),
    taxNumber: statedTaxNumber(tree, party, country)?.text ?? null,
    country,
  };
}

/**
 * In North Macedonia the first place that holds an EDB counts: many companies state their registration number (ЕМБС) beside it, or by its
 * scheme a number of a location, or a personal number, which have 13 digits as well. Where none does, and abroad, the first place that holds anything.
 */
export function statedTaxNumber(
  tree: ReadableTree,
  party: ElementNumber,
  country: string | null,
): NonBlankElement | null {
  const first = firstOf(tree, party, TAX_NUMBERS);
  if (first === null || !isHomeCountry(country)) return first;
  return likeliestEdb(statedEdbs(tree, party))?.found ?? first;
}

/** Read as far as they are asked for: most often the first one will do. */
function* statedEdbs(tree: ReadableTree, party: ElementNumber) {
  for (const path of TAX_NUMBERS) {
    for (const found of nonBlankElements(tree, party, path)) {
      const edb = parseEdb(found.text);
      if (edb === null) continue;
      const scheme = path === TAX_SCHEME ? '' : (tree.attribute(found.element, 'schemeID') ?? '');
      yield { edb, found, isOfTrade: isTradeScheme(scheme.trim()) };
    }
  }
}

function personName(tree: ReadableTree, party: ElementNumber): string | null {
  for (const person of tree.childrenNamed(party, 'cac:Person')) {
    const parts = ['cbc:FirstName', 'cbc:MiddleName', 'cbc:FamilyName'].map((part) => firstText(tree, person, [part]));
    const name = parts.filter((part) => part !== null).join(' ');
    if (name !== '') return name;
  }
  return null;
}

function firstOf(
  tree: ReadableTree,
  party: ElementNumber,
  paths: readonly (readonly string[])[],
): NonBlankElement | null {
  for (const path of paths) {
    const element = firstNonBlank(tree, party, path);
    if (element !== null) return element;
  }
  return null;
}
