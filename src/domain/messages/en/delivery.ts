/** Why a document was not delivered, where the reason is not in the document, and what the authority says about it. */
export const DELIVERY = {
  'authority-unreachable': 'The tax authority could not be reached',
  'authority-timeout': 'The tax authority did not answer in time',
  'no-turn-in-time':
    'Other requests of the same user were before this one, which was not sent because its turn did not come in time; try again later',
  'authority-busy': 'The tax authority is busy and asked to come back later',
  'signing-failed': 'The document could not be signed; nothing was sent',
  'authority-failed': 'The tax authority had a failure of its own',
  'connection-lost': 'The connection to the tax authority was lost before it had answered',
  'attempt-interrupted':
    'The attempt was interrupted before the tax authority had answered, and it does not have the document',
  'account-refused': "The tax authority does not accept the taxpayer's account; the operator must correct it",
  'request-refused': 'The tax authority refused the request, for a reason that is not known to be in the document',
  'taxpayer-not-in-register':
    "The taxpayers' register does not find the taxpayer {taxpayer} itself, so nothing was sent; the operator must ask the authority",
  'answered-without-code': 'It answered {answer}, without an error code',
  'not-judged':
    'What the document needs from the tax authority could not be looked up, so it is not known whether it would be sent',
  'look-ups-unfinished':
    'The look-ups were not finished in time: requests of the same user leave one after the other, or the tax authority answers slowly; ask again in a few seconds',
  'document-rejected': 'The tax authority rejected the document',
  'not-at-authority': 'It does not have the document',
  'refused-too-often': 'That was so {count} times while it took other documents; the operator can queue it again',
  'sent-without-references': 'The document is sent again without those references',
  'attempts-used-up': 'All attempts are used up',
  'number-taken':
    'Document {docUid} of the same kind has the same number and is accepted or under way; give this document another number, or cancel it',
  'number-voided':
    'Document {docUid} of the same kind had the same number and was voided; a number is not used again after that, so give this document another one',
  'number-registered':
    'The tax authority has registered a document of this type and number of {date} already, as {euid}; it was sent by this service before its database was restored, so it is not sent again',
  'number-registered-unclear':
    'The tax authority has registered a document of this number of {date} already, as {euid}; it does not show whether it is this one, which may have been sent before the database of this service was restored, so it is not sent again',
  'service-failed': 'The service itself failed on this document {count} times in a row; its operator must find out why',
  'service-failed-on-void': 'The service itself failed on this void; its operator must find out why',
  'stored-damage':
    'What the service has stored of this document is damaged, so nothing was sent; its operator must repair it',
  'authority-says': 'It says: {errors}',
  quotation: '“{text}”',

  'voided-not-registered': 'The document that is to be voided is not registered; only a registered one can be voided',
  'voided-copy-unreadable':
    "The authority's copy of the document cannot be read, so it cannot be repeated in a void; the operator must ask the authority",
  'void-not-voidable': 'A void cannot be voided; issue a new document instead',
  'void-type-unserved': "The authority's list has no reference type for a void; the operator must ask the authority",

  'account-without-user': 'Taxpayer {taxpayer} has no EUJP-ID, which the authority requires for every request',
  'account-user-malformed': 'The EUJP-ID of taxpayer {taxpayer} has characters that are not allowed in an EUJP-ID',
  'certificate-missing': 'Taxpayer {taxpayer} has no certificate to sign with',
  'certificate-unreadable': 'The certificate of taxpayer {taxpayer} cannot be opened',
  'certificate-not-signing': 'Certificate {serialNumber} of taxpayer {taxpayer} could not sign',
  'installation-unknown':
    "The operator has not configured the authority's {environment} installation: its URL is missing",
} as const;
