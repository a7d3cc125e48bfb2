import { causeText } from '../../../application/errors/commit-unknown.ts';
import { AuthorityCallError } from '../../../application/ports/authority.ts';
import { oneLineText } from '../../../domain/values/one-line-text.ts';

const MAX_REASON_LENGTH = 300;
/** Error codes of Node's HTTP parser. */
const HTTP_PARSER_ERROR = /^HPE_/u;

/** Once a request may have been sent, only the authority knows whether it was processed. */
export type Progress = { mayHaveBeenSent: boolean };

/** For a call without a complete answer. `timeoutMs` is null unless the call timed out. */
export function transportError(
  place: string,
  { mayHaveBeenSent }: Progress,
  timeoutMs: number | null,
  cause: unknown,
): AuthorityCallError {
  if (!mayHaveBeenSent) {
    const reason = timeoutMs === null ? reasonOf(cause) : `no connection within ${timeoutMs} ms`;
    return new AuthorityCallError(`${place} could not be reached: ${reason}`, { kind: 'unreachable', cause });
  }
  const facts = { isUncertain: true, cause };
  if (timeoutMs !== null) {
    return new AuthorityCallError(`${place} did not answer within ${timeoutMs} ms`, { ...facts, kind: 'timeout' });
  }
  if (HTTP_PARSER_ERROR.test(codeOf(cause))) {
    return new AuthorityCallError(`${place} did not answer in valid HTTP: ${reasonOf(cause)}`, {
      ...facts,
      kind: 'error',
    });
  }
  return new AuthorityCallError(`${place} closed the connection early: ${reasonOf(cause)}`, {
    ...facts,
    kind: 'unreachable',
  });
}

function codeOf(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? cause.code : null;
  return typeof code === 'string' ? code : '';
}

function reasonOf(cause: unknown): string {
  const message = oneLineText(causeText(cause), MAX_REASON_LENGTH);
  return message ?? (codeOf(cause) || 'unknown reason');
}
