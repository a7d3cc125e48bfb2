import { DEFAULT_PAYMENT_TYPE } from '../../src/adapters/ujp/conversion/conversion-context.ts';
import type { DIRECTIVES } from '../../src/adapters/ujp/conversion/directives.ts';
import { CHARGE_DESCRIPTION } from '../../src/adapters/ujp/conversion/lines/document-allowances.ts';
import { PIECE } from '../../src/adapters/ujp/conversion/lines/line-text.ts';
import { NO_HOUSE_NUMBER, NO_POSTAL_CODE } from '../../src/adapters/ujp/conversion/parties/address.ts';
import { EXEMPT_WITHOUT_CREDIT } from '../../src/adapters/ujp/conversion/vat/exemption-reasons.ts';
import type { ConversionWarningCode } from '../../src/domain/documents/conversion-warning.ts';
import type { DOMESTIC_PRODUCT_PROPERTY } from '../../src/domain/documents/item-marks.ts';
import { table } from './code-tables.ts';

type DirectiveName = (typeof DIRECTIVES)[number] | typeof DOMESTIC_PRODUCT_PROPERTY;

type Directive = {
  readonly states: string;
  /** Every way to write it, as a test tries it: the member gets the value. */
  readonly ways: readonly string[];
  readonly member: string;
  readonly value: string;
};

const inReference = (name: string, value: string) =>
  `<cac:AdditionalDocumentReference><cbc:ID schemeID="${name}">${value}</cbc:ID></cac:AdditionalDocumentReference>`;

export const DIRECTIVES_OF_PAGE: Readonly<Record<DirectiveName, Directive>> = {
  'UJP:docType': {
    states: 'another document type than follows from the type code',
    ways: [
      inReference('UJP:docType', '160'),
      '<cbc:ProfileID>UJP:docType:160</cbc:ProfileID>',
      '<cbc:ProfileID schemeID="UJP:docType">160</cbc:ProfileID>',
      '<cbc:InvoiceTypeCode name="UJP:docType:160">380</cbc:InvoiceTypeCode>',
      '<cbc:InvoiceTypeCode name="160">380</cbc:InvoiceTypeCode>',
    ],
    member: 'docType',
    value: '160',
  },
  'UJP:paymentType': {
    states:
      "the authority's payment type, for those that have no `PaymentMeansCode`: P13 instalments, P15 mobile application, P16 free of charge, P18 voucher",
    ways: [
      inReference('UJP:paymentType', 'P13'),
      '<cbc:Note>UJP:paymentType:P13</cbc:Note>',
      '<cbc:PaymentMeansCode name="UJP:paymentType:P13">30</cbc:PaymentMeansCode>',
      '<cbc:PaymentMeansCode name="P13">30</cbc:PaymentMeansCode>',
      '<cbc:PaymentMeansCode>P13</cbc:PaymentMeansCode>',
    ],
    member: 'docPaymentTypeCode',
    value: 'P13',
  },
  'UJP:correctionReason': {
    states:
      'the reason of a correction (type code 384), which must have one. What follows the code in a note, or `DocumentDescription` of the reference, is the comment',
    ways: [inReference('UJP:correctionReason', 'C01'), '<cbc:Note>UJP:correctionReason:C01 wrong price</cbc:Note>'],
    member: 'correctionReasonCode',
    value: 'C01',
  },
  'UJP:domesticProduct': {
    states: 'that the item of a line is a product of North Macedonia; it needs `OriginCountry` MK beside it',
    ways: [
      '<cac:OriginCountry><cbc:IdentificationCode>MK</cbc:IdentificationCode></cac:OriginCountry><cac:AdditionalItemProperty><cbc:Name>UJP:domesticProduct</cbc:Name><cbc:Value>MP</cbc:Value></cac:AdditionalItemProperty>',
    ],
    member: 'docItemDomesticProduct',
    value: 'MP',
  },
};

export function directiveTables(): string {
  return Object.entries(DIRECTIVES_OF_PAGE)
    .map(
      ([name, { states, ways, member, value }]) =>
        `**\`${name}\`**: ${states}. Each of these gives \`${member}\` the value ${value}:\n\n\`\`\`xml\n${ways.join('\n')}\n\`\`\`\n`,
    )
    .join('\n');
}

