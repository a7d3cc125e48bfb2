import type { Edb } from '../../../domain/accounts/edb.ts';
import type { CodeListEntry } from '../../../domain/values/code-list.ts';

export type DocumentType = CodeListEntry & {
  /** Whether such a document may refer to others, and whether it must; null where the authority does not say. */
  readonly hasReference: boolean | null;
  readonly isReferenceMandatory: boolean | null;
};

export type TaxGroup = CodeListEntry & { readonly percent: number };

/** One code may be served several times, once for each tax group it can go with. */
export type TaxIndicator = CodeListEntry & {
  /** What must stand beside the VAT row, letter for letter; empty for ordinary taxation. */
  readonly note: string;
  readonly vatImpact: string | null;
  readonly taxGroupCode: string;
};

/** The authority's code lists as served, entries out of force included: a document is judged by its own date. */
export type ServedLists = {
  readonly documentTypes: readonly DocumentType[];
  readonly referenceTypes: readonly CodeListEntry[];
  readonly taxGroups: readonly TaxGroup[];
  readonly taxIndicators: readonly TaxIndicator[];
  readonly paymentTypes: readonly CodeListEntry[];
  readonly correctionReasons: readonly CodeListEntry[];
  readonly currencies: readonly CodeListEntry[];
  readonly countries: readonly CodeListEntry[];
  /** Which indicators a document type allows. A type that does not occur here allows them all, as far as is known. */
  readonly allowedIndicators: readonly { readonly docTypeCode: string; readonly taxIndicatorCode: string }[];
};

/** A company as the authority's registry has it. */
export type RegistryCompany = {
  readonly taxNumber: string;
  /** Null for a company that is not registered for VAT. */
  readonly vatNumber: string | null;
  readonly name: string;
  readonly street: string | null;
  readonly number: string | null;
  readonly postalCode: string | null;
  readonly city: string | null;
};

/** Denars for one unit of the currency. */
export type ServedExchangeRate = { readonly currency: string; readonly date: string; readonly rate: number };

/** An earlier document found by the number and date by which this one refers to it. */
export type ResolvedReference = {
  readonly number: string;
  /** As asked for; null where the document gives none. */
  readonly date: string | null;
  readonly euid: string;
  readonly issueDate: string;
};

/** All that a conversion needs beside the document; `neededLookups` says what to look up. */
export type ConversionContext = {
  readonly tenantEdb: Edb;
  /** The issuer's own identifier of the document, by which the authority knows a repetition. */
  readonly docId: string;
  readonly lists: ServedLists;
  readonly seller: RegistryCompany | null;
  readonly buyer: RegistryCompany | null;
  readonly exchangeRate: ServedExchangeRate | null;
  readonly references: readonly ResolvedReference[];
  /** The payment type of a document that names none. */
  readonly defaultPaymentType: string;
};

export const DEFAULT_PAYMENT_TYPE = 'P12';
