/** Errors that an option of the command line can resolve: the command line knows which one. */
export type OperatorErrorCode = 'archive-limit-in-future' | 'database-exists' | 'key-expired' | 'no-target-database';

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
