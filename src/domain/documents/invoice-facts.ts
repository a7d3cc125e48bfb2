export type DocumentKind = 'Invoice' | 'CreditNote';

export type PartyFacts = {
  /** The first of registration name, party name and person that is stated. */
  readonly name: string | null;
  /** As written in the document, trimmed. */
  readonly taxNumber: string | null;
  /** ISO 3166-1 alpha-2 as written, upper case; null when the document states none. */
  readonly country: string | null;
};

/** The values of a UBL document that checks and lists need. */
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
