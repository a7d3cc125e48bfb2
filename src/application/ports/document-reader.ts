import type { InvoiceFacts } from '../../domain/documents/invoice-facts.ts';
import type { StoredFile } from './stored-file.ts';

/** The catalogue codes by which the content of a submitted document can be refused. */
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
      /** The very bytes that were given, with their hash. */
      readonly file: StoredFile;
      readonly facts: InvoiceFacts;
      readonly pdf: StoredFile | null;
    };

/**
 * An `InvoiceContent` as JSON: the text of a small one, the bytes of a large one, so that ten thousand lines can change hands
 * from thread to thread without being copied or content in between.
 */
export type SerialisedContent = string | LargeContent;

export type LargeContent = Uint8Array<ArrayBuffer>;

/** Reads documents. Nothing in a document makes it read a file, open a connection or stall the caller's thread. */
export type DocumentReader = {
  /**
   * Judges a submission, in the order: well-formed, one document, a UBL Invoice or CreditNote, no tenant-identifying
   * field, recipient, its tax number, document type, amount, the whole schema.
   * The buffer given belongs to the reader from the call on: use the bytes of the answer.
   */
  readonly read: (bytes: Uint8Array<ArrayBuffer>) => Promise<Reading>;
  /** The facts of a well-formed UBL Invoice or CreditNote without judging it; null for anything else. Leaves the buffer alone. */
  readonly recognise: (bytes: Uint8Array) => Promise<InvoiceFacts | null>;
  /**
   * Everything that a stored document says. It was judged when it came in; what is none by now is a fault. Leaves the buffer
   * alone.
   */
  readonly content: (bytes: Uint8Array) => Promise<SerialisedContent>;
  readonly close: () => Promise<void>;
};
