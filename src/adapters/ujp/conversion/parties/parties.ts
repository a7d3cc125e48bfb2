import type { InvoiceContent, PartyContent } from '../../../../domain/documents/invoice-content.ts';
import type { CodeListEntry } from '../../../../domain/values/code-list.ts';
import type { ConversionContext, RegistryCompany } from '../conversion-context.ts';
import { ConversionFailure, located, notExpressible, quoted } from '../conversion-failure.ts';
import type { UjpParty, UjpPartyMembers } from '../payload.ts';
import { type Addressee, addressLine, partyAddress } from './address.ts';
import { HOME, identityOf, statedEdb, statesVatNumber } from './party-identity.ts';

const LONGEST_NAME = 80;
const LONGEST_FOREIGN_TIN = 30;
const LONGEST_SUBSIDIARY_CODE = 20;
const LONGEST_SUBSIDIARY_TEXT = 100;

/** VAT numbers carry the prefix in Cyrillic (U+041C U+041A), as in the authority's own examples. */
const VAT_PREFIX = 'МК';

export type PartyNeeds = {
  readonly context: ConversionContext;
  readonly countries: readonly CodeListEntry[];
  readonly warnings: string[];
};

type Role = 'seller' | 'buyer';
type Identity = Pick<UjpPartyMembers, 'CCode' | 'Tin' | 'ForeignTin' | 'VatNumber'> & Pick<Addressee, 'kind'>;
type Subsidiary = Pick<UjpPartyMembers, 'SubsidiaryCode' | 'SubsidiaryName' | 'SubsidiaryAddress'>;

const NO_SUBSIDIARY: Subsidiary = { SubsidiaryCode: null, SubsidiaryName: null, SubsidiaryAddress: null };

/** Whoever sends must be the supplier: the authority takes documents of the taxpayer itself. */
export function requireSupplier(content: InvoiceContent, { tenantEdb }: ConversionContext): void {
  const { supplier } = content;
  const stated = statedEdb(supplier);
  if (stated === tenantEdb) return;
  const found =
    stated === null
      ? 'The document names no tax number (EDB) of its supplier'
      : `The supplier's tax number is ${stated}`;
  const sentence = `${found}, but the document was sent for the taxpayer ${tenantEdb}`;
  throw new ConversionFailure('SUPPLIER-MISMATCH', located(sentence, supplier.path));
}

export function sellerParty({ supplier }: InvoiceContent, needs: PartyNeeds): UjpParty<'seller'> {
  const { tenantEdb, seller } = needs.context;
  const identity = atHome(tenantEdb, supplier, seller);
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
    ...placeOfDelivery(content, needs.warnings),
  });
}

function buyerIdentity(party: PartyContent, registered: RegistryCompany | null): Identity {
  const identity = identityOf(party);
  switch (identity.kind) {
    case 'company':
      return atHome(identity.edb, party, registered);
    case 'person':
      return { kind: 'person', CCode: HOME, Tin: null, ForeignTin: null, VatNumber: null };
    case 'abroad': {
      const { country, taxNumber } = identity;
      if (taxNumber !== null && [...taxNumber.value].length > LONGEST_FOREIGN_TIN) {
        const limit = `the authority allows ${LONGEST_FOREIGN_TIN}`;
        notExpressible(
          `The buyer's tax number has ${[...taxNumber.value].length} characters; ${limit}`,
          taxNumber.path,
        );
      }
      return { kind: 'abroad', CCode: country, Tin: null, ForeignTin: taxNumber?.value ?? null, VatNumber: null };
    }
    case 'malformed': {
      const { value, path } = identity.stated;
      return notExpressible(`The buyer's tax number ${quoted(value)} is no EDB of 13 digits`, path);
    }
  }
}

function atHome(edb: string, party: PartyContent, registered: RegistryCompany | null): Identity {
  const stated = statesVatNumber(party) ? `${VAT_PREFIX}${edb}` : null;
  const vatNumber = registered === null ? stated : registered.vatNumber;
  return { kind: 'company', CCode: HOME, Tin: edb, ForeignTin: null, VatNumber: vatNumber };
}

function members(
  role: Role,
  party: PartyContent,
  { registered, kind, ...identity }: Identity & { readonly registered: RegistryCompany | null },
  { countries, warnings }: PartyNeeds,
): Omit<UjpPartyMembers, keyof Subsidiary> {
  if (registered === null && identity.Tin !== null) {
    warnings.push(
      located(`The ${role} is not in the authority's registry: name and address are the document's`, party.path),
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
  const place = `${path}/cac:PartyLegalEntity/cbc:RegistrationName`;
  if (name === null) notExpressible(`The name of the ${role} is missing`, place);
  const { length } = [...name];
  if (length > LONGEST_NAME) {
    notExpressible(`The name of the ${role} has ${length} characters; the authority allows ${LONGEST_NAME}`, place);
  }
  return name;
}

function countryName(code: string, countries: readonly CodeListEntry[], { path }: PartyContent): string {
  const country = countries.find((entry) => entry.code === code);
  if (country !== undefined) return country.name;
  const place = `${path}/cac:PostalAddress/cac:Country/cbc:IdentificationCode`;
  return notExpressible(`The country ${quoted(code)} is not in the authority's list`, place);
}

/** For the buyer the branch is the place of delivery. */
function placeOfDelivery({ delivery }: InvoiceContent, warnings: string[]): Subsidiary {
  if (delivery === null) return NO_SUBSIDIARY;
  const { locationId, locationName, partyName, address, path } = delivery;
  const fitting = (text: string | null, longest: number, what: string): string | null => {
    if (text === null || [...text].length <= longest) return text;
    warnings.push(
      located(`The ${what} of the place of delivery is longer than ${longest} characters and was left out`, path),
    );
    return null;
  };
  return {
    SubsidiaryCode: fitting(locationId, LONGEST_SUBSIDIARY_CODE, 'identifier'),
    SubsidiaryName: fitting(partyName ?? locationName, LONGEST_SUBSIDIARY_TEXT, 'name'),
    SubsidiaryAddress: fitting(address === null ? null : addressLine(address), LONGEST_SUBSIDIARY_TEXT, 'address'),
  };
}

function withRole<Prefix extends Role>(role: Prefix, party: UjpPartyMembers): UjpParty<Prefix> {
  return Object.fromEntries(
    Object.entries(party).map(([member, value]) => [`${role}${member}`, value]),
  ) as UjpParty<Prefix>;
}
