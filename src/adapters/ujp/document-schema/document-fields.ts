import type { Decimal } from '../../../domain/values/decimal.ts';
import { type Field, filledList, list, object, required, type ValuesOf, whole } from './field.ts';

/*
 * The authority's document: the one source of the JSON Schema that is served, of the table in docs/authority-document.md and of what
 * `as-ubl` reads. Which members are required follows the authority's published reference (§3.1 to §3.8). Lengths are left out: it
 * publishes few of them, and a document that is in its register has passed them.
 */

const MOST_LINES = 1_000_000;
const MOST_DUE_DAYS = 99_999;

const text = (ubl: string): Field<string | null> => ({ shape: { kind: 'text' }, isRequired: false, ubl });
const date = (ubl: string): Field<string | null> => ({ shape: { kind: 'date' }, isRequired: false, ubl });
const number = (ubl: string): Field<Decimal | null> => ({ shape: { kind: 'number' }, isRequired: false, ubl });
const anything = (ubl: string): Field<unknown> => ({ shape: { kind: 'anything' }, isRequired: false, ubl });

/** UBL has no element for it: it stands in a reference that names the member. */
const MEMBER = 'UJP:member';
/** The same where it does not follow from others. */
const MEMBER_IF_NEEDED = 'UJP:member, if it does not follow';

const HEADER = {
  docStorno: required(whole(0, 2, 'cbc:InvoiceTypeCode: 384 for 2; UJP:member for 1, and for 2 on a credit note')),
  docType: required(
    text(
      "cbc:InvoiceTypeCode or cbc:CreditNoteTypeCode; cac:AdditionalDocumentReference/cbc:ID[@schemeID='UJP:docType']",
    ),
  ),
  docTypeName: required(text("cac:AdditionalDocumentReference[cbc:ID/@schemeID='UJP:docType']/cbc:DocumentType")),
  docDate: required(date('cbc:IssueDate')),
  docTurnoverDate: required(date('cbc:TaxPointDate')),
  docNumber: required(text('cbc:ID')),
  docId: required(text(MEMBER)),
  docDeliveryDate: date('cac:Delivery/cbc:ActualDeliveryDate'),
  docDelivery: text(
    'cac:DeliveryTerms/cbc:SpecialTerms, or cac:Delivery/cac:DeliveryLocation with buyerSubsidiaryAddress',
  ),
  docPeriodStartDate: date('cac:InvoicePeriod/cbc:StartDate'),
  docPeriodEndDate: date('cac:InvoicePeriod/cbc:EndDate'),
  docNotes: text('cbc:Note, one for each line of text'),
  docHeader: text(MEMBER),
  docFooter: text(MEMBER),
  docIndicator: text(MEMBER),
};

const REFERENCE = {
  docTypeRef: required(text('the name of the element, and cbc:ID/@schemeID')),
  docNameRef: required(text('cbc:ID/@schemeName')),
  docDateRef: required(date('cbc:IssueDate')),
  docNumberRef: required(text('cbc:ID; cbc:UUID too if it is an EUID')),
};

const SELLER = 'cac:AccountingSupplierParty/cac:Party';
const BUYER = 'cac:AccountingCustomerParty/cac:Party';

function address(party: string) {
  return {
    streetAddress: text(`${party}/cac:PostalAddress/cbc:StreetName`),
    streetNumber: text(`${party}/cac:PostalAddress/cbc:BuildingNumber`),
    postalCode: text(`${party}/cac:PostalAddress/cbc:PostalZone`),
    city: text(`${party}/cac:PostalAddress/cbc:CityName`),
  };
}

const SELLER_MEMBERS = {
  sellerCCode: required(text(`${SELLER}/cac:PostalAddress/cac:Country/cbc:IdentificationCode`)),
  sellerCName: required(text(`${SELLER}/cac:PostalAddress/cac:Country/cbc:Name`)),
  sellerTin: text(`${SELLER}/cac:PartyIdentification/cbc:ID[@schemeID='EDB']`),
  sellerForeignTin: text(`${SELLER}/cac:PartyIdentification/cbc:ID[@schemeID='TIN']`),
  sellerVatNumber: text(`${SELLER}/cac:PartyTaxScheme/cbc:CompanyID`),
  sellerName: required(text(`${SELLER}/cac:PartyLegalEntity/cbc:RegistrationName`)),
  sellerAddress: required(object(address(SELLER), `${SELLER}/cac:PostalAddress`)),
  sellerContact: text(`${SELLER}/cac:Contact/cbc:Name`),
  sellerEmail: text(`${SELLER}/cac:Contact/cbc:ElectronicMail`),
  sellerSubsidiaryCode: text(MEMBER),
  sellerSubsidiaryName: text(MEMBER),
  sellerSubsidiaryAddress: text(MEMBER),
};

