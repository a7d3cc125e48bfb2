/** What was left out or assumed when a document was converted, and what the authority may reject. */
export type ConversionWarning = {
  /** Stable, for programs. */
  readonly code: string;
  /** A sentence for people. */
  readonly text: string;
  /** The element of the document that it is about. */
  readonly path: string | null;
};
