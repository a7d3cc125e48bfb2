import type { ConversionWarning } from '../../../../domain/documents/conversion-warning.ts';
import type { InvoiceContent, PartyContent } from '../../../../domain/documents/invoice-content.ts';
import type { CodeListEntry } from '../../../../domain/values/code-list.ts';
import type { ConversionContext, RegistryCompany } from '../conversion-context.ts';
import { ConversionFailure, notExpressible, quoted, warning, withPath } from '../conversion-failure.ts';
import type { UjpParty, UjpPartyMembers } from '../payload.ts';
import {
  CHOSEN_LENGTH,
  CODEBOOK_LENGTH,
  leftOutIfLonger,
  lengthOf,
  shortened,
  shortenedIfAny,
} from '../text-limits.ts';
import { type AddressedParty, addressLine, partyAddress } from './address.ts';
import { HOME_COUNTRY, identityOf, statedEdb, statesVatNumber } from './party-identity.ts';

/** In Cyrillic (U+041C U+041A), as in the authority's examples. */
const VAT_PREFIX = 'МК';

export type PartyNeeds = {
  readonly context: ConversionContext;
  readonly countries: readonly CodeListEntry[];
  readonly warnings: ConversionWarning[];
};

type Role = 'seller' | 'buyer';
type Identity = Pick<UjpPartyMembers, 'CCode' | 'Tin' | 'ForeignTin' | 'VatNumber'> & Pick<AddressedParty, 'kind'>;
type Subsidiary = Pick<UjpPartyMembers, 'SubsidiaryCode' | 'SubsidiaryName' | 'SubsidiaryAddress'>;

const NO_SUBSIDIARY: Subsidiary = { SubsidiaryCode: null, SubsidiaryName: null, SubsidiaryAddress: null };

/** The tenant must be the supplier: the authority compares the seller with the taxpayer that sends (X-EDB, E4020). */
export function requireSupplier(content: InvoiceContent, { tenantEdb }: ConversionContext): void {
  const { supplier } = content;
  const stated = statedEdb(supplier);
  if (stated === tenantEdb) return;
  const found =
    stated === null
      ? 'The document names no tax number (EDB) of its supplier'
      : `The supplier's tax number is ${stated}`;
  const sentence = `${found}, but the document was submitted for the taxpayer ${tenantEdb}`;
  throw new ConversionFailure('SUPPLIER-MISMATCH', withPath(sentence, supplier.path));
}

export function sellerParty({ supplier }: InvoiceContent, needs: PartyNeeds): UjpParty<'seller'> {
  const { tenantEdb, seller } = needs.context;
  const identity = domesticIdentity(tenantEdb, supplier, seller, needs.warnings);
  return withRole('seller', {
    ...members('seller', supplier, { ...identity, registered: seller }, needs),
    ...NO_SUBSIDIARY,
  });
}

export function buyerParty(content: InvoiceContent, needs: PartyNeeds): UjpParty<'buyer'> {
  const { customer } = content;
  const identity = buyerIdentity(customer, needs.context.buyer, needs.warnings);
  const registered = identity.Tin === null ? null : needs.context.buyer;
  return withRole('buyer', {
    ...members('buyer', customer, { ...identity, registered }, needs),
    ...deliveryLocation(content, needs.warnings),
  });
}

function buyerIdentity(
  party: PartyContent,
  registered: RegistryCompany | null,
  warnings: ConversionWarning[],
): Identity {
  const identity = identityOf(party, registered);
  switch (identity.kind) {
    case 'company':
      return domesticIdentity(identity.edb, party, registered, warnings);
    case 'person':
      warnings.push(personWarning(party, identity.personalNumber));
      return { kind: 'person', CCode: HOME_COUNTRY, Tin: null, ForeignTin: null, VatNumber: null };
    case 'foreign': {
      const { country, taxNumber } = identity;
      const length = lengthOf(taxNumber?.value ?? null);
      if (taxNumber !== null && length > CODEBOOK_LENGTH.taxNumber) {
        const limit = `the authority allows ${CODEBOOK_LENGTH.taxNumber}`;
        notExpressible(`The buyer's tax number has ${length} characters; ${limit}`, taxNumber.path);
      }
      return { kind: 'foreign', CCode: country, Tin: null, ForeignTin: taxNumber?.value ?? null, VatNumber: null };
    }
    case 'malformed': {
      const { value, path } = identity.stated;
      return notExpressible(`The buyer's tax number ${quoted(value)} is not an EDB of 13 digits`, path);
    }
  }
}

