import type { DocumentKind } from './invoice-facts.ts';
import type { UnconvertedElement } from './unconverted-element.ts';

/**
 * What a UBL Invoice or CreditNote says, as plain data. Texts are trimmed and null where the document has none; dates are
 * `YYYY-MM-DD`; numbers are exact decimals in plain notation. A `path` (`/Invoice/cac:InvoiceLine[2]`) is the place of the
 * element in the document, for messages to its author; values within it have the names of UBL.
 */
export type InvoiceContent = {
  readonly kind: DocumentKind;
  readonly path: string;
  readonly number: string | null;
  readonly issueDate: string | null;
  readonly dueDate: string | null;
  readonly taxPointDate: string | null;
  readonly typeCode: CodedText;
  readonly profile: IdentifierText;
  readonly notes: readonly string[];
  readonly currency: string | null;
  readonly period: Period | null;
  readonly references: readonly DocumentReference[];
  readonly supplier: PartyContent;
  readonly customer: PartyContent;
  readonly delivery: Delivery | null;
  /** `SpecialTerms` of the delivery terms. */
  readonly deliveryTerms: string | null;
  readonly paymentMeans: readonly PaymentMeans[];
  readonly paymentTerms: readonly PaymentTerms[];
  readonly prepaidPayments: readonly PrepaidPayment[];
  readonly allowanceCharges: readonly AllowanceCharge[];
  readonly exchangeRates: readonly ExchangeRate[];
  readonly taxTotals: readonly TaxTotal[];
  readonly totals: MonetaryTotals;
  readonly lines: readonly InvoiceLine[];
  /** Elements for which the authority's form has no member, or none left, and that its reader would miss; one entry for each kind. */
  readonly unconverted: readonly UnconvertedElement[];
  /** The first few numbers and dates that cannot be represented: too many digits, a year with more than four digits. */
  readonly unreadable: readonly UnreadableValue[];
};

export type Amount = { readonly value: string; readonly currency: string | null };
export type Quantity = { readonly value: string; readonly unit: string | null };
export type CodedText = { readonly value: string | null; readonly name: string | null };
export type IdentifierText = { readonly value: string | null; readonly scheme: string | null };
export type UnreadableValue = {
  readonly path: string;
  readonly text: string;
  /** How many digits are read, of a number that has more; else null. */
  readonly mostDigits: number | null;
};
export type Period = { readonly path: string; readonly start: string | null; readonly end: string | null };

export type ReferenceSource =
  | 'billing'
  | 'order'
  | 'contract'
  | 'originator'
  | 'despatch'
  | 'receipt'
  | 'statement'
  | 'additional';

export type DocumentReference = {
  readonly path: string;
  readonly source: ReferenceSource;
  readonly id: IdentifierText;
  readonly uuid: string | null;
  readonly issueDate: string | null;
  readonly typeCode: string | null;
  readonly description: string | null;
  readonly hasAttachment: boolean;
};

export type PartyContent = {
  readonly path: string;
  /** The first of registration name, party name and person that is stated. */
  readonly name: string | null;
  /** Everything that may hold a tax number, in order of precedence. */
  readonly identifiers: readonly PartyIdentifier[];
  readonly address: PostalAddress | null;
  /** ISO 3166-1 alpha-2 as written, upper case, from any place of the party that states it. */
  readonly country: string | null;
  readonly telephone: string | null;
  readonly contactName: string | null;
  readonly email: string | null;
};

export type PartyIdentifier = {
  readonly path: string;
  readonly source: 'tax-scheme' | 'legal-entity' | 'identification' | 'endpoint';
  readonly value: string;
  /** `TaxScheme/ID` of a tax scheme; of others `VAT` where their own scheme says so, and that scheme where it is one of no tax; else null. */
  readonly taxScheme: string | null;
};

export type PostalAddress = {
  readonly path: string;
  readonly street: string | null;
  readonly additionalStreet: string | null;
  readonly buildingNumber: string | null;
  readonly city: string | null;
  readonly postalZone: string | null;
  /** `AddressLine/Line`. */
  readonly lines: readonly string[];
};