const BUYER_MEMBERS = {
  buyerCCode: required(text(`${BUYER}/cac:PostalAddress/cac:Country/cbc:IdentificationCode`)),
  buyerCName: required(text(`${BUYER}/cac:PostalAddress/cac:Country/cbc:Name`)),
  buyerTin: text(`${BUYER}/cac:PartyIdentification/cbc:ID[@schemeID='EDB']`),
  buyerForeignTin: text(`${BUYER}/cac:PartyIdentification/cbc:ID[@schemeID='TIN']`),
  buyerVatNumber: text(`${BUYER}/cac:PartyTaxScheme/cbc:CompanyID`),
  buyerName: required(text(`${BUYER}/cac:PartyLegalEntity/cbc:RegistrationName`)),
  buyerAddress: object(address(BUYER), `${BUYER}/cac:PostalAddress`),
  buyerContact: text(`${BUYER}/cac:Contact/cbc:Name`),
  buyerEmail: text(`${BUYER}/cac:Contact/cbc:ElectronicMail`),
  buyerSubsidiaryCode: text('cac:Delivery/cac:DeliveryLocation/cbc:ID'),
  buyerSubsidiaryName: text('cac:Delivery/cac:DeliveryParty/cac:PartyName/cbc:Name'),
  buyerSubsidiaryAddress: text('cac:Delivery/cac:DeliveryLocation/cac:Address/cac:AddressLine/cbc:Line'),
};

const PAYMENT = {
  docPaymentTypeCode: required(text("cac:PaymentMeans/cbc:PaymentMeansCode, and its @name after 'UJP:paymentType:'")),
  docPaymentTypeDesc: required(text('cac:PaymentMeans/cbc:PaymentMeansCode/@name, after the code')),
  docPaymentTypeDueDays: whole(
    0,
    MOST_DUE_DAYS,
    "cac:PaymentTerms/cac:SettlementPeriod/cbc:DurationMeasure[@unitCode='DAY']",
  ),
  docPaymentTypeDueDate: date('cbc:DueDate; on a credit note cac:PaymentMeans/cbc:PaymentDueDate'),
  docPaymentTerms: text('cac:PaymentTerms/cbc:Note, one for each line of text'),
  docPaymentNote: text('cac:PaymentMeans/cbc:InstructionNote, one for each line of text'),
  docPaymentInterest: text('cac:PaymentTerms/cbc:PenaltySurchargePercent if it is percentages, else UJP:member'),
  docPaymentDiscount: text('cac:PaymentTerms/cbc:SettlementDiscountPercent if it is percentages, else UJP:member'),
  docCurrency: required(text('cbc:DocumentCurrencyCode; UJP:member if it is another than docCurrencyCode')),
  docCurrencyCode: required(text('cbc:DocumentCurrencyCode, and @currencyID of every amount')),
  docCurrencyDate: required(date('cac:PaymentExchangeRate/cbc:Date')),
  docCurrencyExchRate: required(number('cac:PaymentExchangeRate/cbc:CalculationRate')),
};

const LINE = 'cac:InvoiceLine or cac:CreditNoteLine';
const ITEM_PROPERTY = 'cac:Item/cac:AdditionalItemProperty with the name of the member';

const ITEM = {
  docItemLineNo: required(whole(1, MOST_LINES, 'cbc:ID')),
  docItemSku: text('cac:Item/cac:StandardItemIdentification/cbc:ID, unless it is docItemSenderCode'),
  docItemSenderCode: text('cac:Item/cac:SellersItemIdentification/cbc:ID'),
  docItemReceiverCode: text('cac:Item/cac:BuyersItemIdentification/cbc:ID'),
  docItemDesc: required(text('cac:Item/cbc:Name')),
  docItemMUnit: required(
    text('@unitCode of the quantity: the code of a known label (бр. is C62), else the text itself'),
  ),
  docItemQty: required(number('cbc:InvoicedQuantity or cbc:CreditedQuantity')),
  docItemUnitOriginalPriceWoVat: required(
    number(`cac:Price/cbc:PriceAmount, not rounded, or cac:Price/cac:AllowanceCharge/cbc:BaseAmount; ${ITEM_PROPERTY}`),
  ),
  docItemUnitDiscountAmount: required(number(ITEM_PROPERTY)),
  docItemUnitPriceWoVat: required(number(ITEM_PROPERTY)),
  docItemUnitVat: required(number(ITEM_PROPERTY)),
  docItemVat: required(number('cac:Item/cac:ClassifiedTaxCategory/cbc:Percent')),
  docItemVatGroup: required(text('cac:Item/cac:ClassifiedTaxCategory/cbc:Name')),
  docItemTotalOriginalPriceWoVat: required(
    number(
      `cbc:LineExtensionAmount and the amount of cac:AllowanceCharge; ${ITEM_PROPERTY} if the discount is one on the price`,
    ),
  ),
  docItemTotalPriceWoVat: required(number('cbc:LineExtensionAmount')),
  docItemTotalVat: required(number('cac:TaxTotal/cbc:TaxAmount')),
  docItemTotalPriceWVat: required(
    number(`cbc:LineExtensionAmount and cac:TaxTotal/cbc:TaxAmount; ${ITEM_PROPERTY} if it is not their sum`),
  ),
  docItemTaxIndicator: required(text('cac:Item/cac:ClassifiedTaxCategory/cbc:TaxExemptionReasonCode')),
  docItemDomesticProduct: text(
    'cac:Item/cac:OriginCountry and cac:Item/cac:AdditionalItemProperty UJP:domesticProduct',
  ),
  docItemHs: text("cac:Item/cac:CommodityClassification/cbc:ItemClassificationCode[@listID='HS']"),
};

