export type StatusCode = '00' | '01' | '03' | '04' | '05' | '07' | '09' | '10';

/** A status change with its comments and reasons. */
export type StatusChange = {
  readonly euid: string;
  readonly from: StatusCode;
  readonly to: StatusCode;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Null for automatic acceptance. */
  readonly userId: string | null;
  readonly comment: string | null;
  readonly voidComment?: string | null;
  readonly voidReasonCode?: string | null;
  readonly voidReason?: string | null;
  readonly rejectReasonCode?: string | null;
  readonly rejectReason?: string | null;
};

export type NumberedChange = StatusChange & { readonly id: number; readonly version: number };

export type PurchaseVatTotal = {
  readonly purchaseVatTaxIndicator: string;
  readonly vatCode: string;
  readonly vatPercent: number;
  readonly vatTaxableAmount: number;
  readonly vatAmount: number;
  readonly vatTotalAmount: number;
};

export type Registration = {
  readonly euid: string;
  readonly seller: string;
  /** The tax number of a company of the registry; null for any other buyer. */
  readonly buyer: string | null;
  /** The buyer's tax number as the document gives it. */
  readonly buyerTin: string;
  readonly docType: string;
  readonly docStorno: number;
  readonly docNumber: string;
  readonly docId: string;
  readonly docDate: string;
  readonly docDeliveryDate: string | null;
  readonly docNetAmount: number;
  readonly docVatAmount: number;
  readonly docGrossAmountR: number;
  readonly docAvansAmount: number;
  readonly docFinalAmount: number;
  readonly firstStatus: StatusCode;
  readonly userId: string;
  /** Milliseconds since 1970. */
  readonly registeredAt: number;
  /** The document as the seller signed it. */
  readonly jws: string;
};

export type RegisteredDocument = Registration & {
  readonly status: StatusCode;
  readonly history: readonly NumberedChange[];
  readonly purchaseVatTotals: readonly PurchaseVatTotal[];
};
