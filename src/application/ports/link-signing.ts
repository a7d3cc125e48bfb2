/** Signs the links by which documents are viewed without a key. Every process with the same sealing keys has the same. */
export type LinkSigning = {
  readonly sign: (text: string) => string;
  /** Whether it is a signature of the text, also by a former sealing key; takes the same time whatever the signature. */
  readonly isSignatureOf: (text: string, signature: string) => boolean;
};
