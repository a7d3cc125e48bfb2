import type { Edb } from '../../domain/accounts/edb.ts';
import type { InvoiceContent } from '../../domain/documents/invoice-content.ts';
import type { InvoiceFacts } from '../../domain/documents/invoice-facts.ts';
import type { Finding } from '../../domain/messages/detail.ts';
import type { Message } from '../../domain/messages/message.ts';
import type { QrCode } from '../../domain/qr-code/qr-code.ts';
import type { DocumentView } from '../../domain/views/document-view.ts';
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

/** What was found, and the same as a text in English. */
export type RefusedDocument = {
  readonly outcome: 'refused';
  readonly code: ContentCode;
  readonly findings: readonly Finding[];
  readonly detail: string;
};

export type Reading =
  | RefusedDocument
  | {
      readonly outcome: 'document';
      /** The given bytes, unchanged, with their hash. */
      readonly file: StoredFile;
      readonly facts: InvoiceFacts;
      readonly pdf: StoredFile | null;
    };

/** One thing that is wrong in a document, and where. */
export type DocumentFinding = { readonly line: number | null; readonly path: string | null; readonly said: Message };

/** All that a submission of a document would be refused for, in the order of the checks. */
export type DocumentInspection = {
  readonly refusals: readonly { readonly code: ContentCode; readonly findings: readonly DocumentFinding[] }[];
  /** Null where it is no UBL Invoice or CreditNote. */
  readonly facts: InvoiceFacts | null;
  /** Null where it would be refused. */
  readonly content: SerialisedContent | null;
};

/**
 * An `InvoiceContent` as JSON: a string when it is small, bytes when it is large. Bytes move from thread to thread without
 * being copied, and the thread in between does not parse them.
 */
export type SerialisedContent = string | LargeContent;

export type LargeContent = Uint8Array<ArrayBuffer>;

/** A content: as it is where it was read on the caller's thread, serialised where it comes from another one. */
export type DocumentContent = InvoiceContent | SerialisedContent;

/** What a person is shown: the document, and the QR code of an address. Null where there is nothing to show, or no address. */
export type ShownDocument = { readonly view: DocumentView | null; readonly code: QrCode | null };

/** Reads documents, on other threads, where tenants take turns. No document can make it read a file, open a connection or block the caller's thread. */
export type DocumentReader = {
  /**
   * Checks a submitted document, in this order: well-formed, one document, a UBL Invoice or CreditNote, no tenant-identifying
   * field, recipient, its tax number, document type, amount, the whole schema.
   * Takes the buffer over: use the bytes of the result afterwards.
   */
  readonly read: (tenant: Edb, bytes: Uint8Array<ArrayBuffer>) => Promise<Reading>;
  /** Checks a document as a submission is checked, but goes on after a check that fails. Does not take the buffer over. */
  readonly inspect: (tenant: Edb, bytes: Uint8Array) => Promise<DocumentInspection>;
  /**
   * The lines of elements of a document that would not be refused, by their paths; null where a path was cut, and beyond the number
   * that can be found at a bounded cost. Does not take the buffer over.
   */
  readonly linesOf: (tenant: Edb, bytes: Uint8Array, paths: readonly string[]) => Promise<readonly (number | null)[]>;
  /** The facts of a well-formed UBL Invoice or CreditNote, without further checks; null for anything else. Does not take the buffer over. */
  readonly recognise: (tenant: Edb, bytes: Uint8Array) => Promise<InvoiceFacts | null>;
  /** The whole content of a stored document. It was checked when it was submitted, so failing to read it is an error. Does not take the buffer over. */
  readonly content: (tenant: Edb, bytes: Uint8Array) => Promise<DocumentContent>;
  /**
   * What a person is shown of a stored file, whoever wrote it: a UBL document, or one in the authority's JSON form; null for any other. With
   * the QR code of an address, which takes some milliseconds too. Its size is bounded, whatever that of the file. Does not take the buffer over.
   */
  readonly view: (tenant: Edb, bytes: Uint8Array, address: string | null) => Promise<ShownDocument>;
  readonly close: () => Promise<void>;
};
