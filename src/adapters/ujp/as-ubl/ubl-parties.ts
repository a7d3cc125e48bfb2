import type { KnownDocument } from '../document-schema/document-fields.ts';
import { group, text, type XmlContent } from './xml-element.ts';

/** A party without the role that the names of its members begin with. */
type Party = {
  readonly country: string;
  readonly countryName: string;
  readonly edb: string | null;
  readonly foreignNumber: string | null;
  readonly vatNumber: string | null;
  readonly name: string;
  readonly address: KnownDocument['buyer']['buyerAddress'];
  readonly contact: string | null;
  readonly email: string | null;
};

export function sellerParty({ seller }: KnownDocument): XmlContent {
  return group(
    'cac:AccountingSupplierParty',
    party({
      country: seller.sellerCCode,
      countryName: seller.sellerCName,
      edb: seller.sellerTin,
      foreignNumber: seller.sellerForeignTin,
      vatNumber: seller.sellerVatNumber,
      name: seller.sellerName,
      address: seller.sellerAddress,
      contact: seller.sellerContact,
      email: seller.sellerEmail,
    }),
  );
}

export function buyerParty({ buyer }: KnownDocument): XmlContent {
  return group(
    'cac:AccountingCustomerParty',
    party({
      country: buyer.buyerCCode,
      countryName: buyer.buyerCName,
      edb: buyer.buyerTin,
      foreignNumber: buyer.buyerForeignTin,
      vatNumber: buyer.buyerVatNumber,
      name: buyer.buyerName,
      address: buyer.buyerAddress,
      contact: buyer.buyerContact,
      email: buyer.buyerEmail,
    }),
  );
}

function party(one: Party): XmlContent {
  const identification = (value: string | null, schemeID: string) =>
    group('cac:PartyIdentification', text('cbc:ID', value, { schemeID }));
  return group(
    'cac:Party',
    identification(one.edb, 'EDB'),
    identification(one.foreignNumber, 'TIN'),
    group('cac:PartyName', text('cbc:Name', one.name)),
    group(
      'cac:PostalAddress',
      text('cbc:StreetName', one.address?.streetAddress ?? null),
      text('cbc:BuildingNumber', one.address?.streetNumber ?? null),
      text('cbc:CityName', one.address?.city ?? null),
      text('cbc:PostalZone', one.address?.postalCode ?? null),
      group('cac:Country', text('cbc:IdentificationCode', one.country), text('cbc:Name', one.countryName)),
    ),
    one.vatNumber === null
      ? []
      : group(
          'cac:PartyTaxScheme',
          text('cbc:CompanyID', one.vatNumber),
          group('cac:TaxScheme', text('cbc:ID', 'VAT')),
        ),
    group('cac:PartyLegalEntity', text('cbc:RegistrationName', one.name)),
    group('cac:Contact', text('cbc:Name', one.contact), text('cbc:ElectronicMail', one.email)),
  );
}
