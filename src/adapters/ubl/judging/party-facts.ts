import type { PartyFacts } from '../../../domain/documents/invoice-facts.ts';
import { firstNonBlank, firstText, type NonBlankElement } from '../xml/first-text.ts';
import type { ElementRef, XmlTree } from '../xml/xml-tree.ts';

/** Where a party can state its tax number; the first that is present is used. */
const TAX_NUMBERS = [
  ['cac:PartyTaxScheme', 'cbc:CompanyID'],
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

export function partyFacts(tree: XmlTree, party: ElementRef | null): PartyFacts {
  if (party === null) return EMPTY_PARTY;
  return {
    name: firstOf(tree, party, NAMES)?.text ?? personName(tree, party),
    taxNumber: statedTaxNumber(tree, party)?.text ?? null,
    country: firstOf(tree, party, COUNTRIES)?.text.toUpperCase() ?? null,
  };
}

export function statedTaxNumber(tree: XmlTree, party: ElementRef): NonBlankElement | null {
  return firstOf(tree, party, TAX_NUMBERS);
}

function personName(tree: XmlTree, party: ElementRef): string | null {
  for (const person of tree.childrenNamed(party, 'cac:Person')) {
    const parts = ['cbc:FirstName', 'cbc:MiddleName', 'cbc:FamilyName'].map((part) => firstText(tree, person, [part]));
    const name = parts.filter((part) => part !== null).join(' ');
    if (name !== '') return name;
  }
  return null;
}

function firstOf(tree: XmlTree, party: ElementRef, paths: readonly (readonly string[])[]): NonBlankElement | null {
  for (const path of paths) {
    const element = firstNonBlank(tree, party, path);
    if (element !== null) return element;
  }
  return null;
}
