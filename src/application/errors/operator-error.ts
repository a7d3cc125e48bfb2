/** Errors that an option of the command line can resolve: the command line knows which one. */
export type OperatorErrorCode =
  | 'archive-limit-in-future'
  | 'archive-not-served'
  | 'archive-too-young'
  | 'backup-damaged'
  | 'database-exists'
  | 'key-expired'
  | 'no-archive-folder'
  | 'no-target-database';

/** Something that the operator asked for and that cannot be done; the message says why. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
  readonly kind: 'not-found' | 'refused';
  readonly code: OperatorErrorCode | null;

  constructor(kind: 'not-found' | 'refused', message: string, code: OperatorErrorCode | null = null) {
    super(message);
    this.kind = kind;
    this.code = code;
  }
}
