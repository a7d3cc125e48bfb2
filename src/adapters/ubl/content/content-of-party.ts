import type { PartyContent, PartyIdentifier, PostalAddress } from '../../../domain/documents/invoice-content.ts';
import { isVat } from '../../../domain/invoices/stated-codes.ts';
import { isTradeScheme } from '../../../domain/invoices/tax-numbers.ts';
import type { ContentElement } from './content-of-element.ts';

const IDENTIFIERS: readonly (readonly [PartyIdentifier['source'], string, string])[] = [
  ['tax-scheme', 'cac:PartyTaxScheme', 'cbc:CompanyID'],
  ['legal-entity', 'cac:PartyLegalEntity', 'cbc:CompanyID'],
  ['identification', 'cac:PartyIdentification', 'cbc:ID'],
];

/** The schemes of numbers and electronic addresses (EAS) that are VAT numbers, by their codes and by the names they have in Peppol. */
const VAT_NUMBERS = /^(?:0211|0213|0235|0248|9906|9909|991[024]|992[02-9]|99[34]\d|995[0-357]|[A-Z]{2}:?VAT|IT:IVA)$/u;

/** The party below its role, `cac:AccountingSupplierParty`; an empty one if the document has none. */
export function partyContent(document: ContentElement, role: string): PartyContent {
  const party = document.child(role)?.child('cac:Party') ?? null;
  const path = `${document.path}/${role}/cac:Party`;
  if (party === null) return emptyParty(path);
  const address = party.child('cac:PostalAddress');
  return {
    path: party.path,
    name: partyName(party),
    identifiers: identifiers(party),
    address: address === null ? null : addressContent(address),
    country: partyCountry(party),
    telephone: party.text('cac:Contact', 'cbc:Telephone'),
    contactName: party.text('cac:Contact', 'cbc:Name'),
    email: party.text('cac:Contact', 'cbc:ElectronicMail'),
  };
}

export function partyName(party: ContentElement): string | null {
  return (
    party.text('cac:PartyLegalEntity', 'cbc:RegistrationName') ??
    party.text('cac:PartyName', 'cbc:Name') ??
    personName(party)
  );
}

export function addressContent(address: ContentElement): PostalAddress {
  return {
    path: address.path,
    street: address.text('cbc:StreetName'),
    additionalStreet: address.text('cbc:AdditionalStreetName'),
    buildingNumber: address.text('cbc:BuildingNumber'),
    city: address.text('cbc:CityName'),
    postalZone: address.text('cbc:PostalZone'),
    lines: address.children('cac:AddressLine').flatMap((line) => line.texts('cbc:Line')),
  };
}

function identifiers(party: ContentElement): readonly PartyIdentifier[] {
  const stated = IDENTIFIERS.flatMap(([source, holder, name]) =>
    party.children(holder).flatMap((element) => identifier(source, element, name)),
  );
  return [...stated, ...identifier('endpoint', party, 'cbc:EndpointID')];
}

function identifier(source: PartyIdentifier['source'], holder: ContentElement, name: string): PartyIdentifier[] {
  const element = holder.firstNonBlank(name);
  const value = element?.value ?? null;
  if (element === null || value === null) return [];
  const taxScheme = source === 'tax-scheme' ? holder.text('cac:TaxScheme', 'cbc:ID') : schemeOf(element);
  return [{ path: element.path, source, value, taxScheme }];
}

/** What the scheme of a number says of taxes. */
function schemeOf(element: ContentElement): string | null {
  const scheme = element.attribute('schemeID') ?? '';
  if (scheme === '') return null;
  if (VAT_NUMBERS.test(scheme) || isVat(scheme)) return 'VAT';
  return isTradeScheme(scheme) ? scheme : null;
}

function partyCountry(party: ContentElement): string | null {
  const country = ['cac:Country', 'cbc:IdentificationCode'] as const;
  const code =
    party.text('cac:PostalAddress', ...country) ??
    party.text('cac:PartyLegalEntity', 'cac:RegistrationAddress', ...country) ??
    party.text('cac:PartyTaxScheme', 'cac:RegistrationAddress', ...country) ??
    party.text('cac:PhysicalLocation', 'cac:Address', ...country);
  return code?.toUpperCase() ?? null;
}

function personName(party: ContentElement): string | null {
  for (const person of party.children('cac:Person')) {
    const parts = ['cbc:FirstName', 'cbc:MiddleName', 'cbc:FamilyName'].map((part) => person.text(part));
    const name = parts.filter((part) => part !== null).join(' ');
    if (name !== '') return name;
  }
  return null;
}

function emptyParty(path: string): PartyContent {
  return {
    path,
    name: null,
    identifiers: [],
    address: null,
    country: null,
    telephone: null,
    contactName: null,
    email: null,
  };
}
