import type { Message } from '../../domain/messages/message.ts';
import { inEnglish } from '../../domain/messages/render.ts';

/** Errors that an option of the command line can resolve: the command line knows which one. */
export type OperatorErrorCode =
  | 'archive-elsewhere'
  | 'archive-limit-in-future'
  | 'archive-not-served'
  | 'archive-too-young'
  | 'backup-damaged'
  | 'database-exists'
  | 'key-expired'
  | 'no-archive-folder'
  | 'no-target-database';

/**
 * Something that the operator asked for and that cannot be done; the message says why. What the console can be asked for says so in the
 * language of its page.
 */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
  readonly kind: 'not-found' | 'refused';
  readonly code: OperatorErrorCode | null;
  /** The same in no language yet; null where only the command line says it. */
  readonly says: Message | null;

  constructor(kind: 'not-found' | 'refused', says: string | Message, code: OperatorErrorCode | null = null) {
    super(typeof says === 'string' ? says : inEnglish(says));
    this.says = typeof says === 'string' ? null : says;
    this.kind = kind;
    this.code = code;
  }
}

/** Others use the table of files for so long that nothing could be removed from it. */
export class ContentInUse extends OperatorError {}
