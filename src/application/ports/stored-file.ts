export type StoredFile = {
  readonly bytes: Uint8Array;
  /** SHA-256, 32 bytes. */
  readonly sha256: Uint8Array;
};

/** A file to store with a document; `bytes` is null when it was stored ahead. */
export type FileToStore = StoredFile | { readonly bytes: null; readonly sha256: Uint8Array };
