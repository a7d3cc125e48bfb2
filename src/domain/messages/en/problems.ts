/** What a caller is told in the detail of a problem. Values stand in braces. */
export const PROBLEMS = {
  'api-key-missing': 'The X-Api-Key header is missing',
  'api-key-unknown': 'The key in the X-Api-Key header is not known to this service',
  'several-api-keys': 'The request has more than one key in X-Api-Key. Send it once',
  'software-id-missing': 'Send X-Software-Id with the name and version of the calling software',
  'api-key-revoked': 'The API key was revoked by the operator',
  'api-key-expired': 'The API key has expired',
  'address-not-allowed': 'The API key may not be used from {address}',
  'address-not-named': 'The API key may not be used from an address that the proxy did not name',
  'scope-missing': 'The API key does not carry the scope IntegrationApi',
  'inquiry-limit-reached': 'The key may make {calls|inquiry|inquiries} a minute. Try again in {seconds} s',
  'cursor-unusable': 'The query parameter after must be a cursor that this feed has given to the same taxpayer',
  'log-put-back':
    'The log does not have the entry of this cursor any more: the database was put back to an earlier state. Read it again from the beginning, without after',
  'key-waits-already':
    'With this key {waiting|call waits|calls wait} for changes already, as many as may. One is enough for a client',
  'too-many-waiting': 'Too many calls wait for changes at this moment. Without wait the answer comes at once',
  'one-mark': 'Give one of the query parameters documentNumber, sha256 and euid',
  'digest-unusable': 'The query parameter sha256 must be the 64 hexadecimal digits of a SHA-256',
  'euid-unusable': 'The query parameter euid must be an EUID: 32 hexadecimal digits with four hyphens',
  'rate-limit-reached': 'The key may make {calls|call|calls} a minute. Try again in {seconds} s',
  'tenant-named-in-body': 'The body has the field "{name}". The tenant follows from the API key',

  'document-not-found': 'No document of this tenant has the identifier in the path',
  'cancelled-before': 'The document was cancelled before',
  'status-not-cancellable': 'A document in status {status} cannot be cancelled',
  'outcome-not-known-yet':
    'The document was sent, and it is not known yet whether the authority has registered it. Until then it cannot be cancelled',
  'registered-all-the-same':
    'The authority has registered the document, although it was taken for not registered. Ask the operator of this service',
  'known-formats': 'The known formats are {formats}',
  'format-missing': 'The document exists, but not in the format "{format}"',
  'container-never-comes':
    'The document is in status {status}, and the authority returned no file for it: there is no format "ujp"',
  'container-on-its-way':
    'The authority has accepted the document; its file, the format "ujp", is on its way from there',
  'container-after-acceptance':
    'The authority returns the format "ujp" once it has accepted the document, which is on its way there',
  'stored-file-damaged':
    'The stored file is damaged: its bytes do not match their checksum, so they are not served. The operator of this service is told; quote the eventId when you report it',
  'archive-out-of-reach': 'The file is in the archive of the service, which is out of reach at this moment',

  'outbound-disabled': 'Outbound over the API is switched off for this tenant. The operator can switch it on',
  'environment-changed':
    'The environment of the taxpayer at the tax authority (test, production) was changed while this document came. It was not stored. Submit it again if it is meant for the present one',
  'idempotency-key-missing': 'Send X-Idempotency-Key with a value of your choice that is unique to the document',
  'idempotency-key-used': 'Within the last hour this X-Idempotency-Key was used for a document with other bytes',
  'several-idempotency-keys': 'The request must have exactly one X-Idempotency-Key header',
  'document-too-large': 'A document may have at most {bytes|byte|bytes}',
  'too-many-submissions': 'More documents are submitted than the service can take at this moment. Nothing was stored',
  'tenant-bodies-too-large':
    'The documents of this tenant that are being received take all the memory that it may have. Nothing was stored',
  'bodies-too-large': 'Too many documents are being received at this moment. Nothing was stored',
  'tenant-answers-unread':
    'The answers that this tenant has not read yet take all the memory that it may have. Read them first',
  'answers-too-large': 'Too many large answers are being sent at this moment',
  'files-in-work': 'Too many large files are being read at this moment',

  'parameter-unknown': 'There is no query parameter {name}. Known are: {names}',
  'no-parameters': 'There is no query parameter {name}. This call has none',
  'parameter-unusable': 'The query parameter {name} must be {expected}',
  'an-instant': 'an RFC 3339 date-time such as {example}, or a date',
  'true-or-false': 'true or false',
  'given-once': 'given once',
  'percent-encoded': 'percent-encoded UTF-8, for example %D0%9C for a Cyrillic M and %25 for a percent sign',
  'some-whole-number': 'a whole number',
  'a-language': 'one of these languages: {languages}',
  'at-least': 'at least {least}',
  'at-most': 'at most {most}',
  'page-too-large': 'pageSize may be at most {most}',
  'code-list-types': 'The code list types are {types}',

  'nothing-at-address': 'There is nothing at this address',
  'no-such-code': 'The error catalogue has no such code',
  'no-such-example': 'There is no such example',
  'methods-of-resource': 'The methods of this resource are: {methods}',
  'no-proxy': 'This service is not a proxy',
  'headers-too-large': 'The request line and headers together are larger than the service accepts',
  'request-too-late': 'The request was not complete in time',
  'request-not-http': 'The request is not valid HTTP',
  'url-not-encoded':
    'The address of the request cannot be read. Blanks and letters beyond ASCII must be percent-encoded in it, for example %20 for a blank and %D0%9C for a Cyrillic M',
  'method-unknown':
    'The request does not begin with a known method, such as GET or POST, in capital letters. If another request came before it, the Content-Length of that one may be smaller than its body',
  'header-unreadable':
    'A header of the request cannot be read. It has a name, a colon right behind it and a value, and no line breaks or other control characters',
  'length-unclear':
    'The length of the request body cannot be read. It is told by one Content-Length or by Transfer-Encoding: chunked, and not by both',
  'chunk-unreadable':
    'A chunk of the request body cannot be read. It begins with its length in bytes, in hexadecimal digits on a line of its own, and a line break of CR LF ends that line and the chunk',
  'version-unreadable':
    'The first line of the request does not end with HTTP/1.1 or HTTP/1.0 and a line break of CR LF. HTTP/2 is not understood here',
  'request-incomplete': 'The request ended before it was complete',
  'url-malformed': 'The URL of the request is malformed',
  'several-hosts': 'The request must have exactly one Host header',
  'unknown-expectation': 'The only supported value of the Expect header is 100-continue',
  'body-not-taken': 'This call takes no body, and the body that was sent is too large to be ignored',
  'body-incomplete': 'The request body ended before it was complete',
  'service-stopping': 'The service is stopping. Nothing was stored',
  'service-busy': 'The service is busy at this moment. Nothing was changed',
  'answer-failed': 'The service failed to answer. Quote the eventId when you report it',
  'nothing-was-done': '{reason}. Nothing was done',
  'too-many-connections': 'There are too many connections to the service at this moment',
  'too-many-connections-from': 'There are too many connections from {address} at this moment',

  'original-not-json':
    'The original is not JSON in UTF-8, as the documents of the authority are: it cannot be converted to UBL',
  'original-not-known':
    "The original is not the authority's document as its schema has it, and cannot be converted to UBL: {member} is not {expected}",
  'original-too-large': 'Originals of more than {bytes|byte|bytes} are not converted to UBL',
  'original-not-in-ubl': 'The original holds values that UBL 2.1 does not allow. {finding}',
  'member-filled': 'there or is empty',
  'member-text': 'a text',
  'member-date': 'a date such as 2026-11-15',
  'member-number': 'a number of at most 30 digits',
  'member-whole-number': 'a whole number within its limits',
  'member-object': 'an object',
  'member-list': 'a list',
  'no-such-schema': 'There is no such schema',
} as const;
