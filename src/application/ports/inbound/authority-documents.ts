import type { Edb } from '../../../domain/accounts/edb.ts';
import type { Message } from '../../../domain/messages/message.ts';
import type { StoredFile } from '../stored-file.ts';

export type DocumentSchema = StoredFile;

/** The JSON Schemas of the authority's document, by the last part of their addresses. */
export type DocumentSchemas = ReadonlyMap<string, DocumentSchema>;

export type UblConversion =
  | {
      readonly outcome: 'converted';
      readonly bytes: Uint8Array<ArrayBuffer>;
      /** How many values and characters are in the original alone; a comment in the document says which. */
      readonly leftOut: number;
    }
  | { readonly outcome: 'refused'; readonly reason: Message };

/** Reads documents in the authority's own form. No document can block the caller's thread: large ones are read on another. */
export type AuthorityDocuments = {
  /** Whether a file is the authority's document as its schema has it. */
  readonly isDocument: (tenant: Edb, bytes: Uint8Array) => Promise<boolean>;
  readonly toUbl: (tenant: Edb, bytes: Uint8Array) => Promise<UblConversion>;
};
