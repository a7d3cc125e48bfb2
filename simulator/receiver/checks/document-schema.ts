import { anyObject, date, integer, list, mandatory, number, object, optional, text, type ValueOf } from './schema.ts';

/*
 * Members, types and lengths are those of the authority's published reference, by section. Its JSON schema is not published, so
 * where it gives no length, one is chosen here: these constants.
 */

/** Chosen: more than any real document needs. */
const FREE_TEXT = 4_000;
/** Chosen. Over-long codes of items were refused live (§3.7), but their length was not told. */
const ITEM_CODE = 50;
/** Chosen. Over-long ones were refused live (§3.3), but their length was not told. */
const DOC_ID = 20;
/** Chosen: an EUID has 36 characters; numbers of orders and contracts may be longer. */
const REFERENCE_NUMBER = 100;
/** Chosen: the codebook says 10, but served codes have up to 14 (§3.7). */
const INDICATOR = 20;
/** Chosen. */
const SHORT_CODE = 20;
const MAX_DUE_DAYS = 36_500;
const MAX_LINES = 100_000;

/** §3.3. Both published samples of `docNumber` are cut to 20 characters. */
const HEADER = {
  docStorno: mandatory(integer(0, 2)),
  docType: mandatory(text(3)),
  docTypeName: mandatory(text(30)),
  docDate: mandatory(date),
  docTurnoverDate: mandatory(date),
  docNumber: mandatory(text(20)),
  docId: mandatory(text(DOC_ID)),
  docDeliveryDate: optional(date),
  docDelivery: optional(text(FREE_TEXT)),
  docPeriodStartDate: optional(date),
  docPeriodEndDate: optional(date),
  docNotes: optional(text(FREE_TEXT)),
  docHeader: optional(text(FREE_TEXT)),
  docFooter: optional(text(FREE_TEXT)),
  docIndicator: optional(text(FREE_TEXT)),
};

/** §3.4. */
const REFERENCE = {
  docTypeRef: mandatory(text(3)),
  docNameRef: mandatory(text(30)),
  docDateRef: mandatory(date),
  docNumberRef: mandatory(text(REFERENCE_NUMBER)),
};

/** §3.5. */
const SELLER_ADDRESS = {
  streetAddress: mandatory(text(60)),
  streetNumber: mandatory(text(10)),
  postalCode: mandatory(text(5)),
  city: mandatory(text(60)),
};

/** §3.5; which of these are mandatory depends on the buyer: see `mandatory-fields.ts`. */
const BUYER_ADDRESS = {
  streetAddress: optional(text(60)),
  streetNumber: optional(text(10)),
  postalCode: optional(text(5)),
  city: optional(text(60)),
};

/** §3.5. */
const SELLER = {
  sellerCCode: mandatory(text(3)),
  sellerCName: mandatory(text(50)),
  sellerTin: optional(text(30)),
  sellerForeignTin: optional(text(30)),
  sellerVatNumber: optional(text(30)),
  sellerName: mandatory(text(80)),
  sellerAddress: mandatory(object(SELLER_ADDRESS)),
  sellerContact: optional(text(FREE_TEXT)),
  sellerEmail: optional(text(FREE_TEXT)),
  sellerSubsidiaryCode: optional(text(20)),
  sellerSubsidiaryName: optional(text(100)),
  sellerSubsidiaryAddress: optional(text(100)),
};

/** §3.5. */
const BUYER = {
  buyerCCode: mandatory(text(3)),
  buyerCName: mandatory(text(50)),
  buyerTin: optional(text(30)),
  buyerForeignTin: optional(text(30)),
  buyerVatNumber: optional(text(30)),
  buyerName: mandatory(text(80)),
  buyerAddress: optional(object(BUYER_ADDRESS)),
  buyerContact: optional(text(FREE_TEXT)),
  buyerEmail: optional(text(FREE_TEXT)),
  buyerSubsidiaryCode: optional(text(20)),
  buyerSubsidiaryName: optional(text(100)),
  buyerSubsidiaryAddress: optional(text(100)),
};

