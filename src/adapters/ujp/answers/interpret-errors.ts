import type { Authority } from '../../../application/ports/authority.ts';
import { explanationOf } from './error-explanations.ts';

/** The seller has sent a document with this docId before. It is the one we send, and an earlier answer was lost. */
const ALREADY_REGISTERED = 'E1023';

/** The authority says no more than that it failed; sometimes what it fails on is the document. */
const THEIR_FAILURES: ReadonlySet<string> = new Set(['E5000', 'E5001', 'E4009']);

/** About the documents that a document refers to: not found, a wrong name or date, referred to twice, voided, corrected. */
const ABOUT_REFERENCES: ReadonlySet<string> = new Set([
  ...['E1021', 'E10211', 'E1022', 'E1026', 'E1028', 'E1029', 'E50073'],
]);

export const interpretErrors: Authority['interpret'] = (errors) => {
  const code = errors[0]?.code ?? null;
  const explanation = code === null ? null : explanationOf(code);
  if (errors.some((error) => error.code === ALREADY_REGISTERED)) {
    return { meaning: 'already-registered', explanation };
  }
  if (errors.length > 0 && errors.every((error) => ABOUT_REFERENCES.has(error.code ?? ''))) {
    return { meaning: 'references', explanation };
  }
  const meaning = code !== null && THEIR_FAILURES.has(code) ? 'their-failure' : 'other';
  return { meaning, explanation };
};
