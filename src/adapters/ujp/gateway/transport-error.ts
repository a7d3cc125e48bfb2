import { AuthorityCallError } from '../../../application/ports/authority.ts';
import { boundedText } from '../answers/bounded-text.ts';

const MAX_REASON_LENGTH = 300;
/** How the platform's parser names what is no HTTP. */
const NO_HTTP = /^HPE_/u;

/** How far a request has come: once it may have left, nobody but the authority knows what became of it. */
export type Progress = { mayHaveLeft: boolean };

/** For a call that brought no whole answer. `timeoutMs` is given when its time was over. */
export function transportError(
  place: string,
  { mayHaveLeft }: Progress,
  timeoutMs: number | null,
  cause: unknown,
): AuthorityCallError {
  if (!mayHaveLeft) {
    const reason = timeoutMs === null ? reasonOf(cause) : `no connection within ${timeoutMs} ms`;
    return new AuthorityCallError(`${place} could not be reached: ${reason}`, { kind: 'unreachable', cause });
  }
  const facts = { isUncertain: true, cause };
  if (timeoutMs !== null) {
    return new AuthorityCallError(`${place} did not answer within ${timeoutMs} ms`, { ...facts, kind: 'timeout' });
  }
  if (NO_HTTP.test(codeOf(cause))) {
    return new AuthorityCallError(`${place} answered what is no HTTP: ${reasonOf(cause)}`, { ...facts, kind: 'error' });
  }
  return new AuthorityCallError(`${place} broke the connection off: ${reasonOf(cause)}`, {
    ...facts,
    kind: 'unreachable',
  });
}

function codeOf(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? cause.code : null;
  return typeof code === 'string' ? code : '';
}

/** An error about several addresses at once has a code and no message. */
function reasonOf(cause: unknown): string {
  const message = cause instanceof Error ? boundedText(cause.message, MAX_REASON_LENGTH) : null;
  return message ?? (codeOf(cause) || 'for no known reason');
}
