import type { AuthorityError } from '../domain/outbound-document.ts';
import type { AuthorityFault, FaultKind } from './authority.ts';
import { REFUSAL_SENTENCES } from './refusal-sentences.ts';

/** Why a document was not delivered: a code for programs, a sentence for bookkeepers. */
export type Failure = { readonly code: string; readonly message: string };

const LONGEST_QUOTE = 300;

const OF_KIND: Readonly<Record<Exclude<FaultKind, 'refused'>, Failure>> = {
  unreachable: {
    code: 'AUTHORITY-UNREACHABLE',
    message: 'The tax authority could not be reached.',
  },
  timeout: { code: 'AUTHORITY-TIMEOUT', message: 'The tax authority did not answer in time.' },
  busy: { code: 'AUTHORITY-BUSY', message: 'The tax authority is busy and asked to come back later.' },
  error: { code: 'AUTHORITY-ERROR', message: 'The tax authority had a fault of its own.' },
  credentials: {
    code: 'CREDENTIALS',
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

export function failureOf(fault: AuthorityFault): Failure {
  const [first] = fault.errors;
  if (fault.kind === 'refused') return refusal(fault.errors);
  const { code, message } = fault.kind === 'unreachable' && fault.isUncertain ? BROKEN_OFF : OF_KIND[fault.kind];
  const said = first === undefined ? '' : ` It says: ${quoted(first)}`;
  const why = fault.kind === 'credentials' && first === undefined ? ` ${fault.message}` : said;
  return { code, message: `${message}${why}` };
}

/** The code by which an attempt goes on record: the authority's own, where it gave one. */
export function recordedCode(fault: AuthorityFault): string {
  const code = fault.errors[0]?.code;
  return code === undefined || code === null ? failureOf(fault).code : refusalCode(code);
}

export function refusal(errors: readonly AuthorityError[]): Failure {
  const [first] = errors;
  const code = first?.code ?? null;
  const meaning = (code === null ? undefined : REFUSAL_SENTENCES[code]) ?? 'The tax authority refused the document.';
  const said = first === undefined ? '' : ` It says: ${quoted(first)}`;
  return { code: refusalCode(code ?? 'UNKNOWN'), message: `${meaning}${said}` };
}

export function refusalCode(code: string): string {
  return `UJP-${code}`;
}

function quoted({ code, message }: AuthorityError): string {
  const text = (message ?? '').replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  const short = text.length <= LONGEST_QUOTE ? text : `${text.slice(0, LONGEST_QUOTE - 1)}…`;
  return [code, short === '' ? null : `“${short}”`].filter((part) => part !== null).join(' ');
}