export type Delivery = {
  readonly path: string;
  readonly actualDate: string | null;
  readonly locationId: string | null;
  readonly locationName: string | null;
  readonly address: PostalAddress | null;
  readonly partyName: string | null;
};

export type PaymentMeans = {
  readonly path: string;
  readonly code: string | null;
  /** `@name` of the code. */
  readonly name: string | null;
  readonly dueDate: string | null;
  readonly instructionNotes: readonly string[];
  readonly paymentIds: readonly string[];
};

export type PaymentTerms = {
  readonly path: string;
  readonly notes: readonly string[];
  readonly dueDate: string | null;
  readonly settlementPeriod: Quantity | null;
  readonly penaltyPercent: string | null;
  readonly discountPercent: string | null;
  readonly discountAmount: Amount | null;
};

export type PrepaidPayment = {
  readonly path: string;
  readonly id: string | null;
  readonly amount: Amount | null;
  readonly receivedDate: string | null;
};

export type AllowanceCharge = {
  readonly path: string;
  readonly isCharge: boolean;
  readonly amount: Amount | null;
  readonly reason: string | null;
  readonly taxCategories: readonly TaxCategory[];
};

export type TaxCategory = {
  readonly path: string;
  readonly id: string | null;
  readonly percent: string | null;
  readonly exemptionReasonCode: string | null;
  /** Several texts, as in two languages, are lines. */
  readonly exemptionReason: string | null;
  /** `TaxScheme/ID`. */
  readonly scheme: string | null;
};

export type ExchangeRate = {
  readonly path: string;
  readonly sourceCurrency: string | null;
  readonly sourceBaseRate: string | null;
  readonly targetCurrency: string | null;
  readonly targetBaseRate: string | null;
  readonly rate: string | null;
  readonly operator: string | null;
  readonly date: string | null;
};

export type TaxTotal = {
  readonly path: string;
  readonly amount: Amount | null;
  readonly subtotals: readonly TaxSubtotal[];
};

export type TaxSubtotal = {
  readonly path: string;
  readonly taxable: Amount | null;
  readonly tax: Amount | null;
  readonly category: TaxCategory | null;
};

export type MonetaryTotals = {
  readonly path: string;
  readonly lineExtension: Amount | null;
  readonly taxExclusive: Amount | null;
  readonly taxInclusive: Amount | null;
  /** Of the allowances of the whole document. */
  readonly allowanceTotal: Amount | null;
  readonly chargeTotal: Amount | null;
  readonly prepaid: Amount | null;
  readonly rounding: Amount | null;
  readonly payable: Amount | null;
  /** The same in another currency. */
  readonly payableAlternative: Amount | null;
};

export type InvoiceLine = {
  readonly path: string;
  readonly id: string | null;
  readonly quantity: Quantity | null;
  readonly lineExtension: Amount | null;
  readonly allowanceCharges: readonly AllowanceCharge[];
  readonly price: LinePrice | null;
  readonly item: LineItem;
};

export type LinePrice = {
  readonly path: string;
  readonly amount: Amount | null;
  readonly baseQuantity: Quantity | null;
  /** The price before its allowances, as the first of them states it. */
  readonly listPrice: { readonly path: string; readonly value: string } | null;
  readonly allowanceCharges: readonly AllowanceCharge[];
};

export type LineItem = {
  readonly path: string;
  readonly name: string | null;
  readonly descriptions: readonly string[];
  readonly sellersId: string | null;
  readonly buyersId: string | null;
  readonly standardId: string | null;
  readonly originCountry: string | null;
  readonly classifications: readonly { readonly code: string; readonly list: string | null }[];
  readonly properties: readonly { readonly name: string; readonly value: string }[];
  /** The classified tax categories, completed by those of the line's own tax totals; if there are none, the latter. */
  readonly taxCategories: readonly TaxCategory[];
};
