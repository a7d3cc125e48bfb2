import type { Sentence } from '../../domain/messages/message.ts';
import { inEnglish } from '../../domain/messages/render.ts';

type Row = {
  /** Where a document with this failure stands. */
  readonly status: '40' | '50' | '50, or 20 and sent anew' | '55' | '20, finally 55';
  readonly meaning: string;
  readonly remedy: string;
};

/** Every `failureCode` that a document can have. docs/delivery.md shows this table; a test holds the two together. */
export const FAILURE_CATALOGUE = {
  'NOT-EXPRESSIBLE': {
    status: '55',
    meaning: "The authority's form has no place for something in the document, or requires something that is missing.",
    remedy: 'Correct the element that the message names and submit the document anew.',
  },
  'SUPPLIER-MISMATCH': {
    status: '55',
    meaning: 'The supplier of the document is not the taxpayer of the key.',
    remedy: 'Submit it with the key of its supplier, or correct the supplier.',
  },
  'TOTALS-MISMATCH': {
    status: '55',
    meaning: 'The totals do not follow from the lines.',
    remedy: 'Compare the two figures in the message, correct the document and submit it anew.',
  },
  'DUPLICATE-NUMBER': {
    status: '55',
    meaning:
      'A document of the same kind and number is accepted (also if it was voided afterwards) or under way; the message names its `docUid`, or its EUID where the service has lost it by a restore.',
    remedy: 'Look at that document. If this is another one, give it a number of its own.',
  },
  'UJP-<code>': {
    status: '50, or 20 and sent anew',
    meaning:
      'The authority rejected the document, with its own code; `ujp.errors` has all of them. 20 where it was because of optional references: the document is sent without them, with a warning.',
    remedy: 'Correct what the message names and submit the document anew. Nothing while it is 20.',
  },
  'UJP-REJECTED-BY-BUYER': {
    status: '40',
    meaning:
      "The buyer rejected the registered document. A row of the history alone, with the authority's time; `ujp.message` has the reason.",
    remedy: 'Settle it with the buyer; void the document, or issue a credit note or a correction.',
  },
  'UJP-VOIDED': {
    status: '40',
    meaning:
      "The registered document was voided (storno), by the operator or elsewhere. A row of the history alone, with the authority's time.",
    remedy: 'The document no longer counts. Issue a new one where that is needed.',
  },
  'AUTHORITY-UNREACHABLE': {
    status: '20, finally 55',
    meaning: 'The authority could not be reached.',
    remedy: 'Nothing: it is tried again.',
  },
  'AUTHORITY-TIMEOUT': {
    status: '20, finally 55',
    meaning: 'The authority did not answer in time.',
    remedy: 'Nothing: it is tried again.',
  },
  'AUTHORITY-BUSY': {
    status: '20, finally 55',
    meaning: 'The authority is busy and asked to come back later.',
    remedy: 'Nothing: it is tried again.',
  },
  'AUTHORITY-ERROR': {
    status: '20, finally 55',
    meaning:
      'The authority failed, or answered something that cannot be read. With an error code of its own (E5000, E5001, E4009), 55 only after five times while it took other documents.',
    remedy: 'Nothing while it is 20. After 55 the operator can queue the document again.',
  },
  'REQUEST-REFUSED': {
    status: '20, finally 55',
    meaning:
      'The authority refused the request, for a reason that is not known to be in the document: its form, its signature, a right, its time, or an unknown code. 55 only after five times while it took other documents.',
    remedy: 'Nothing while it is 20. After 55 the operator finds the reason and queues the document again.',
  },
  'SIGNER-UNAVAILABLE': {
    status: '20, finally 55',
    meaning:
      "The taxpayer's signing device, the command that reaches it, or its key in the service did not sign; nothing was sent.",
    remedy: 'Nothing: it is tried again. The operator finds the cause with `tenant check` and in the log.',
  },
  'SERVICE-ERROR': {
    status: '55',
    meaning: 'The service itself failed on the document, five times in a row, or on its void.',
    remedy:
      'The operator finds the cause in the log, and requeues the document once it is removed. A void is tried for two days, and its document stays accepted.',
  },
  'STORED-DAMAGE': {
    status: '55',
    meaning:
      'What is stored of the document does not match its checksum any more. The service holds it: nothing of it was sent.',
    remedy: 'The operator finds the damage with `dostava check`, repairs it and queues the document again.',
  },
  CREDENTIALS: {
    status: '20, finally 55',
    meaning: "The authority does not accept the taxpayer's account; its queue waits meanwhile.",
    remedy: 'The operator must correct the account.',
  },
} as const satisfies Readonly<Record<string, Row>>;

type CatalogueCode = keyof typeof FAILURE_CATALOGUE;

/** A code of the authority's own takes the place of `<code>`. */
export type FailureCode = Exclude<CatalogueCode, 'UJP-<code>'> | `UJP-${string}`;

/** Why a document was not delivered: a code for programs, sentences for accountants. */
export type Failure = {
  readonly code: FailureCode;
  /** The sentences in English, for records, logs and the operator. */
  readonly message: string;
  /** The same in no language yet; rendered when they are read. */
  readonly sentences: readonly Sentence[];
};

export function failureBecause(code: FailureCode, ...sentences: readonly Sentence[]): Failure {
  return { code, message: inEnglish(...sentences), sentences };
}

/** The failure of documents that wait until the authority accepts the tenant's account again. */
export const ACCOUNT_REFUSED = 'CREDENTIALS' satisfies FailureCode;

/** The failure of documents whose request the authority refused. */
export const REQUEST_REFUSED = 'REQUEST-REFUSED' satisfies FailureCode;

/** Documents with these wait until the tenant's delivery goes on. */
export const WAITING_FOR_RESUMPTION: readonly FailureCode[] = [ACCOUNT_REFUSED, REQUEST_REFUSED, 'AUTHORITY-ERROR'];

/** The failure of documents that wait for the tenant's signing command. */
export const SIGNER_UNAVAILABLE = 'SIGNER-UNAVAILABLE' satisfies FailureCode;

/** Failures of documents and voids that a new credential may resolve. */
export const WAITING_FOR_CREDENTIAL: readonly FailureCode[] = [...WAITING_FOR_RESUMPTION, SIGNER_UNAVAILABLE];
