import type { DocUid } from '../../../domain/documents/doc-uid.ts';
import type { StoredFile } from '../stored-file.ts';

/** Both limits are inclusive; null means no limit. */
export type DateRange = { readonly from: number | null; readonly to: number | null };

/** One page of a list, and the number of all documents that match. */
export type Listed<Item> = { readonly items: readonly Item[]; readonly totalCount: number };

/** The identifier and time that a document was given when it was stored. */
export type StoredDocument = { readonly docUid: DocUid; readonly at: number };

export type StoredRepresentation = StoredFile & { readonly documentNumber: string | null };
