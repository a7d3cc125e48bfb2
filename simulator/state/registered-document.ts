export type StatusCode = '00' | '01' | '03' | '04' | '05' | '07' | '09' | '10';

/** A status change with whatever was said about it. */
export type StatusChange = {
  readonly euid: string;
  readonly from: StatusCode;
  readonly to: StatusCode;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Null where nobody did it: a period ran out. */
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
  /** The tax number of a company of the registry; null for everybody else. */
  readonly buyer: string | null;
  /** Whatever number the document gives for the buyer. */
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
  /** The document as its seller signed it. */
  readonly jws: string;
};

export type RegisteredDocument = Registration & {
  readonly status: StatusCode;
  readonly history: readonly NumberedChange[];
  readonly purchaseVatTotals: readonly PurchaseVatTotal[];
};
