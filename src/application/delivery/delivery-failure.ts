import type { AuthorityError } from '../../domain/documents/outbound-document.ts';
import type { AuthorityCallError, CallErrorKind } from '../ports/authority.ts';
import type { Attempt } from '../ports/storage/delivery-store.ts';
import { REJECTION_MESSAGES } from './rejection-messages.ts';

/** Why a document was not delivered: a code for programs, a sentence for bookkeepers. */
export type Failure = { readonly code: string; readonly message: string };

/** There is a document under our identifier. Then it is the one we send, and an earlier answer was lost. */
export const ALREADY_THERE = 'E1023';

const LONGEST_QUOTE = 300;
/** Before a code of the authority's own. */
const THEIRS = 'UJP-';

/** The code of what waits for the account to be mended. */
export const ACCOUNT_REFUSED = 'CREDENTIALS';

const OF_KIND: Readonly<Record<Exclude<CallErrorKind, 'refused'>, Failure>> = {
  unreachable: {
    code: 'AUTHORITY-UNREACHABLE',
    message: 'The tax authority could not be reached.',
  },
  timeout: { code: 'AUTHORITY-TIMEOUT', message: 'The tax authority did not answer in time.' },
  busy: { code: 'AUTHORITY-BUSY', message: 'The tax authority is busy and asked to come back later.' },
  error: { code: 'AUTHORITY-ERROR', message: 'The tax authority had a fault of its own.' },
  credentials: {
    code: ACCOUNT_REFUSED,
    message: "The tax authority does not accept the taxpayer's account; the operator has to mend it.",
  },
};

const BROKEN_OFF: Failure = {
  code: OF_KIND.unreachable.code,
  message: 'The connection to the tax authority broke off before it had answered.',
};

/** An attempt that was cut off before its answer was known, by whatever ended the process. */
export const INTERRUPTED: Failure = {
  code: 'AUTHORITY-TIMEOUT',
  message: 'The attempt was interrupted before the tax authority had answered, and it does not have the document.',
};

export function failureOf(fault: AuthorityCallError): Failure {
  const [first] = fault.errors;
  if (fault.kind === 'refused') return refusal(fault.errors);
  const { code, message } = fault.kind === 'unreachable' && fault.isUncertain ? BROKEN_OFF : OF_KIND[fault.kind];
  const why = fault.kind === 'credentials' && first === undefined ? ` ${ended(fault.message)}` : said(first);
  return { code, message: `${message}${why}` };
}

/** The end of an attempt whose answer was lost, once the authority is known not to have the document. */
export function lostAnswer({
  outcome,
  failureCode,
  message,
}: Pick<Attempt, 'outcome' | 'failureCode' | 'message'>): Failure {
  if (outcome === null || failureCode === null) return INTERRUPTED;
  const theirCode = theirCodeOf(failureCode);
  const kind = theirCode === null ? kindOf(failureCode) : OF_KIND.error;
  const words = theirCode === null ? '' : said({ code: theirCode, message });
  return { code: kind.code, message: `${kind.message}${words} It does not have the document.` };
}

function kindOf(code: string): Failure {
  if (code === BROKEN_OFF.code) return BROKEN_OFF;
  return Object.values(OF_KIND).find((kind) => kind.code === code) ?? OF_KIND.error;
}

/** How a fault goes on record: by the authority's own code and words, where it gave any. */
export function recorded(fault: AuthorityCallError): Pick<Attempt, 'failureCode' | 'message' | 'answer'> {
  const { answer } = fault;
  const { code = null, message = null } = fault.errors[0] ?? {};
  if (code === null) return { failureCode: failureOf(fault).code, message: fault.message, answer };
  return { failureCode: authorityFailureCode(code), message, answer };
}

/** The authority's own code, where an attempt is on record by one. */
export function theirCodeOf(failureCode: string | null): string | null {
  return failureCode?.startsWith(THEIRS) === true ? failureCode.slice(THEIRS.length) : null;
}

export function refusal(errors: readonly AuthorityError[]): Failure {
  const [first] = errors;
  const code = first?.code ?? null;
  const meaning = code !== null && Object.hasOwn(REJECTION_MESSAGES, code) ? REJECTION_MESSAGES[code] : undefined;
  return {
    code: authorityFailureCode(code ?? 'UNKNOWN'),
    message: `${meaning ?? 'The tax authority refused the document.'}${said(first)}`,
  };
}

function authorityFailureCode(code: string): string {
  return `${THEIRS}${code}`;
}

function said(error: AuthorityError | undefined): string {
  return error === undefined ? '' : ` It says: ${quoted(error)}.`;
}

function ended(sentence: string): string {
  return sentence.endsWith('.') ? sentence : `${sentence}.`;
}

function quoted({ code, message }: AuthorityError): string {
  const text = (message ?? '').replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  const short = text.length <= LONGEST_QUOTE ? text : `${text.slice(0, LONGEST_QUOTE - 1).toWellFormed()}…`;
  return [code, short === '' ? null : `“${short}”`].filter((part) => part !== null).join(' ');
}
