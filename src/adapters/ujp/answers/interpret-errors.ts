import type { Authority } from '../../../application/ports/authority.ts';
import { ERROR_EXPLANATIONS } from './error-explanations.ts';

/** The seller has sent a document with this docId before. It is the one we send, and an earlier answer was lost. */
const ALREADY_REGISTERED = 'E1023';

/** The authority says no more than that it failed; sometimes what it fails on is the document. */
const THEIR_FAILURES: ReadonlySet<string> = new Set(['E5000', 'E5001', 'E4009']);

export const interpretErrors: Authority['interpret'] = (errors) => {
  const code = errors[0]?.code ?? null;
  const explanation = code !== null && Object.hasOwn(ERROR_EXPLANATIONS, code) ? ERROR_EXPLANATIONS[code] : null;
  if (errors.some((error) => error.code === ALREADY_REGISTERED)) {
    return { meaning: 'already-registered', explanation: explanation ?? null };
  }
  const meaning = code !== null && THEIR_FAILURES.has(code) ? 'their-failure' : 'other';
  return { meaning, explanation: explanation ?? null };
};
