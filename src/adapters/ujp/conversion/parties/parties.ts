import { foldedTaxNumber, HOME_COUNTRY } from '../../../../domain/accounts/tax-number.ts';
import type { ConversionWarning } from '../../../../domain/documents/conversion-warning.ts';
import type { InvoiceContent, PartyContent, PartyIdentifier } from '../../../../domain/documents/invoice-content.ts';
import { isOfTrade } from '../../../../domain/invoices/tax-numbers.ts';
import { message } from '../../../../domain/messages/message.ts';
import type { CodeListEntry } from '../../../../domain/values/code-list.ts';
import type { ConversionContext, RegistryCompany } from '../conversion-context.ts';
import { ConversionFailure, excerpt, notExpressible, warning } from '../conversion-failure.ts';
import { INVOICE_TO_PERSON } from '../document-type.ts';
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
import { identityOf, statedEdb, statesVatNumber } from './party-identity.ts';

/** In Cyrillic (U+041C U+041A), as in the authority's examples. */
const VAT_PREFIX = 'МК';
/** Where a party states its tax number. */
const TAX_NUMBER = 'cac:PartyTaxScheme/cbc:CompanyID';

export type PartyNeeds = {
  readonly context: ConversionContext;
  readonly docType: string;
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
  const reason =
    stated === null
      ? message('supplier-number-missing', { taxpayer: tenantEdb })
      : message('supplier-number-other', { number: stated, taxpayer: tenantEdb });
  throw new ConversionFailure('SUPPLIER-MISMATCH', reason, supplier.path);
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
  const identity = buyerIdentity(customer, needs);
  const registered = identity.Tin === null ? null : needs.context.buyer;
  return withRole('buyer', {
    ...members('buyer', customer, { ...identity, registered }, needs),
    ...deliveryLocation(content, needs.warnings),
  });
}

function buyerIdentity(party: PartyContent, { context, docType, warnings }: PartyNeeds): Identity {
  const registered = context.buyer;
  const identity = identityOf(party, registered);
  switch (identity.kind) {
    case 'company':
      return domesticIdentity(identity.edb, party, registered, warnings);
    case 'person':
      warnings.push(personWarning(party, identity.personalNumber));
      // Residents must have a tax number (E10001); that natural persons need none is known of their own type only.
      if (docType !== INVOICE_TO_PERSON) {
        const missing = message('buyer-number-missing', { type: docType, personType: INVOICE_TO_PERSON });
        warnings.push(warning('BUYER-NUMBER-MISSING', missing, party.path));
      }
      return { kind: 'person', CCode: HOME_COUNTRY, Tin: null, ForeignTin: null, VatNumber: null };
    case 'foreign': {
      const { country, taxNumber } = identity;
      const length = lengthOf(taxNumber?.value ?? null);
      if (taxNumber !== null && length > CODEBOOK_LENGTH.taxNumber) {
        const limit = CODEBOOK_LENGTH.taxNumber;
        notExpressible(message('buyer-number-too-long', { length, limit }), taxNumber.path);
      }
      warnOfNumber(party, taxNumber, warnings);
      return { kind: 'foreign', CCode: country, Tin: null, ForeignTin: taxNumber?.value ?? null, VatNumber: null };
    }
    case 'malformed': {
      const { value, taxScheme, path } = identity.stated;
      const number = excerpt(value);
      if (!isOfTrade(identity.stated)) return notExpressible(message('buyer-number-malformed', { number }), path);
      const values = { number, scheme: excerpt(taxScheme ?? ''), element: TAX_NUMBER };
      return notExpressible(message('buyer-number-of-trade', values), path);
    }
  }
}

/**
 * Of what a buyer abroad states instead of a tax number: the number of another tax or of none, else an electronic address. The number of
 * another tax is told of also beside one that is sent without being stated as a tax number, unless it is the same: it may be the one that
 * was meant.
 */
