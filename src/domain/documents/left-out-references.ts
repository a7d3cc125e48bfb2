/**
 * Which optional references a document is sent without: those of its own day · all of them · all of them, where the refusal reads as
 * if every document of the type would be refused: known for sure when the document passes without them.
 */
export type LeftOutReferences = 'same-day' | 'all' | 'all-of-type';

/** What to leave out after one more refusal because of references; null when nothing is left that could be left out. */
export function leaveOutMore(
  current: LeftOutReferences | null,
  suggested: LeftOutReferences,
): LeftOutReferences | null {
  if (current === null) return suggested;
  return current === 'same-day' ? 'all' : null;
}