/** §3.6. */
const PAYMENT = {
  docPaymentTypeCode: mandatory(text(3)),
  // The published length is 30; `mandatory-fields.ts` checks it, except for a description that is served longer.
  docPaymentTypeDesc: mandatory(text(FREE_TEXT)),
  docPaymentTypeDueDays: optional(integer(0, MAX_DUE_DAYS)),
  docPaymentTypeDueDate: optional(date),
  docPaymentTerms: optional(text(FREE_TEXT)),
  docPaymentNote: optional(text(FREE_TEXT)),
  docPaymentInterest: optional(text(FREE_TEXT)),
  docPaymentDiscount: optional(text(FREE_TEXT)),
  docCurrency: mandatory(text(3)),
  docCurrencyCode: mandatory(text(3)),
  docCurrencyDate: mandatory(date),
  docCurrencyExchRate: mandatory(number),
};

/** §3.7. */
const ITEM = {
  docItemLineNo: mandatory(integer(1, MAX_LINES)),
  docItemSku: optional(text(ITEM_CODE)),
  docItemSenderCode: optional(text(ITEM_CODE)),
  docItemReceiverCode: optional(text(ITEM_CODE)),
  docItemDesc: mandatory(text(FREE_TEXT)),
  docItemMUnit: mandatory(text(SHORT_CODE)),
  docItemQty: mandatory(number),
  docItemUnitOriginalPriceWoVat: mandatory(number),
  docItemUnitDiscountAmount: mandatory(number),
  docItemUnitPriceWoVat: mandatory(number),
  docItemUnitVat: mandatory(number),
  docItemVat: mandatory(number),
  docItemVatGroup: mandatory(text(SHORT_CODE)),
  docItemTotalOriginalPriceWoVat: mandatory(number),
  docItemTotalPriceWoVat: mandatory(number),
  docItemTotalVat: mandatory(number),
  docItemTotalPriceWVat: mandatory(number),
  docItemTaxIndicator: mandatory(text(INDICATOR)),
  docItemDomesticProduct: optional(text(2)),
  docItemHs: optional(text(SHORT_CODE)),
};

/** §3.8. */
const TOTALS = {
  docNetAmount: mandatory(number),
  docDiscountAmount: mandatory(number),
  docNetAmountDisc: mandatory(number),
  docVatAmount: mandatory(number),
  docGrossAmount: mandatory(number),
  docGrossAmountR: mandatory(number),
  docAvansDate: optional(date),
  docAvansDesc: optional(text(FREE_TEXT)),
  docAvansAmount: optional(number),
  docFinalAmount: mandatory(number),
};

/** §3.8. */
const VAT_TOTAL = {
  vatTaxIndicator: mandatory(text(INDICATOR)),
  vatTaxIndicatorNote: optional(text(200)),
  vatCode: mandatory(text(SHORT_CODE)),
  vatPercent: mandatory(number),
  vatTaxableAmount: mandatory(number),
  vatAmount: mandatory(number),
  vatTotalAmount: mandatory(number),
};

/** §3.1. The blocks `sender` and `receiver` exist, but no example of them is published. */
const DOCUMENT = {
  header: mandatory(object(HEADER)),
  docReferences: optional(list(object(REFERENCE))),
  seller: mandatory(object(SELLER)),
  buyer: mandatory(object(BUYER)),
  sender: optional(anyObject),
  receiver: optional(anyObject),
  docPayment: mandatory(object(PAYMENT)),
  docItems: mandatory(list(object(ITEM))),
  docTotals: mandatory(object(TOTALS)),
  vatTotals: mandatory(list(object(VAT_TOTAL))),
};

/** §3.1. */
const VOID_REASON = {
  voidCode: mandatory(text(SHORT_CODE)),
  voidReason: mandatory(text(FREE_TEXT)),
  voidComment: optional(text(FREE_TEXT)),
};

/** §3.1. */
const CORRECTION_REASON = {
  correctionReasonCode: mandatory(text(SHORT_CODE)),
  correctionReason: mandatory(text(FREE_TEXT)),
  correctionReasonComment: optional(text(FREE_TEXT)),
};

const SIGNED_PAYLOAD = {
  requestTimestamp: mandatory(text(SHORT_CODE)),
  document: mandatory(object(DOCUMENT)),
  voidReason: optional(object(VOID_REASON)),
  correctionReason: optional(object(CORRECTION_REASON)),
};

export const signedPayload = object(SIGNED_PAYLOAD);

export type SignedPayload = ValueOf<typeof SIGNED_PAYLOAD>;
export type InvoiceDocument = ValueOf<typeof DOCUMENT>;
export type Reference = ValueOf<typeof REFERENCE>;
export type Item = ValueOf<typeof ITEM>;
export type VatTotal = ValueOf<typeof VAT_TOTAL>;