const TOTALS = {
  docNetAmount: required(number(MEMBER_IF_NEEDED)),
  docDiscountAmount: required(number(`the sum of cac:AllowanceCharge of the lines; ${MEMBER_IF_NEEDED}`)),
  docNetAmountDisc: required(number('cac:LegalMonetaryTotal/cbc:LineExtensionAmount and cbc:TaxExclusiveAmount')),
  docVatAmount: required(number('cac:TaxTotal/cbc:TaxAmount')),
  docGrossAmount: required(number('cac:LegalMonetaryTotal/cbc:TaxInclusiveAmount')),
  docGrossAmountR: required(number('cac:LegalMonetaryTotal/cbc:PayableRoundingAmount: by how much it is rounded')),
  docAvansDate: date('cac:PrepaidPayment/cbc:ReceivedDate; UJP:member on a credit note'),
  docAvansDesc: text('cac:PrepaidPayment/cbc:ID; UJP:member on a credit note'),
  docAvansAmount: number('cac:LegalMonetaryTotal/cbc:PrepaidAmount'),
  docFinalAmount: required(number('cac:LegalMonetaryTotal/cbc:PayableAmount')),
};

const VAT_TOTAL = {
  vatTaxIndicator: required(text('cac:TaxCategory/cbc:TaxExemptionReasonCode')),
  vatTaxIndicatorNote: text('cac:TaxCategory/cbc:TaxExemptionReason'),
  vatCode: required(text('cac:TaxCategory/cbc:Name')),
  vatPercent: required(number('cac:TaxCategory/cbc:Percent')),
  vatTaxableAmount: required(number('cbc:TaxableAmount')),
  vatAmount: required(
    number('cbc:TaxAmount; under reverse charge that is 0, and UJP:member has the VAT that the buyer owes'),
  ),
  vatTotalAmount: required(number(MEMBER_IF_NEEDED)),
};

const DOCUMENT = {
  header: required(object(HEADER, 'Invoice, or CreditNote for type 110')),
  docReferences: list(REFERENCE, 'cac:BillingReference, cac:OrderReference and the other references'),
  seller: required(object(SELLER_MEMBERS, SELLER)),
  buyer: required(object(BUYER_MEMBERS, BUYER)),
  sender: anything(MEMBER),
  receiver: anything(MEMBER),
  docPayment: required(object(PAYMENT, 'cac:PaymentMeans, cac:PaymentTerms, cac:PaymentExchangeRate')),
  docItems: filledList(ITEM, LINE),
  docTotals: required(object(TOTALS, 'cac:LegalMonetaryTotal')),
  vatTotals: filledList(VAT_TOTAL, 'cac:TaxTotal/cac:TaxSubtotal'),
};

const VOID_REASON = "cac:AdditionalDocumentReference[cbc:ID/@schemeID='UJP:voidReason']";
const CORRECTION_REASON = "cac:AdditionalDocumentReference[cbc:ID/@schemeID='UJP:correctionReason']";

export const PAYLOAD_MEMBERS = {
  requestTimestamp: text(MEMBER),
  document: required(object(DOCUMENT, 'Invoice or CreditNote')),
  voidReason: object(
    {
      voidCode: required(text(`${VOID_REASON}/cbc:ID`)),
      voidReason: required(text(`${VOID_REASON}/cbc:DocumentType`)),
      voidComment: text(`${VOID_REASON}/cbc:DocumentDescription`),
    },
    VOID_REASON,
  ),
  correctionReason: object(
    {
      correctionReasonCode: required(text(`${CORRECTION_REASON}/cbc:ID`)),
      correctionReason: required(text(`${CORRECTION_REASON}/cbc:DocumentType`)),
      correctionReasonComment: text(`${CORRECTION_REASON}/cbc:DocumentDescription`),
    },
    CORRECTION_REASON,
  ),
};

export type KnownPayload = ValuesOf<typeof PAYLOAD_MEMBERS>;
export type KnownDocument = ValuesOf<typeof DOCUMENT>;
export type KnownItem = ValuesOf<typeof ITEM>;
export type KnownReference = ValuesOf<typeof REFERENCE>;
export type KnownVatTotal = ValuesOf<typeof VAT_TOTAL>;
