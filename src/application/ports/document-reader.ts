import type { Edb } from '../../domain/accounts/edb.ts';
import type { InvoiceFacts } from '../../domain/documents/invoice-facts.ts';
import type { StoredFile } from './stored-file.ts';

/** The problem codes that the content of a submitted document can cause. */
export type ContentCode =
  | 'ERR-1007'
  | 'ERR-2001'
  | 'ERR-2002'
  | 'ERR-2003'
  | 'ERR-2004'
  | 'ERR-2005'
  | 'ERR-2006'
  | 'ERR-2011';

export type Reading =
  | { readonly outcome: 'refused'; readonly code: ContentCode; readonly detail: string }
  | {
      readonly outcome: 'document';
      /** The given bytes, unchanged, with their hash. */
      readonly file: StoredFile;
      readonly facts: InvoiceFacts;
      readonly pdf: StoredFile | null;
    };

/**
 * An `InvoiceContent` as JSON: a string when it is small, bytes when it is large. Bytes move from thread to thread without
 * being copied, and the thread in between does not parse them.
 */
export type SerialisedContent = string | LargeContent;

export type LargeContent = Uint8Array<ArrayBuffer>;

/** Reads documents, on other threads, where tenants take turns. No document can make it read a file, open a connection or block the caller's thread. */
export type DocumentReader = {
  /**
   * Checks a submitted document, in this order: well-formed, one document, a UBL Invoice or CreditNote, no tenant-identifying
   * field, recipient, its tax number, document type, amount, the whole schema.
   * Takes the buffer over: use the bytes of the result afterwards.
   */
  readonly read: (tenant: Edb, bytes: Uint8Array<ArrayBuffer>) => Promise<Reading>;
  /** The facts of a well-formed UBL Invoice or CreditNote, without further checks; null for anything else. Does not take the buffer over. */
  readonly recognise: (tenant: Edb, bytes: Uint8Array) => Promise<InvoiceFacts | null>;
  /** The whole content of a stored document. It was checked when it was submitted, so failing to read it is an error. Does not take the buffer over. */
  readonly content: (tenant: Edb, bytes: Uint8Array) => Promise<SerialisedContent>;
  readonly close: () => Promise<void>;
};
