import { AuthorityFault, type FaultKind } from '../../application/authority.ts';
import type { Exchange } from './authority-service.ts';
import { boundedText } from './bounded-text.ts';
import { verdictOfComplaints } from './complaint-verdict.ts';
import { type Complaint, readComplaints } from './complaints.ts';
import { isTurnedAway, verdictOfStatus } from './status-verdict.ts';

const MAX_REASONS_LENGTH = 500;
const MAX_LABEL_LENGTH = 100;
const MAX_ANSWER_LENGTH = 4_000;
/** No character takes more bytes than this. */
const MAX_UTF8_BYTES = 4;

const SENTENCES: Readonly<Record<FaultKind, (place: string) => string>> = {
  unreachable: (place) => `${place} could not be reached`,
  timeout: (place) => `${place} did not answer in time`,
  busy: (place) => `The authority turned ${place} away for now`,
  error: (place) => `The authority failed at ${place}`,
  credentials: (place) => `The authority does not accept who asks at ${place}`,
  refused: (place) => `The authority refused ${place}`,
};

/** For an answer that can be read but is not what was asked for: in the authority's own words where it gives any. */
export function answerFault(exchange: Exchange, answer: unknown): AuthorityFault {
  const { service, place, status } = exchange;
  const errors = readComplaints(answer);
  const byStatus = verdictOfStatus(status);
  const byCode = isTurnedAway(status) ? null : verdictOfComplaints(service, errors);
  const { kind, isUncertain } = byCode ?? byStatus;
  const sentence = `${SENTENCES[kind](place)} (HTTP ${status})${reasonsOf(errors)}`;
  return new AuthorityFault(sentence, { kind, errors, isUncertain, answer: shortened(exchange) });
}

/** For an answer that nobody can read, judged by its HTTP status. */
export function unreadableFault(exchange: Exchange, what: string, cause?: unknown): AuthorityFault {
  const { place, status, contentType } = exchange;
  const label = boundedText(contentType, MAX_LABEL_LENGTH) ?? 'no content type';
  const sentence = `${place} answered HTTP ${status} (${label}), ${what}`;
  return new AuthorityFault(sentence, { ...verdictOfStatus(status), answer: shortened(exchange), cause });
}

/** The answer for the record: as text whatever it is, but for NUL, which not every database takes. */
export function shortened({ bytes }: Pick<Exchange, 'bytes'>): string {
  const start = new TextDecoder().decode(bytes.subarray(0, MAX_ANSWER_LENGTH * MAX_UTF8_BYTES));
  return start.slice(0, MAX_ANSWER_LENGTH).replaceAll('\0', '\ufffd').toWellFormed();
}

function reasonsOf(complaints: readonly Complaint[]): string {
  if (complaints.length === 0) return ', without a reason';
  const reasons = complaints.map(({ code, message }) => `${code} ${message}`.trim());
  return `: ${reasons.join('; ').slice(0, MAX_REASONS_LENGTH).toWellFormed()}`;
}
