import type { ContentSweep } from '../ports/storage/archive-store.ts';

/**
 * From storing a file to referring to it takes seconds, and minutes at most. A day leaves no doubt that nobody is about to refer
 * to it, and a client that sends the document again stores the file anew.
 */
const KEPT_MS = 86_400_000;

/** Removes files that were stored ahead of a transaction which never came: the process died, or the document was refused. */
export function collectStoredAhead({
  contents,
}: {
  readonly contents: Pick<ContentSweep, 'sweepStoredAhead'>;
}): () => Promise<number> {
  return () => contents.sweepStoredAhead(KEPT_MS);
}
