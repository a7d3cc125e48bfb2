export type StoredFile = {
  readonly bytes: Uint8Array;
  /** SHA-256, 32 bytes. */
  readonly sha256: Uint8Array;
};

/** A file that a document is about to refer to; without bytes where they have been stored already. */
export type FileToKeep = StoredFile | { readonly bytes: null; readonly sha256: Uint8Array };
