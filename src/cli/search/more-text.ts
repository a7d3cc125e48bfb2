import type { DocUid } from '../../domain/documents/doc-uid.ts';

/** How to see what a list has no place for. */
export function moreText(next: DocUid | null): readonly string[] {
  return next === null ? [] : [`There are more: --older-than ${next}`];
}
