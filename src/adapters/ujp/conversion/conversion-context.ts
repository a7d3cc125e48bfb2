import type { Edb } from '../../../domain/accounts/edb.ts';
import type { LeftOutReferences } from '../../../domain/documents/left-out-references.ts';
import type { CodeListEntry } from '../../../domain/values/code-list.ts';

export type DocumentType = CodeListEntry & {
  /** Whether such a document may refer to others, and whether it must; null when the authority does not say. */
  readonly hasReference: boolean | null;
  readonly isReferenceMandatory: boolean | null;
};

export type TaxGroup = CodeListEntry & { readonly percent: number };

/** The authority lists a code several times if it goes with several tax groups. */
export type TaxIndicator = CodeListEntry & {
  /** The text that the VAT row must repeat, letter for letter; empty for ordinary taxation. */
  readonly note: string;
  readonly vatImpact: string | null;
  readonly taxGroupCode: string;
};

/** The authority's code lists as served, including entries not in force today: the date of the document decides. */
export type ServedLists = {
  readonly documentTypes: readonly DocumentType[];
  readonly referenceTypes: readonly CodeListEntry[];
  readonly taxGroups: readonly TaxGroup[];
  readonly taxIndicators: readonly TaxIndicator[];
  readonly paymentTypes: readonly CodeListEntry[];
  readonly correctionReasons: readonly CodeListEntry[];
  readonly currencies: readonly CodeListEntry[];
  readonly countries: readonly CodeListEntry[];
  /**
   * The indicators that a document type allows. For a type that does not occur here nothing is known, and all are taken as
   * allowed.
   */
  readonly allowedIndicators: readonly { readonly docTypeCode: string; readonly taxIndicatorCode: string }[];
};

/** A company in the authority's registry. */
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

/** The National Bank's rate that the authority serves: denars for one unit of the currency. */
export type ServedExchangeRate = { readonly currency: string; readonly date: string; readonly rate: number };

/** An earlier document that was found by the number and date in a reference to it. */
export type ResolvedReference = {
  readonly number: string;
  /** The date in the reference; null if it states none. */
  readonly date: string | null;
  readonly euid: string;
  readonly issueDate: string;
};

/** What a conversion needs beside the document; `neededLookups` says what must be looked up for it. */
export type ConversionContext = {
  readonly tenantEdb: Edb;
  /** Our identifier of the document at the authority, by which it recognises a repetition (E1023). */
  readonly docId: string;
  readonly lists: ServedLists;
  readonly seller: RegistryCompany | null;
  readonly buyer: RegistryCompany | null;
  readonly exchangeRate: ServedExchangeRate | null;
  readonly references: readonly ResolvedReference[];
  /** The payment type of a document that states none. */
  readonly defaultPaymentType: string;
  /** The rate of a reverse charge (category AE) that states none, in percent. */
  readonly reverseChargeRate: number;
  /** Whether documents in another currency than denars may be sent. */
  readonly foreignCurrency: boolean;
  /** Document types on which the authority surely refused references: those that are optional are left out of them. */
  readonly refusesReferences: ReadonlySet<string>;
  /** The optional references for which the authority refused this document: it is sent without them. */
  readonly leftOutReferences: LeftOutReferences | null;
};

export const DEFAULT_PAYMENT_TYPE = 'P12';
