import type { AuthorityError } from '../../domain/documents/outbound-document.ts';
import { listed, type Message, message, type Sentence, type ValueList } from '../../domain/messages/message.ts';
import { oneLineText, shortText } from '../../domain/values/one-line-text.ts';
import {
  ACCOUNT_REFUSED,
  type Failure,
  type FailureCode,
  failureBecause,
  REQUEST_REFUSED,
} from '../errors/failure-catalogue.ts';
import type { Authority, AuthorityCallError, CallErrorKind } from '../ports/authority.ts';
import type { AttemptOutcome, RecordedAttempt } from '../ports/storage/delivery-store.ts';
import type { AttemptRecord } from './settlement.ts';

type Interpreter = Pick<Authority, 'interpret'>;

const LONGEST_QUOTE = 300;
const LONGEST_DETAILS = 150;
const MOST_QUOTED = 5;
/** Before a code of the authority's own. */
const REPORTED = 'UJP-';

type Cause = { readonly code: FailureCode; readonly reason: Message };

const BY_KIND: Readonly<Record<Exclude<CallErrorKind, 'refused'>, Cause>> = {
  unreachable: { code: 'AUTHORITY-UNREACHABLE', reason: message('authority-unreachable') },
  timeout: { code: 'AUTHORITY-TIMEOUT', reason: message('authority-timeout') },
  busy: { code: 'AUTHORITY-BUSY', reason: message('authority-busy') },
  signing: { code: 'SIGNER-UNAVAILABLE', reason: message('signing-failed') },
  error: { code: 'AUTHORITY-ERROR', reason: message('authority-failed') },
  credentials: { code: ACCOUNT_REFUSED, reason: message('account-refused') },
  'request-refused': { code: REQUEST_REFUSED, reason: message('request-refused') },
};

const CONNECTION_LOST: Cause = { code: BY_KIND.unreachable.code, reason: message('connection-lost') };

/** An attempt that was cut off before its answer was known, because the process ended. */
export const INTERRUPTED = failureBecause('AUTHORITY-TIMEOUT', message('attempt-interrupted'));

/** What is stored of the document does not match its checksum: it is held. */
export const STORED_DAMAGE = failureBecause('STORED-DAMAGE', message('stored-damage'));

export function failureOf(authority: Interpreter, error: AuthorityCallError): Failure {
  const { kind, errors } = error;
  if (kind === 'refused') return rejection(authority, errors);
  const isCut = kind === 'unreachable' && error.isUncertain;
  const { code, reason } = isCut ? CONNECTION_LOST : BY_KIND[kind];
  const own = error.reason === null ? [] : [error.reason];
  const reported = kind === 'request-refused' ? errors : errors.slice(0, 1);
  return failureBecause(
    code,
    reason,
    ...own,
    ...bareStatus(error),
    ...explained(authority, reported),
    ...said(reported),
  );
}

/** A request that was refused without a word: the HTTP status is all that the operator can tell the authority. */
function bareStatus({ kind, errors, httpStatus }: AuthorityCallError): readonly Sentence[] {
  if (kind !== 'request-refused' || errors.length > 0 || httpStatus === null) return [];
  return [message('answered-without-code', { answer: `HTTP ${httpStatus}` })];
}

/** The failure of a document that the authority rejected, in words an accountant understands, with the authority's own. */
export function rejection(authority: Interpreter, errors: readonly AuthorityError[]): Failure {
  const explanation = authority.interpret(errors).explanation ?? message('document-rejected');
  return failureBecause(reportedCode(errors[0]?.code ?? 'UNKNOWN'), explanation, ...said(errors));
}

/** The failure of an attempt whose answer was lost, once the authority is known not to have the document. */
export function lostAnswer(attempt: Pick<RecordedAttempt, 'outcome' | 'failureCode' | 'message'>): Failure {
  const { outcome, failureCode } = attempt;
  if (outcome === null || failureCode === null) return INTERRUPTED;
  const reported = reportedErrorsOf(attempt);
  const { code, reason } = reported.length === 0 ? causeOfCode(failureCode) : BY_KIND.error;
  return failureBecause(code, reason, ...said(reported), message('not-at-authority'));
}

function causeOfCode(code: string): Cause {
  if (code === CONNECTION_LOST.code) return CONNECTION_LOST;
  return Object.values(BY_KIND).find((cause) => cause.code === code) ?? BY_KIND.error;
}

/**
 * What the code means, where it is not the document that is to blame. Of several errors nobody knows which one decided, and of a
 * failure of the authority's own there is no more to say than that.
 */
function explained(authority: Interpreter, errors: readonly AuthorityError[]): readonly Sentence[] {
  const { meaning, explanation } = authority.interpret(errors);
  return errors.length !== 1 || meaning !== 'other' || explanation === null ? [] : [explanation];
}

/** How a call error goes on record: by the authority's own code and words, where it gave any. */
export function recordOf(authority: Interpreter, outcome: AttemptOutcome, error: AuthorityCallError): AttemptRecord {
  const { answer } = error;
  const { code = null, message = null } = error.errors[0] ?? {};
  if (code === null) return { outcome, failureCode: failureOf(authority, error).code, message: error.message, answer };
  return { outcome, failureCode: reportedCode(code), message, answer };
}

/** What the authority reported in an attempt on record; nothing where it gave no code. */
export function reportedErrorsOf(
  attempt: Pick<RecordedAttempt, 'failureCode' | 'message'> | null,
): readonly AuthorityError[] {
  const { failureCode = null, message = null } = attempt ?? {};
  if (failureCode?.startsWith(REPORTED) !== true) return [];
  return [{ code: failureCode.slice(REPORTED.length), message }];
}

function reportedCode(code: string): FailureCode {
  return `${REPORTED}${code}`;
}

/** In the authority's own words, with the rows and parameters that it names. Of several the first need not be the decisive one. */
function said(errors: readonly AuthorityError[]): readonly Sentence[] {
  if (errors.length === 0) return [];
  const quoted = errors.slice(0, MOST_QUOTED);
  const parts = quoted.map((error) => inItsWords(error, quoted.length));
  return [message('authority-says', { errors: listed(parts, '; ') })];
}

/** The more errors there are, the less is quoted of each. */
function inItsWords({ code, message: words, details }: AuthorityError, count: number): ValueList {
  const longest = Math.floor(LONGEST_QUOTE / count);
  const text = oneLineText(words, 2 * longest);
  const parts = [
    ...(code === null ? [] : [code]),
    ...(text === null ? [] : [message('quotation', { text: shortText(text, longest) })]),
    ...(details === undefined ? [] : [`(${shortText(readableDetails(details), Math.floor(LONGEST_DETAILS / count))})`]),
  ];
  return listed(parts, ' ');
}

/** `{"row":3,"parameter":"docItemQty"}` is `row: 3, parameter: docItemQty`. Details that were cut are no JSON any more. */
function readableDetails(details: string): string {
  try {
    return leaves('', JSON.parse(details)).join(', ');
  } catch {
    return details;
  }
}

function leaves(name: string, value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [name === '' ? String(value) : `${name}: ${value}`];
  return Object.entries(value).flatMap(([member, inner]) => leaves(Array.isArray(value) ? name : member, inner));
}