type AssumedCode = Extract<ConversionWarningCode, `${string}-ASSUMED`>;

/** Every value that is taken for one that the document does not state, with a warning. The compiler wants a row for each such code. */
const ASSUMED: Readonly<Record<AssumedCode, readonly [missing: string, taken: string, state: string]>> = {
  'PAYMENT-TYPE-ASSUMED': [
    'the means of payment',
    `${DEFAULT_PAYMENT_TYPE}; P19 for a code without a type of its own`,
    '`PaymentMeansCode`, or the directive `UJP:paymentType`',
  ],
  'EXCHANGE-RATE-ASSUMED': [
    'the exchange rate',
    "the National Bank's on the date of the document",
    '`PaymentExchangeRate`',
  ],
  'EXCHANGE-RATE-DATE-ASSUMED': ['the date of the rate', "the document's", '`Date` of the rate'],
  'EXEMPTION-ASSUMED': [
    'the reason of an exempt supply (E)',
    `\`${EXEMPT_WITHOUT_CREDIT}\`, exempt without credit`,
    '`TaxExemptionReasonCode`',
  ],
  'REVERSE-CHARGE-RATE-ASSUMED': [
    'the rate of a reverse charge (AE)',
    'the rate that is set for the taxpayer, 18 unless the operator changed it',
    '`Percent`, or the indicator as `TaxExemptionReasonCode`',
  ],
  'UNIT-ASSUMED': ['the unit of a quantity', `"${PIECE}" (pieces)`, '`@unitCode`'],
  'HOUSE-NUMBER-ASSUMED': ['the house number', `"${NO_HOUSE_NUMBER}" (without number)`, '`BuildingNumber`'],
  'POSTAL-CODE-ASSUMED': ['the postal code of an address abroad', `"${NO_POSTAL_CODE}"`, '`PostalZone`'],
  'PERSON-ASSUMED': ['the tax number of a domestic buyer', 'a natural person', '`PartyTaxScheme/CompanyID`'],
};

/** Values that follow from others, as UBL itself or the law has it: no warning. */
const FOLLOWING: readonly (readonly [missing: string, taken: string, state: string])[] = [
  ['the date of the supply (`docTurnoverDate`)', 'the day of delivery, else that of the document', '`TaxPointDate`'],
  ['the currency', 'that of `PayableAmount`', '`DocumentCurrencyCode`'],
  ['the rate of an amount in denars', '1, on the date of the document', ''],
  ['the country of a party', 'MK', '`Country/IdentificationCode`'],
  ['the VAT category of a line', 'that of the subtotals, if there is one alone; else 55', '`ClassifiedTaxCategory`'],
  ['the rate of a VAT category', '0; with category S 55', '`Percent`'],
  ['the tax scheme', 'VAT, which `VAT`, `VA`, `DDV` and `ДДВ` stand for', '`TaxScheme/ID`'],
  ['for how many units a price is', '1', '`BaseQuantity`'],
  ['the total of a line', 'quantity times price, less discounts, to four decimals', '`LineExtensionAmount`'],
  ["the seller's code of an item, as stock number (`docItemSku`)", 'the standard code', '`SellersItemIdentification`'],
  ['the advance payment', '0, or the sum of `PrepaidPayment`', '`PrepaidAmount`'],
  ['the description of a charge', `"${CHARGE_DESCRIPTION}"`, '`AllowanceChargeReason`'],
  ['delivery, period, notes, terms, codes of items, tariff code', 'null', 'the elements below'],
];

export function defaultTable(): string {
  const assumed = Object.entries(ASSUMED).map(([code, [missing, taken, state]]) => [
    missing,
    taken,
    `\`${code}\``,
    state,
  ]);
  const following = FOLLOWING.map(([missing, taken, state]) => [missing, taken, 'none', state]);
  return table(['Not stated', 'Taken', 'Warning', 'To state it'], [...assumed, ...following]);
}
