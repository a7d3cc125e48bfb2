/** Something the operator asked for that cannot be done, in a sentence that says why. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
  readonly kind: 'not-found' | 'refused';

  constructor(kind: 'not-found' | 'refused', message: string) {
    super(message);
    this.kind = kind;
  }
}
