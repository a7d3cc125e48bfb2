export type DocumentKind = 'Invoice' | 'CreditNote';

export type PartyFacts = {
  /** The first name found of registration name, party name, person. */
  readonly name: string | null;
  /** As written in the document, outer blanks removed. */
  readonly taxNumber: string | null;
  /** ISO 3166-1 alpha-2 as written, upper case; null where the document names none. */
  readonly country: string | null;
};

/** What the service needs to know of a UBL document without keeping the parsed document. */
export type InvoiceFacts = {
  readonly kind: DocumentKind;
  readonly documentNumber: string | null;
  readonly typeCode: string | null;
  /** An exact decimal in plain notation, for example `-1234.50`. */
  readonly amount: string | null;
  readonly currency: string | null;
  readonly issueDate: string | null;
  readonly supplier: PartyFacts;
  readonly recipient: PartyFacts;
};
