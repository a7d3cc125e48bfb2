import type { ReferenceSource } from '../documents/invoice-content.ts';

/**
 * What a person is shown of a document, whatever form it is stored in. Texts are one line each and of bounded length; dates are
 * `YYYY-MM-DD`, numbers exact decimals in plain notation; an amount in another currency than the document's has that behind it. Null and
 * empty lists are not shown.
 */
export type DocumentView = {
  readonly kind: 'invoice' | 'advance-invoice' | 'credit-note' | 'debit-note' | 'document';
  /** The name of its type, in the words of the document. */
  readonly typeName: string | null;
  /** What it does to an earlier document, and why. */
  readonly amends: { readonly how: 'void' | 'correction'; readonly reasons: readonly string[] } | null;
  readonly number: string | null;
  readonly issueDate: string | null;
  /** When the goods or services were supplied, which is when VAT is due. */
  readonly supplyDate: string | null;
  /** More than one where it is paid in parts, or where the document contradicts itself. */
  readonly dueDates: readonly string[];
  /** Within how many days it is to be paid. */
  readonly dueDays: string | null;
  readonly deliveryDate: string | null;
  readonly period: { readonly start: string | null; readonly end: string | null } | null;
  readonly currency: string | null;
  /** Denars for one unit of the currency. */
  readonly exchangeRate: string | null;
  readonly seller: ViewedParty;
  readonly buyer: ViewedParty;
  readonly delivery: readonly string[];
  readonly references: readonly ViewedReference[];
  /** As many as are shown. */
  readonly lines: readonly ViewedLine[];
  readonly lineCount: number;
  readonly allowances: readonly ViewedAllowance[];
  readonly vat: readonly ViewedVat[];
  readonly totals: readonly ViewedTotal[];
  /** What was paid in advance, most often by an advance invoice of this number. */
  readonly prepayments: readonly ViewedPrepayment[];
  readonly payments: readonly ViewedPayment[];
  readonly paymentTerms: readonly string[];
  /** For late payment, and the discount for early payment, as they are registered. */
  readonly interest: readonly string[];
  readonly earlyDiscount: readonly string[];
  readonly notes: readonly string[];
  /** Texts were shortened, or list members left out; the stored file has them. */
  readonly isCut: boolean;
};

export type ViewedParty = {
  readonly name: string | null;
  readonly taxNumber: string | null;
  readonly companyNumber: string | null;
  readonly address: readonly string[];
  /** A code of ISO 3166-1, or the name that the document gives. */
  readonly country: string | null;
  readonly contact: readonly string[];
};

export type ViewedReference = {
  /** Null where the document names the kind itself. */
  readonly source: ReferenceSource | null;
  readonly name: string | null;
  readonly number: string | null;
  readonly date: string | null;
};

export type ViewedLine = {
  readonly number: string | null;
  readonly name: string | null;
  readonly details: readonly string[];
  readonly quantity: string | null;
  /** A code of UN/ECE Recommendation 20, or the unit as the document writes it. */
  readonly unit: string | null;
  readonly unitPrice: string | null;
  /** What the price is for; null where it is for one unit of the quantity. */
  readonly priceBase: { readonly quantity: string; readonly unit: string | null } | null;
  readonly vatPercent: string | null;
  /** Those of the line alone, which its amount contains and its price does not. */
  readonly allowances: readonly ViewedAllowance[];
  readonly net: string | null;
};

export type ViewedAllowance = {
  readonly isCharge: boolean;
  readonly reason: string | null;
  readonly amount: string | null;
};

export type ViewedVat = {
  /** The category of UBL or the indicator of the authority; null where the rate says it all. */
  readonly code: string | null;
  readonly percent: string | null;
  readonly note: string | null;
  readonly taxable: string | null;
  readonly vat: string | null;
};

export type TotalName =
  | 'lines'
  | 'before-allowances'
  | 'allowances'
  | 'charges'
  | 'net'
  | 'vat'
  | 'gross'
  | 'prepaid'
  | 'rounding'
  | 'payable';

/** The amount is null of what is named without one: prepayments. */
export type ViewedTotal = { readonly name: TotalName; readonly amount: string | null };

export type ViewedPrepayment = { readonly number: string | null; readonly date: string | null };

export type ViewedPayment = {
  /** A code of UNCL 4461 where the document has one. */
  readonly code: string | null;
  readonly name: string | null;
  readonly dueDate: string | null;
  readonly account: string | null;
  readonly references: readonly string[];
  readonly notes: readonly string[];
};
