const AFTER_CORRECTION = 'No. The same call gets the same answer until it is corrected.';
const AFTER_OPERATOR = 'No. It helps only after the operator of the service has changed the key or the tenant.';

/** What is said of each error code on its page, and in docs/errors.md. */
export const EXPLANATIONS = {
  'ERR-1001': {
    happened: 'The request carries no X-Api-Key header, or the service knows no such key.',
    remedy: 'Send the key exactly as it was issued, with nothing before or after it. If it was lost, have it renewed.',
    retry: AFTER_CORRECTION,
  },
  'ERR-1002': {
    happened: 'The key was valid, but its expiry date has passed.',
    remedy: 'Ask the operator to renew the key and put the new one into your software.',
    retry: AFTER_OPERATOR,
  },
  'ERR-1003': {
    happened: 'The operator has revoked the key.',
    remedy: 'Ask the operator why, and for a new key.',
    retry: AFTER_OPERATOR,
  },
  'ERR-1004': {
    happened: 'The key may be used from certain addresses only, and the call came from another one.',
    remedy:
      'Call from an allowed address, or ask the operator to add yours. The detail names the address that was seen.',
    retry: AFTER_OPERATOR,
  },
  'ERR-1005': {
    happened: 'The key is valid but was not issued for this interface.',
    remedy: 'Ask the operator for a key with the scope IntegrationApi.',
    retry: AFTER_OPERATOR,
  },
  'ERR-1006': {
    happened: 'The key made more calls in the last minute than it may.',
    remedy:
      'Wait as many seconds as the Retry-After header says. The RateLimit header of every answer says how many calls are left.',
    retry: 'Yes, after the seconds named in Retry-After.',
  },
  'ERR-1007': {
    happened: 'The body names a tenant. The tenant follows from the API key alone.',
    remedy: 'Remove the field named in the detail. The supplier party of a UBL document is not such a field and stays.',
    retry: AFTER_CORRECTION,
  },
  'ERR-1008': {
    happened: 'The request does not say which software makes it.',
    remedy: 'Send the header X-Software-Id with the name and version of your software, for example ledger/4.2.',
    retry: AFTER_CORRECTION,
  },
  'ERR-2001': {
    happened: 'The body cannot be read as one XML document, or it carries a DOCTYPE, which is never accepted.',
    remedy:
      'Look at the line and column in the detail. Send the XML itself: not compressed, not as JSON, not as a form.',
    retry: AFTER_CORRECTION,
  },
  'ERR-2002': {
    happened: 'The body is XML but not a UBL 2.1 Invoice or CreditNote, or it breaks the UBL 2.1 schema.',
    remedy: 'The detail names up to five places with what was found and what was expected there.',
    retry: AFTER_CORRECTION,
  },
  'ERR-2003': {
    happened: 'AccountingCustomerParty is missing, or it has neither a tax number nor a name.',
    remedy: 'Fill AccountingCustomerParty/Party: the tax number of a company, at least the name of a natural person.',
    retry: AFTER_CORRECTION,
  },
  'ERR-2004': {
    happened:
      'A recipient in North Macedonia must have an EDB of 13 digits; a foreign number has at most 30 characters.',
    remedy: 'Correct PartyTaxScheme/CompanyID. For a recipient abroad state the country in PostalAddress/Country.',
    retry: AFTER_CORRECTION,
  },
  'ERR-2005': {
    happened: 'InvoiceTypeCode (or CreditNoteTypeCode) is missing or empty.',
    remedy: 'State the type: 380 for an invoice, 381 for a credit note.',
    retry: AFTER_CORRECTION,
  },
  'ERR-2006': {
    happened: 'LegalMonetaryTotal/PayableAmount is missing or is not a decimal number.',
    remedy:
      'State the amount with a decimal point and without thousands separators. Zero and negative amounts are allowed.',
    retry: AFTER_CORRECTION,
  },
  'ERR-2010': {
    happened: 'Within the last hour a document with other bytes was submitted under the same X-Idempotency-Key.',
    remedy: 'Use a new key for each document and the same key only to repeat the very same bytes.',
    retry: 'No. Another key helps at once; the same key is free again one hour after its first use.',
  },
  'ERR-2011': {
    happened: 'The body holds several documents, one after the other or in a common wrapper.',
    remedy: 'Submit each document with its own call.',
    retry: AFTER_CORRECTION,
  },
  'ERR-2012': {
    happened: 'The body is larger than the service accepts. The detail names the limit.',
    remedy: 'Make attachments smaller or leave them out.',
    retry: AFTER_CORRECTION,
  },
  'ERR-2013': {
    happened: 'A submission must carry a key of your choice, so that a repeat cannot become a second document.',
    remedy:
      'Send X-Idempotency-Key, for example the identifier of the invoice in your software with a count of its submissions: one that was cancelled or rejected needs another key to be submitted anew.',
    retry: AFTER_CORRECTION,
  },
  'ERR-2021': {
    happened: 'There is no code list by that name.',
    remedy: 'Use one of the types that the detail lists.',
    retry: AFTER_CORRECTION,
  },
  'ERR-3001': {
    happened: 'No document of your tenant has this identifier.',
    remedy:
      'Use the docUid from the submit result or from a list, letter by letter: in capital letters it is another one. Use the key of the tenant that owns the document.',
    retry: AFTER_CORRECTION,
  },
  'ERR-3002': {
    happened: 'The document exists, but not in this format. A missing representation is never produced on demand.',
    remedy:
      'Ask for another format. The format ujp is the file that the authority returns; it is there soon after status 40.',
    retry: 'Only for the format ujp where the answer has Retry-After: the file is on its way.',
  },
  'ERR-3003': {
    happened: 'The document is being delivered, or the authority has already decided on it.',
    remedy: 'Read its status. An accepted invoice is undone with a credit note, not by cancelling.',
    retry: 'Only while the document is in status 30: it may return to a status that can be cancelled.',
  },
  'ERR-3004': {
    happened: 'An earlier call has cancelled it.',
    remedy: 'Nothing is left to do: the document is cancelled and will not be delivered.',
    retry: 'No.',
  },
  'ERR-3005': {
    happened: 'pageSize is larger than a page may be. The detail names the maximum.',
    remedy: 'Ask for smaller pages and read as many as totalPages says.',
    retry: AFTER_CORRECTION,
  },
  'ERR-9000': {
    happened: 'The service, or something it depends on, failed. The request was carried out completely or not at all.',
    remedy:
      'Try again later. If it fails again, report it with the eventId of the answer: the log holds the cause under it.',
    retry: 'Yes, with pauses. A submission is safe to repeat under its X-Idempotency-Key.',
  },
  'ERR-9001': {
    happened: 'The tenant may read but not submit over this interface.',
    remedy: 'Ask the operator to enable outbound for the tenant.',
    retry: AFTER_OPERATOR,
  },
} as const;
