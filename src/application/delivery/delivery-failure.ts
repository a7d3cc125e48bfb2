import type { AuthorityError } from '../../domain/documents/outbound-document.ts';
import { oneLineText, quotedText } from '../../domain/values/one-line-text.ts';
import { ACCOUNT_REFUSED, type Failure, type FailureCode, REQUEST_REFUSED } from '../errors/failure-catalogue.ts';
import type { Authority, AuthorityCallError, CallErrorKind } from '../ports/authority.ts';
import type { AttemptOutcome, RecordedAttempt } from '../ports/storage/delivery-store.ts';
import type { AttemptRecord } from './settlement.ts';

type Interpreter = Pick<Authority, 'interpret'>;

const LONGEST_QUOTE = 300;
const MOST_QUOTED = 5;
/** Before a code of the authority's own. */
const REPORTED = 'UJP-';

const BY_KIND: Readonly<Record<Exclude<CallErrorKind, 'refused'>, Failure>> = {
  unreachable: { code: 'AUTHORITY-UNREACHABLE', message: 'The tax authority could not be reached.' },
  timeout: { code: 'AUTHORITY-TIMEOUT', message: 'The tax authority did not answer in time.' },
  busy: { code: 'AUTHORITY-BUSY', message: 'The tax authority is busy and asked to come back later.' },
  signing: { code: 'SIGNER-UNAVAILABLE', message: 'The document could not be signed; nothing was sent.' },
  error: { code: 'AUTHORITY-ERROR', message: 'The tax authority had a failure of its own.' },
  credentials: {
    code: ACCOUNT_REFUSED,
    message: "The tax authority does not accept the taxpayer's account; the operator must correct it.",
  },
  'request-refused': {
    code: REQUEST_REFUSED,
    message: 'The tax authority refused the request, for a reason that is not known to be in the document.',
  },
};

const CONNECTION_LOST: Failure = {
  code: BY_KIND.unreachable.code,
  message: 'The connection to the tax authority was lost before it had answered.',
};

/** An attempt that was cut off before its answer was known, because the process ended. */
export const INTERRUPTED: Failure = {
  code: 'AUTHORITY-TIMEOUT',
  message: 'The attempt was interrupted before the tax authority had answered, and it does not have the document.',
};

export function failureOf(authority: Interpreter, error: AuthorityCallError): Failure {
  const [first] = error.errors;
  if (error.kind === 'refused') return rejection(authority, error.errors);
  const isCut = error.kind === 'unreachable' && error.isUncertain;
  const { code, message } = isCut ? CONNECTION_LOST : BY_KIND[error.kind];
  if (error.kind === 'request-refused') return { code, message: `${message}${saidAll(error.errors)}` };
  const why = error.kind === 'credentials' && first === undefined ? ` ${sentence(error.message)}` : said(first);
  return { code, message: `${message}${why}` };
}

/** The failure of a document that the authority rejected, in words an accountant understands, with the authority's own. */
export function rejection(authority: Interpreter, errors: readonly AuthorityError[]): Failure {
  const [first] = errors;
  const explanation = authority.interpret(errors).explanation ?? 'The tax authority rejected the document.';
  return { code: reportedCode(first?.code ?? 'UNKNOWN'), message: `${explanation}${said(first)}` };
}

/** The failure of an attempt whose answer was lost, once the authority is known not to have the document. */
export function lostAnswer(attempt: Pick<RecordedAttempt, 'outcome' | 'failureCode' | 'message'>): Failure {
  const { outcome, failureCode } = attempt;
  if (outcome === null || failureCode === null) return INTERRUPTED;
  const [reported] = reportedErrorsOf(attempt);
  const { code, message } = reported === undefined ? failureOfCode(failureCode) : BY_KIND.error;
  return { code, message: `${message}${said(reported)} It does not have the document.` };
}

function failureOfCode(code: string): Failure {
  if (code === CONNECTION_LOST.code) return CONNECTION_LOST;
  return Object.values(BY_KIND).find((failure) => failure.code === code) ?? BY_KIND.error;
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

function said(error: AuthorityError | undefined): string {
  return error === undefined ? '' : ` It says: ${quoted(error)}.`;
}

/** Of several the first need not be the one that is not about the document. */
function saidAll(errors: readonly AuthorityError[]): string {
  if (errors.length === 0) return '';
  const shortest = Math.floor(LONGEST_QUOTE / Math.min(errors.length, MOST_QUOTED));
  return ` It says: ${errors
    .slice(0, MOST_QUOTED)
    .map((error) => quoted(error, shortest))
    .join('; ')}.`;
}

function sentence(text: string): string {
  return text.endsWith('.') ? text : `${text}.`;
}

function quoted({ code, message }: AuthorityError, longest = LONGEST_QUOTE): string {
  const text = oneLineText(message, 2 * longest);
  const words = text === null ? null : quotedText(text, longest);
  return [code, words].filter((part) => part !== null).join(' ');
}
