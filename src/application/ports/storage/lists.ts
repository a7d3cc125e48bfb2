import type { DocUid } from '../../../domain/documents/doc-uid.ts';
import type { StoredFile } from '../stored-file.ts';

export type DateRange = { readonly from: number | null; readonly to: number | null };

export type Listed<Item> = { readonly items: readonly Item[]; readonly totalCount: number };

/** A stored document with the time of its identifier. */
export type StoredDocument = { readonly docUid: DocUid; readonly at: number };

export type StoredRepresentation = StoredFile & { readonly documentNumber: string | null };
