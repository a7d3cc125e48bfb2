/** One row of the catalogue: the text of the answer and of the page that explains the code. */
export type CatalogueRow = {
  readonly status: number;
  /** Short, English and stable: part of the contract. */
  readonly title: string;
  readonly happened: string;
  readonly remedy: string;
  /** Whether repeating the same call can help. */
  readonly retry: string;
};

const AFTER_CORRECTION = 'No. The same call gets the same answer until it is corrected.';
const AFTER_OPERATOR = 'No. It helps only after the operator of the service has changed the key or the tenant.';

/** Every error code of the API. Answers, pages, docs/errors.md and openapi.json are all generated from this table. */
export const PROBLEM_CATALOGUE = {
  'ERR-1001': {
    status: 401,
    title: 'API key is missing or unknown.',
    happened: 'The request carries no X-Api-Key header, or the service knows no such key.',
    remedy: 'Send the key exactly as it was issued, with nothing before or after it. If it was lost, have it renewed.',
    retry: AFTER_CORRECTION,
  },
  'ERR-1002': {
    status: 401,
    title: 'API key has expired.',
    happened: 'The key was valid, but its expiry date has passed.',
    remedy: 'Ask the operator to renew the key and put the new one into your software.',
    retry: AFTER_OPERATOR,
  },
  'ERR-1003': {
    status: 401,
    title: 'API key was revoked.',
    happened: 'The operator has revoked the key.',
    remedy: 'Ask the operator why, and for a new key.',
    retry: AFTER_OPERATOR,
  },
  'ERR-1004': {
    status: 403,
    title: 'Caller address is not allowed for this API key.',
    happened: 'The key may be used from certain addresses only, and the call came from another one.',
    remedy:
      'Call from an allowed address, or ask the operator to add yours. The detail names the address that was seen.',
    retry: AFTER_OPERATOR,
  },
  'ERR-1005': {
    status: 403,
    title: 'API key lacks the IntegrationApi scope.',
    happened: 'The key is valid but was not issued for this interface.',
    remedy: 'Ask the operator for a key with the scope IntegrationApi.',
    retry: AFTER_OPERATOR,
  },
  'ERR-1006': {
    status: 429,
    title: 'Traffic limit of the API key is reached.',
    happened: 'The key made more calls in the last minute than it may.',
    remedy:
      'Wait as many seconds as the Retry-After header says. The RateLimit header of every answer says how many calls are left.',
    retry: 'Yes, after the seconds named in Retry-After.',
  },
  'ERR-1007': {
    status: 400,
    title: 'Request body must not contain a tenant-identifying field.',
    happened: 'The body names a tenant. The tenant follows from the API key alone.',
    remedy: 'Remove the field named in the detail. The supplier party of a UBL document is not such a field and stays.',
    retry: AFTER_CORRECTION,
  },
  'ERR-1008': {
    status: 400,
    title: 'X-Software-Id header is missing.',
    happened: 'The request does not say which software makes it.',
    remedy: 'Send the header X-Software-Id with the name and version of your software, for example ledger/4.2.',
    retry: AFTER_CORRECTION,
  },
  'ERR-2001': {
    status: 400,
    title: 'Request body is not well-formed XML.',
    happened: 'The body cannot be read as one XML document, or it carries a DOCTYPE, which is never accepted.',
    remedy:
      'Look at the line and column in the detail. Send the XML itself: not compressed, not as JSON, not as a form.',
    retry: AFTER_CORRECTION,
  },
  'ERR-2002': {
    status: 400,
    title: 'Document is not a valid UBL 2.1 Invoice or CreditNote.',
    happened: 'The body is XML but not a UBL 2.1 Invoice or CreditNote, or it breaks the UBL 2.1 schema.',
    remedy: 'The detail names up to five places with what was found and what was expected there.',
    retry: AFTER_CORRECTION,
  },
  'ERR-2003': {
    status: 400,
    title: 'Document has no recipient.',
    happened: 'AccountingCustomerParty is missing, or it has neither a tax number nor a name.',
    remedy: 'Fill AccountingCustomerParty/Party: the tax number of a company, at least the name of a natural person.',
    retry: AFTER_CORRECTION,
  },
  'ERR-2004': {
    status: 400,
    title: 'Tax number of the recipient is malformed.',
    happened:
      'A recipient in North Macedonia must have an EDB of 13 digits; a foreign number has at most 30 characters.',
    remedy: 'Correct PartyTaxScheme/CompanyID. For a recipient abroad state the country in PostalAddress/Country.',
    retry: AFTER_CORRECTION,
  },
  'ERR-2005': {
    status: 400,
    title: 'Document has no document type.',
    happened: 'InvoiceTypeCode (or CreditNoteTypeCode) is missing or empty.',
    remedy: 'State the type: 380 for an invoice, 381 for a credit note.',
    retry: AFTER_CORRECTION,
  },
  'ERR-2006': {
    status: 400,
    title: 'Document has no amount.',
    happened: 'LegalMonetaryTotal/PayableAmount is missing or is not a decimal number.',
    remedy:
      'State the amount with a decimal point and without thousands separators. Zero and negative amounts are allowed.',
    retry: AFTER_CORRECTION,
  },
  'ERR-2010': {
    status: 409,
    title: 'This idempotency key was already used with different content.',
    happened: 'Within the last hour a document with other bytes was submitted under the same X-Idempotency-Key.',
    remedy: 'Use a new key for each document and the same key only to repeat the very same bytes.',
    retry: 'No. Another key helps at once; the same key is free again one hour after its first use.',
  },
  'ERR-2011': {
    status: 400,
    title: 'Request contains more than one document.',
    happened: 'The body holds several documents, one after the other or in a common wrapper.',
    remedy: 'Submit each document with its own call.',
    retry: AFTER_CORRECTION,
  },
  'ERR-2012': {
    status: 413,
    title: 'Document exceeds the configured size limit.',
    happened: 'The body is larger than the service accepts. The detail names the limit.',
    remedy: 'Make attachments smaller or leave them out.',
    retry: AFTER_CORRECTION,
  },
  'ERR-2013': {
    status: 400,
    title: 'X-Idempotency-Key header is missing.',
    happened: 'A submission must carry a key of your choice, so that a repeat cannot become a second document.',
    remedy: 'Send X-Idempotency-Key, for example the identifier of the invoice in your software.',
    retry: AFTER_CORRECTION,
  },
  'ERR-2021': {
    status: 400,
    title: 'Unknown codelist type.',
    happened: 'There is no code list by that name.',
    remedy: 'Use one of the types that the detail lists.',
    retry: AFTER_CORRECTION,
  },
  'ERR-3001': {
    status: 404,
    title: 'Document not found.',
    happened: 'No document of your tenant has this identifier.',
    remedy: 'Use the docUid from the submit result or from a list, and the key of the tenant that owns the document.',
    retry: AFTER_CORRECTION,
  },
  'ERR-3002': {
    status: 404,
    title: 'Document does not exist in the requested representation.',
    happened: 'The document exists, but not in this format. A missing representation is never produced on demand.',
    remedy:
      'Ask for another format. The format ujp is the file that the authority returns; it is there soon after status 40.',
    retry: 'Only for the format ujp where the answer has Retry-After: the file is on its way.',
  },
  'ERR-3003': {
    status: 409,
    title: 'Current status does not allow cancelling.',
    happened: 'The document is being delivered, or the authority has already decided on it.',
    remedy: 'Read its status. An accepted invoice is undone with a credit note, not by cancelling.',
    retry: 'Only while the document is in status 30: it may return to a status that can be cancelled.',
  },
  'ERR-3004': {
    status: 409,
    title: 'Document is already cancelled.',
    happened: 'An earlier call has cancelled it.',
    remedy: 'Nothing is left to do: the document is cancelled and will not be delivered.',
    retry: 'No.',
  },
  'ERR-3005': {
    status: 400,
    title: 'Requested page size exceeds the allowed maximum.',
    happened: 'pageSize is larger than a page may be. The detail names the maximum.',
    remedy: 'Ask for smaller pages and read as many as totalPages says.',
    retry: AFTER_CORRECTION,
  },
  'ERR-9000': {
    status: 500,
    title: 'Unexpected error on the service side.',
    happened: 'The service, or something it depends on, failed. The request was carried out completely or not at all.',
    remedy:
      'Try again later. If it fails again, report it with the eventId of the answer: the log holds the cause under it.',
    retry: 'Yes, with pauses. A submission is safe to repeat under its X-Idempotency-Key.',
  },
  'ERR-9001': {
    status: 409,
    title: 'Outbound over the API is not enabled for the tenant.',
    happened: 'The tenant may read but not submit over this interface.',
    remedy: 'Ask the operator to enable outbound for the tenant.',
    retry: AFTER_OPERATOR,
  },
} as const satisfies Record<string, CatalogueRow>;

export type ErrorCode = keyof typeof PROBLEM_CATALOGUE;

export const ERROR_CODES = Object.keys(PROBLEM_CATALOGUE) as readonly ErrorCode[];

export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(PROBLEM_CATALOGUE, text);
}
