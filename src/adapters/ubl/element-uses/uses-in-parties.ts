import { isHomeCountry } from '../../../domain/accounts/tax-number.ts';
import { ANY_OTHER, type ElementUse, type ElementUses, leftOut, row, uses } from './element-use.ts';

const DETAIL = leftOut('party-detail');

const COUNTRY = uses(row('decides', 'cbc:IdentificationCode'), row('replaced', 'cbc:Name'));

const ADDRESS_PARTS = ['cbc:StreetName', 'cbc:BuildingNumber', 'cbc:CityName', 'cbc:PostalZone'];
const ADDRESS_LINES = ['cbc:AdditionalStreetName', 'cac:AddressLine'];
const ADDRESS_DETAILS = [
  ...['cbc:ID', 'cbc:AddressFormatCode', 'cbc:AddressTypeCode', 'cbc:Department', 'cbc:BuildingName', 'cbc:Postbox'],
  ...['cbc:Floor', 'cbc:Room', 'cbc:BlockName', 'cbc:InhouseMail', 'cbc:MarkAttention', 'cbc:MarkCare'],
  ...['cbc:PlotIdentification', 'cbc:CitySubdivisionName', 'cbc:CountrySubentity', 'cbc:CountrySubentityCode'],
  ...['cbc:Region', 'cbc:District', 'cbc:TimezoneOffset', 'cac:LocationCoordinate'],
];

/** The taxpayer is in the register for certain: else nothing is sent. */
const SELLER_ADDRESS = uses(row('replaced', ...ADDRESS_PARTS, ...ADDRESS_LINES, ...ADDRESS_DETAILS, 'cac:Country'));

/** Lines beyond the street have a warning of their own, where the address is not the register's. */
const BUYER_ADDRESS = uses(
  row('sent', ...ADDRESS_PARTS),
  row('decides', ...ADDRESS_LINES),
  row(COUNTRY, 'cac:Country'),
  row(leftOut('buyer-address'), ...ADDRESS_DETAILS),
);

/** Sent as one text without the country, which is the taxpayer's own if the reader is not told another. */
export const DELIVERY_ADDRESS = uses(
  row('sent', ...ADDRESS_PARTS, ...ADDRESS_LINES),
  row(
    uses(
      row(() => countryOfDelivery, 'cbc:IdentificationCode'),
      row('says-nothing', 'cbc:Name'),
    ),
    'cac:Country',
  ),
  row(leftOut('delivery-detail'), ...ADDRESS_DETAILS),
);

function countryOfDelivery({ value }: { readonly value: string | null }): ElementUse {
  return value !== null && isHomeCountry(value) ? 'says-nothing' : leftOut('delivery-detail');
}

export const TAX_SCHEME = uses(
  row('decides', 'cbc:ID'),
  row('replaced', 'cbc:Name', 'cbc:TaxTypeCode', 'cbc:CurrencyCode'),
);

const CONTACT = uses(
  row('sent', 'cbc:Name', 'cbc:Telephone', 'cbc:ElectronicMail'),
  row(DETAIL, 'cbc:ID', 'cbc:Telefax', 'cbc:Note', 'cac:OtherCommunication'),
);

type PartyUses = {
  readonly address: ElementUses;
  readonly country: ElementUse;
  readonly name: ElementUse;
  /** What the taxpayers' register holds of a company beside these. */
  readonly registered: ElementUse;
};

function party({ address, country, name, registered }: PartyUses): ElementUses {
  const otherAddress = uses(row(country, 'cac:Country'), row(registered, ANY_OTHER));
  return uses(
    row('decides', 'cbc:EndpointID'),
    row(uses(row('decides', 'cbc:ID')), 'cac:PartyIdentification'),
    row(uses(row(name, 'cbc:Name')), 'cac:PartyName'),
    row(address, 'cac:PostalAddress'),
    row(
      uses(
        row('decides', 'cbc:CompanyID'),
        row(TAX_SCHEME, 'cac:TaxScheme'),
        row(otherAddress, 'cac:RegistrationAddress'),
        row(registered, 'cbc:RegistrationName', 'cbc:TaxLevelCode'),
        row(DETAIL, 'cbc:ExemptionReason', 'cbc:ExemptionReasonCode'),
      ),
      'cac:PartyTaxScheme',
    ),
    row(
      uses(
        row(name, 'cbc:RegistrationName'),
        row('decides', 'cbc:CompanyID'),
        row(otherAddress, 'cac:RegistrationAddress'),
        row(registered, 'cbc:CompanyLegalForm', 'cac:CorporateRegistrationScheme', 'cbc:CompanyLegalFormCode'),
      ),
      'cac:PartyLegalEntity',
    ),
    row(CONTACT, 'cac:Contact'),
    row(
      uses(
        row(name, 'cbc:FirstName', 'cbc:MiddleName', 'cbc:FamilyName'),
        row(DETAIL, 'cbc:Title', 'cbc:JobTitle', 'cbc:NameSuffix', 'cac:Contact', 'cac:IdentityDocumentReference'),
      ),
      'cac:Person',
    ),
    row(uses(row(otherAddress, 'cac:Address'), row(DETAIL, 'cbc:ID', 'cbc:Description')), 'cac:PhysicalLocation'),
    row(DETAIL, 'cbc:WebsiteURI', 'cbc:LogoReferenceID', 'cbc:IndustryClassificationCode', 'cac:Language'),
    row(DETAIL, 'cac:AgentParty', 'cac:ServiceProviderParty', 'cac:PowerOfAttorney', 'cac:FinancialAccount'),
    row('says-nothing', 'cbc:MarkCareIndicator', 'cbc:MarkAttentionIndicator'),
  );
}

const ROLE_DETAILS = [
  ...['cbc:CustomerAssignedAccountID', 'cbc:SupplierAssignedAccountID', 'cbc:AdditionalAccountID'],
  ...['cbc:DataSendingCapability', 'cac:DespatchContact', 'cac:DeliveryContact', 'cac:AccountingContact'],
  ...['cac:SellerContact', 'cac:BuyerContact'],
];

export const SUPPLIER = uses(
  row(party({ address: SELLER_ADDRESS, country: 'replaced', name: 'replaced', registered: 'replaced' }), 'cac:Party'),
  row(DETAIL, ...ROLE_DETAILS),
);

export const CUSTOMER = uses(
  row(party({ address: BUYER_ADDRESS, country: COUNTRY, name: 'sent', registered: DETAIL }), 'cac:Party'),
  row(DETAIL, ...ROLE_DETAILS),
);
