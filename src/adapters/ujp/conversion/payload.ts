/** The authority's document, with its members in the order of the authority's examples. Absent values are an explicit null. */
export type UjpDocument = {
  readonly header: UjpHeader;
  readonly docReferences: readonly UjpReference[];
  readonly seller: UjpParty<'seller'>;
  readonly buyer: UjpParty<'buyer'>;
  readonly docPayment: UjpPayment;
  readonly docItems: readonly UjpItem[];
  readonly docTotals: UjpTotals;
  readonly vatTotals: readonly UjpVatTotal[];
};

export type UjpPayload = {
  readonly document: UjpDocument;
  readonly correctionReason?: UjpCorrectionReason;
};

export type UjpHeader = {
  readonly docStorno: 0 | 2;
  readonly docType: string;
  readonly docTypeName: string;
  readonly docDate: string;
  readonly docTurnoverDate: string;
  readonly docNumber: string;
  readonly docId: string;
  readonly docDeliveryDate: string | null;
  readonly docDelivery: string | null;
  readonly docPeriodStartDate: string | null;
  readonly docPeriodEndDate: string | null;
  readonly docNotes: string | null;
  readonly docHeader: null;
  readonly docFooter: null;
  readonly docIndicator: null;
};

export type UjpReference = {
  readonly docTypeRef: string;
  readonly docNameRef: string;
  readonly docDateRef: string;
  readonly docNumberRef: string;
};

/** Only a natural person's address may be incomplete. */
export type UjpAddress = {
  readonly streetAddress: string | null;
  readonly streetNumber: string | null;
  readonly postalCode: string | null;
  readonly city: string | null;
};

/** The members of a party; in the document their names begin with its role, as in `sellerTin`. */
export type UjpPartyMembers = {
  readonly CCode: string;
  readonly CName: string;
  readonly Tin: string | null;
  readonly ForeignTin: string | null;
  readonly VatNumber: string | null;
  readonly Name: string;
  readonly Address: UjpAddress;
  readonly Contact: string | null;
  readonly Email: string | null;
  readonly SubsidiaryCode: string | null;
  readonly SubsidiaryName: string | null;
  readonly SubsidiaryAddress: string | null;
};

export type UjpParty<Role extends string> = {
  readonly [Member in keyof UjpPartyMembers as `${Role}${Member}`]: UjpPartyMembers[Member];
};

export type UjpPayment = {
  readonly docPaymentTypeCode: string;
  readonly docPaymentTypeDesc: string;
  readonly docPaymentTypeDueDays: number | null;
  readonly docPaymentTypeDueDate: string | null;
  readonly docPaymentTerms: string | null;
  readonly docPaymentNote: string | null;
  readonly docPaymentInterest: string | null;
  readonly docPaymentDiscount: string | null;
  readonly docCurrency: string;
  readonly docCurrencyCode: string;
  readonly docCurrencyDate: string;
  readonly docCurrencyExchRate: number;
};

export type UjpItem = {
  readonly docItemLineNo: number;
  readonly docItemSku: string | null;
  readonly docItemSenderCode: string | null;
  readonly docItemReceiverCode: string | null;
  readonly docItemDesc: string;
  readonly docItemMUnit: string;
  readonly docItemQty: number;
  readonly docItemUnitOriginalPriceWoVat: number;
  readonly docItemUnitDiscountAmount: number;
  readonly docItemUnitPriceWoVat: number;
  readonly docItemUnitVat: number;
  readonly docItemVat: number;
  readonly docItemVatGroup: string;
  readonly docItemTotalOriginalPriceWoVat: number;
  readonly docItemTotalPriceWoVat: number;
  readonly docItemTotalVat: number;
  readonly docItemTotalPriceWVat: number;
  readonly docItemTaxIndicator: string;
  readonly docItemDomesticProduct: string | null;
  readonly docItemHs: string | null;
};

export type UjpTotals = {
  readonly docNetAmount: number;
  readonly docDiscountAmount: number;
  readonly docNetAmountDisc: number;
  readonly docVatAmount: number;
  readonly docGrossAmount: number;
  readonly docGrossAmountR: number;
  readonly docAvansDate: string | null;
  readonly docAvansDesc: string | null;
  readonly docAvansAmount: number;
  readonly docFinalAmount: number;
};

export type UjpVatTotal = {
  readonly vatTaxIndicator: string;
  readonly vatTaxIndicatorNote: string;
  readonly vatCode: string;
  readonly vatPercent: number;
  readonly vatTaxableAmount: number;
  readonly vatAmount: number;
  readonly vatTotalAmount: number;
};

export type UjpCorrectionReason = {
  readonly correctionReasonCode: string;
  readonly correctionReason: string;
  readonly correctionReasonComment: string | null;
};
