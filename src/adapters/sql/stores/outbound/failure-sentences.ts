import type { MoveRecord } from '../../../../application/ports/storage/outbound-store.ts';
import type { Sentence } from '../../../../domain/messages/message.ts';

/** The English text says which failure message the sentences belong to. */
type StoredSentences = { readonly text: string; readonly sentences: readonly Sentence[] };

export function writeSentences({ failureMessage, failureSentences }: MoveRecord): string | null {
  if (failureMessage === null || failureSentences === undefined) return null;
  return JSON.stringify({ text: failureMessage, sentences: failureSentences } satisfies StoredSentences);
}

/**
 * The sentences of a failure message. A process of the version before replaces the message and leaves the sentences: then they
 * are those of an earlier failure, and do not count.
 */
export function readSentences(failureMessage: string | null, stored: string | null): readonly Sentence[] | null {
  if (failureMessage === null || stored === null) return null;
  const { text, sentences } = JSON.parse(stored) as StoredSentences;
  return text === failureMessage ? sentences : null;
}
