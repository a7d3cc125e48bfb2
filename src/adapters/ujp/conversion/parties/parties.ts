import type { ConversionWarning } from '../../../../domain/documents/conversion-warning.ts';
import type { InvoiceContent, PartyContent } from '../../../../domain/documents/invoice-content.ts';
import type { CodeListEntry } from '../../../../domain/values/code-list.ts';
import type { ConversionContext, RegistryCompany } from '../conversion-context.ts';
import { ConversionFailure, notExpressible, quoted, warning, withPath } from '../conversion-failure.ts';
import type { UjpParty, UjpPartyMembers } from '../payload.ts';
import { type AddressedParty, addressLine, partyAddress } from './address.ts';
import { HOME_COUNTRY, identityOf, statedEdb, statesVatNumber } from './party-identity.ts';

const MAX_NAME_LENGTH = 80;
const MAX_FOREIGN_TIN_LENGTH = 30;
const MAX_SUBSIDIARY_CODE_LENGTH = 20;
const MAX_SUBSIDIARY_TEXT_LENGTH = 100;

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
  const identity = domesticIdentity(tenantEdb, supplier, seller);
  return withRole('seller', {
    ...members('seller', supplier, { ...identity, registered: seller }, needs),
    ...NO_SUBSIDIARY,
  });
}

export function buyerParty(content: InvoiceContent, needs: PartyNeeds): UjpParty<'buyer'> {
  const { customer } = content;
  const identity = buyerIdentity(customer, needs.context.buyer);
  const registered = identity.Tin === null ? null : needs.context.buyer;
  return withRole('buyer', {
    ...members('buyer', customer, { ...identity, registered }, needs),
    ...deliveryLocation(content, needs.warnings),
  });
}

function buyerIdentity(party: PartyContent, registered: RegistryCompany | null): Identity {
  const identity = identityOf(party);
  switch (identity.kind) {
    case 'company':
      return domesticIdentity(identity.edb, party, registered);
    case 'person':
      return { kind: 'person', CCode: HOME_COUNTRY, Tin: null, ForeignTin: null, VatNumber: null };
    case 'foreign': {
      const { country, taxNumber } = identity;
      if (taxNumber !== null && [...taxNumber.value].length > MAX_FOREIGN_TIN_LENGTH) {
        const limit = `the authority allows ${MAX_FOREIGN_TIN_LENGTH}`;
        notExpressible(
          `The buyer's tax number has ${[...taxNumber.value].length} characters; ${limit}`,
          taxNumber.path,
        );
      }
      return { kind: 'foreign', CCode: country, Tin: null, ForeignTin: taxNumber?.value ?? null, VatNumber: null };
    }
    case 'malformed': {
      const { value, path } = identity.stated;
      return notExpressible(`The buyer's tax number ${quoted(value)} is not an EDB of 13 digits`, path);
    }
  }
}

function domesticIdentity(edb: string, party: PartyContent, registered: RegistryCompany | null): Identity {
  const stated = statesVatNumber(party) ? `${VAT_PREFIX}${edb}` : null;
  const vatNumber = registered === null ? stated : registered.vatNumber;
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
    Name: registered?.name ?? statedName(role, party),
    Address: partyAddress({ role, path: party.path, address: party.address, registered, kind }, warnings),
    Contact: party.telephone ?? party.contactName,
    Email: party.email,
  };
}

function statedName(role: Role, { name, path }: PartyContent): string {
  const elementPath = `${path}/cac:PartyLegalEntity/cbc:RegistrationName`;
  if (name === null) notExpressible(`The name of the ${role} is missing`, elementPath);
  const { length } = [...name];
  if (length > MAX_NAME_LENGTH) {
    notExpressible(
      `The name of the ${role} has ${length} characters; the authority allows ${MAX_NAME_LENGTH}`,
      elementPath,
    );
  }
  return name;
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
  const limited = (text: string | null, maxLength: number, what: string): string | null => {
    if (text === null || [...text].length <= maxLength) return text;
    warnings.push(
      warning(
        'DELIVERY-LOCATION-LEFT-OUT',
        `The ${what} of the delivery location is longer than ${maxLength} characters and was left out`,
        path,
      ),
    );
    return null;
  };
  return {
    SubsidiaryCode: limited(locationId, MAX_SUBSIDIARY_CODE_LENGTH, 'identifier'),
    SubsidiaryName: limited(partyName ?? locationName, MAX_SUBSIDIARY_TEXT_LENGTH, 'name'),
    SubsidiaryAddress: limited(address === null ? null : addressLine(address), MAX_SUBSIDIARY_TEXT_LENGTH, 'address'),
  };
}

function withRole<Prefix extends Role>(role: Prefix, party: UjpPartyMembers): UjpParty<Prefix> {
  return Object.fromEntries(
    Object.entries(party).map(([member, value]) => [`${role}${member}`, value]),
  ) as UjpParty<Prefix>;
}