function warnOfNumber(
  { identifiers }: PartyContent,
  sent: PartyIdentifier | null,
  warnings: ConversionWarning[],
): void {
  const isOtherSent = sent !== null && sent.source !== 'tax-scheme' && sent.taxScheme === null;
  const isUnsent = ({ value }: PartyIdentifier) => foldedTaxNumber(value) !== foldedTaxNumber(sent?.value ?? '');
  const first = isOtherSent ? identifiers.find((one) => one.source === 'tax-scheme' && isUnsent(one)) : identifiers[0];
  if (first === undefined || (sent !== null && !isOtherSent)) return;
  const { source, value, taxScheme, path } = first;
  const stated = { number: excerpt(value), scheme: excerpt(taxScheme ?? '') };
  const element = TAX_NUMBER;
  const ofScheme = source === 'tax-scheme' ? 'other-tax-number-left-out' : 'trade-number-left-out';
  const leftOut =
    source === 'endpoint' ? message('endpoint-left-out', { element }) : message(ofScheme, { ...stated, element });
  warnings.push(warning('PARTY-LEFT-OUT', leftOut, path));
}

function personWarning(party: PartyContent, personalNumber: string | null): ConversionWarning {
  if (personalNumber !== null) {
    return warning('PERSONAL-NUMBER-LEFT-OUT', message('personal-number-left-out'), personalNumber);
  }
  return warning('PERSON-ASSUMED', message('person-assumed'), party.path);
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
    warnings.push(warning('VAT-NUMBER-LEFT-OUT', message('vat-number-left-out', { taxpayer: edb }), party.path));
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
    const unregistered = message('party-not-registered', { party: message(role) });
    warnings.push(warning('PARTY-NOT-REGISTERED', unregistered, party.path));
  }
  return {
    CCode: identity.CCode,
    CName: countryName(role, identity.CCode, countries, party),
    Tin: identity.Tin,
    ForeignTin: identity.ForeignTin,
    VatNumber: identity.VatNumber,
    Name: registered?.name ?? statedName(role, party, warnings),
    Address: partyAddress({ role, path: party.path, address: party.address, registered, kind }, warnings),
    Contact: contact(role, party, warnings),
    Email: leftOutIfLonger(
      party.email,
      CHOSEN_LENGTH.contact,
      {
        what: message('text-email', { party: message(role) }),
        path: `${party.path}/cac:Contact/cbc:ElectronicMail`,
      },
      warnings,
    ),
  };
}

/** The authority has one member for both; half a telephone number would be a wrong one. */
function contact(
  role: Role,
  { contactName, telephone, path }: PartyContent,
  warnings: ConversionWarning[],
): string | null {
  const both = [contactName, telephone].filter((part) => part !== null).join(', ') || null;
  const place = { what: message('text-contact', { party: message(role) }), path: `${path}/cac:Contact` };
  return leftOutIfLonger(both, CHOSEN_LENGTH.contact, place, warnings);
}

function statedName(role: Role, { name, path }: PartyContent, warnings: ConversionWarning[]): string {
  const elementPath = `${path}/cac:PartyLegalEntity/cbc:RegistrationName`;
  if (name === null) notExpressible(message('party-name-missing', { party: message(role) }), elementPath);
  const place = { what: message('text-party-name', { party: message(role) }), path: elementPath };
  return shortened(name, CODEBOOK_LENGTH.name, place, warnings);
}

function countryName(role: Role, code: string, countries: readonly CodeListEntry[], { path }: PartyContent): string {
  const country = countries.find((entry) => entry.code === code);
  if (country !== undefined) return country.name;
  const elementPath = `${path}/cac:PostalAddress/cac:Country/cbc:IdentificationCode`;
  const values = { code: excerpt(code), party: message(role), list: 'countries' };
  return notExpressible(message('country-unlisted', values), elementPath);
}

/** The authority's members for a branch of the buyer hold the delivery location. */
function deliveryLocation({ delivery }: InvoiceContent, warnings: ConversionWarning[]): Subsidiary {
  if (delivery === null) return NO_SUBSIDIARY;
  const { locationId, locationName, partyName, address, path } = delivery;
  const { branchCode, branchText } = CODEBOOK_LENGTH;
  const line = address === null ? null : addressLine(address);
  return {
    SubsidiaryCode: leftOutIfLonger(locationId, branchCode, { what: message('text-location-code'), path }, warnings),
    SubsidiaryName: shortenedIfAny(
      partyName ?? locationName,
      branchText,
      { what: message('text-location-name'), path },
      warnings,
    ),
    SubsidiaryAddress: shortenedIfAny(line, branchText, { what: message('text-location-address'), path }, warnings),
  };
}

function withRole<Prefix extends Role>(role: Prefix, party: UjpPartyMembers): UjpParty<Prefix> {
  return Object.fromEntries(
    Object.entries(party).map(([member, value]) => [`${role}${member}`, value]),
  ) as UjpParty<Prefix>;
}