function personWarning(party: PartyContent, personalNumber: string | null): ConversionWarning {
  if (personalNumber !== null) {
    const sentence = "The buyer's number is the personal number of a natural person and was left out";
    return warning('PERSONAL-NUMBER-LEFT-OUT', sentence, personalNumber);
  }
  const sentence = 'The buyer has no tax number and was taken as a natural person';
  return warning('PERSON-ASSUMED', sentence, party.path);
}

function domesticIdentity(
  edb: string,
  party: PartyContent,
  registered: RegistryCompany | null,
  warnings: ConversionWarning[],
): Identity {
  const stated = statesVatNumber(party) ? `${VAT_PREFIX}${edb}` : null;
  const vatNumber = registered === null ? stated : registered.vatNumber;
  if (stated !== null && vatNumber === null) {
    const sentence = `The taxpayer ${edb} is not registered for VAT at the authority: its VAT number was left out`;
    warnings.push(warning('VAT-NUMBER-LEFT-OUT', sentence, party.path));
  }
  return { kind: 'company', CCode: HOME_COUNTRY, Tin: edb, ForeignTin: null, VatNumber: vatNumber };
}

function members(
  role: Role,
  party: PartyContent,
  { registered, kind, ...identity }: Identity & { readonly registered: RegistryCompany | null },
  { countries, warnings }: PartyNeeds,
): Omit<UjpPartyMembers, keyof Subsidiary> {
  if (registered === null && identity.Tin !== null) {
    warnings.push(
      warning(
        'PARTY-NOT-REGISTERED',
        `The ${role} is not in the authority's registry: name and address are taken from the document`,
        party.path,
      ),
    );
  }
  return {
    CCode: identity.CCode,
    CName: countryName(identity.CCode, countries, party),
    Tin: identity.Tin,
    ForeignTin: identity.ForeignTin,
    VatNumber: identity.VatNumber,
    Name: registered?.name ?? statedName(role, party, warnings),
    Address: partyAddress({ role, path: party.path, address: party.address, registered, kind }, warnings),
    Contact: contact(party, warnings),
    Email: leftOutIfLonger(
      party.email,
      CHOSEN_LENGTH.contact,
      { what: `e-mail address of the ${role}`, path: `${party.path}/cac:Contact/cbc:ElectronicMail` },
      warnings,
    ),
  };
}

/** The authority has one member for both; half a telephone number would be a wrong one. */
function contact({ contactName, telephone, path }: PartyContent, warnings: ConversionWarning[]): string | null {
  const both = [contactName, telephone].filter((part) => part !== null).join(', ') || null;
  return leftOutIfLonger(both, CHOSEN_LENGTH.contact, { what: 'contact', path: `${path}/cac:Contact` }, warnings);
}

function statedName(role: Role, { name, path }: PartyContent, warnings: ConversionWarning[]): string {
  const elementPath = `${path}/cac:PartyLegalEntity/cbc:RegistrationName`;
  if (name === null) notExpressible(`The name of the ${role} is missing`, elementPath);
  return shortened(name, CODEBOOK_LENGTH.name, { what: `name of the ${role}`, path: elementPath }, warnings);
}

function countryName(code: string, countries: readonly CodeListEntry[], { path }: PartyContent): string {
  const country = countries.find((entry) => entry.code === code);
  if (country !== undefined) return country.name;
  const elementPath = `${path}/cac:PostalAddress/cac:Country/cbc:IdentificationCode`;
  return notExpressible(`The country ${quoted(code)} is not in the authority's list`, elementPath);
}

/** The authority's members for a branch of the buyer hold the delivery location. */
function deliveryLocation({ delivery }: InvoiceContent, warnings: ConversionWarning[]): Subsidiary {
  if (delivery === null) return NO_SUBSIDIARY;
  const { locationId, locationName, partyName, address, path } = delivery;
  const place = (what: string) => ({ what: `${what} of the delivery location`, path });
  const { branchCode, branchText } = CODEBOOK_LENGTH;
  const line = address === null ? null : addressLine(address);
  return {
    SubsidiaryCode: leftOutIfLonger(locationId, branchCode, place('identifier'), warnings),
    SubsidiaryName: shortenedIfAny(partyName ?? locationName, branchText, place('name'), warnings),
    SubsidiaryAddress: shortenedIfAny(line, branchText, place('address'), warnings),
  };
}

function withRole<Prefix extends Role>(role: Prefix, party: UjpPartyMembers): UjpParty<Prefix> {
  return Object.fromEntries(
    Object.entries(party).map(([member, value]) => [`${role}${member}`, value]),
  ) as UjpParty<Prefix>;
}
