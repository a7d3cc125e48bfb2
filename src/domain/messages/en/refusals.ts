/** What an operator is told, at the command line and in the console, who asked for something that cannot be done. Values stand in braces. */
export const REFUSALS = {
  'no-tenant': 'There is no tenant {tenant}',
  'no-such-tenant': 'There is no such tenant',
  'no-key': 'There is no key {key}',
  'no-document': 'There is no such document',
  'no-outbound-document': 'There is no outbound document {document}',
  'tenant-not-stopped': 'The tenant {tenant} is not stopped',
  'stop-is-another':
    'The tenant {tenant} is now stopped for another reason or once more: look why before you resume it',

  'not-retried-not-found': 'The document {document} is not there',
  'not-retried-not-failed': 'The document {document} is not in status 55; only failed documents can be retried',
  'not-retried-not-rejected':
    'The document {document} is not in status 50; only rejected documents can be retried as such',
  'not-retried-duplicate':
    'The document {document} is not retried: another one of its kind and number is accepted or under way',
  'not-retried-gone':
    'The document {document} is not retried: what was submitted or sent of it is not in the database any more',
  'not-retried-former-environment':
    "The document {document} is not retried: it was submitted before the taxpayer's environment was changed (test, production). If it is wanted in the present one, have it submitted again under a new idempotency key",

  'void-reason-unknown':
    "The authority's list has no reason {reason} for a void that is valid today. It has: {reasons}",
  'void-on-record': 'A void of the document {document} is on record already',
  'void-euid-of-another':
    'The document {document} cannot be voided here: it has the EUID of another one, which would be voided in its place',
  'void-former-environment':
    "The document {document} cannot be voided here: it was registered before the taxpayer's environment was changed (test, production). Void it on the authority's portal",
  'void-comment-too-long': 'The comment has {characters|character|characters}; at most {most} are sent. Shorten it',
  'void-not-registered':
    'The document {document} is in status {status}; only a document that the authority has registered (40) can be voided',
  'void-not-new':
    "The document {document} cannot be voided: {why} (status {status} at the authority). Only one in status {new} can, without the buyer's confirmation",
  'void-why-accepted': 'its buyer has accepted it',
  'void-why-accepted-automatically': 'it was accepted automatically',
  'void-why-rejected': 'its buyer has rejected it',
  'void-why-voided': 'it is voided already',
  'void-why-corrected': 'it was corrected',
  'void-why-no-decision': 'it needs no decision of a buyer',
  'void-why-not-new': 'it is not new any more',
} as const;
