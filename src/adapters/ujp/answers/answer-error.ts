import { NoRoomForAnswer } from '../../../application/errors/authority-answers.ts';
import { AuthorityCallError, type CallErrorKind } from '../../../application/ports/authority.ts';
import { NoTurnInTime } from '../../../application/ports/pace.ts';
import { beginningOf, oneLineText } from '../../../domain/values/one-line-text.ts';
import { classifyErrors } from './classify-errors.ts';
import { classifyStatus, isThrottled } from './classify-status.ts';
import type { Exchange } from './exchange.ts';
import { type ReportedError, readReportedErrors } from './reported-errors.ts';

const MAX_REASONS_LENGTH = 500;
const MAX_LABEL_LENGTH = 100;
const MAX_ANSWER_LENGTH = 4_000;
/** No character takes more bytes than this. */
const MAX_UTF8_BYTES = 4;

const SENTENCES: Readonly<Record<CallErrorKind, (place: string) => string>> = {
  unreachable: (place) => `${place} could not be reached`,
  timeout: (place) => `${place} did not answer in time`,
  busy: (place) => `The authority throttled ${place}`,
  error: (place) => `The authority failed at ${place}`,
  credentials: (place) => `The authority does not accept the account at ${place}`,
  'request-refused': (place) => `The authority refused the request to ${place}`,
  signing: (place) => `The request to ${place} could not be signed`,
  refused: (place) => `The authority refused ${place}`,
};

/** The answer has more bytes than are read of it. */
export class AnswerTooLarge extends AuthorityCallError {}

/** The list in the answer calls itself one page of several. */
export class PageOfSeveral extends AuthorityCallError {}

const TOO_MUCH = [AnswerTooLarge, NoRoomForAnswer, PageOfSeveral];

/** The authority's own time limit, and that of a proxy in front of it. */
const ASYNC_TIMEOUT = 'E4009';
const GATEWAY_TIMEOUT = 504;

/**
 * Less may be had where so much does not fit into an answer or onto a page, or is not there in time for us, for a proxy or for the authority
 * itself. What had no turn was not asked for at all: each part would wait as long.
 */
export function isTooMuch(error: unknown): boolean {
  if (!(error instanceof AuthorityCallError) || error instanceof NoTurnInTime) return false;
  const { kind, errors, httpStatus } = error;
  if (TOO_MUCH.some((tooMuch) => error instanceof tooMuch)) return true;
  if (kind === 'timeout' || httpStatus === GATEWAY_TIMEOUT) return true;
  return errors.some(({ code }) => code === ASYNC_TIMEOUT);
}

/** For an answer that can be read but reports errors, in the authority's own words where it gives any. */
export function answerError(exchange: Exchange, answer: unknown): AuthorityCallError {
  const { service, place, status } = exchange;
  const errors = readReportedErrors(answer);
  const byStatus = classifyStatus(status, service.api === 'receiver');
  const byCode = isThrottled(status) ? null : classifyErrors(service, errors);
  const { kind, isUncertain } = byCode ?? byStatus;
  const sentence = `${SENTENCES[kind](place)} (HTTP ${status})${reasonsOf(errors)}`;
  return new AuthorityCallError(sentence, {
    kind,
    errors,
    isUncertain,
    answer: shortened(exchange),
    httpStatus: status,
  });
}

/** For an answer that cannot be read: classified by its HTTP status. */
export function unreadableAnswer(exchange: Exchange, what: string, cause?: unknown): AuthorityCallError {
  const { service, place, status, contentType } = exchange;
  const label = oneLineText(contentType, MAX_LABEL_LENGTH) ?? 'no content type';
  const sentence = `${place} answered HTTP ${status} (${label}), ${what}`;
  return new AuthorityCallError(sentence, {
    ...classifyStatus(status, service.api === 'receiver'),
    answer: shortened(exchange),
    httpStatus: status,
    cause,
  });
}

/** The answer as it goes on record: as text whatever it is, without NUL, which PostgreSQL does not take. */
export function shortened({ bytes }: Pick<Exchange, 'bytes'>): string {
  const start = new TextDecoder().decode(bytes.subarray(0, MAX_ANSWER_LENGTH * MAX_UTF8_BYTES));
  return beginningOf(start, MAX_ANSWER_LENGTH).replaceAll('\0', '\ufffd').toWellFormed();
}

function reasonsOf(errors: readonly ReportedError[]): string {
  if (errors.length === 0) return ', without a reason';
  const reasons = errors.map(({ code, message }) => `${code} ${message}`.trim());
  return `: ${oneLineText(reasons.join('; '), MAX_REASONS_LENGTH)}`;
}
