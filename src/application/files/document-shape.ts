import type { Edb } from '../../domain/accounts/edb.ts';
import type { DocUid } from '../../domain/documents/doc-uid.ts';
import type { ReadArchivedFile } from '../maintenance/read-archived-file.ts';
import type { AuthorityDocuments } from '../ports/inbound/authority-documents.ts';
import type { InboundStore } from '../ports/storage/inbound-store.ts';
import type { StoredFile } from '../ports/stored-file.ts';
import type { HeldFiles } from './held-files.ts';

/** What a file of a document is, with the version of its form. */
export const DOCUMENT_SHAPES = {
  ubl: 'ubl-2.1',
  authority: 'ujp-document-v1',
  pdf: 'pdf',
  container: 'asic',
  unknown: 'unknown',
} as const;

export type DocumentShape = (typeof DOCUMENT_SHAPES)[keyof typeof DOCUMENT_SHAPES];

type Needs = {
  readonly inbound: Pick<InboundStore, 'file'>;
  readonly archived: ReadArchivedFile;
  readonly documents: Pick<AuthorityDocuments, 'isDocument'>;
  readonly held: HeldFiles;
};

export type ShapeOfFile = {
  readonly outbound: (format: string, file: StoredFile) => DocumentShape;
  readonly inbound: (tenant: Edb, docUid: DocUid, format: string, file: StoredFile) => Promise<DocumentShape>;
};

/** The first bytes of every ZIP file that holds something; an ASiC container is one. */
const ZIP_START = 'PK\u0003\u0004';
const PDF_START = '%PDF-';
/** Where readers of PDF look for it. */
const PDF_START_WITHIN = 1_024;
const LATIN1 = new TextDecoder('latin1');

/** Finds out what a file is: by the representation that it is, and of an original by its bytes. */
export function shapeOfFile({ inbound, archived, documents, held }: Needs): ShapeOfFile {
  return {
    outbound(format, file) {
      if (format === 'ubl') return DOCUMENT_SHAPES.ubl;
      if (format === 'pdf') return DOCUMENT_SHAPES.pdf;
      return beginning(file.bytes, ZIP_START.length) === ZIP_START
        ? DOCUMENT_SHAPES.container
        : DOCUMENT_SHAPES.unknown;
    },
    async inbound(tenant, docUid, format, file) {
      if (format === 'ubl') return DOCUMENT_SHAPES.ubl;
      if (format === 'pdf' || isPdf(file.bytes)) return DOCUMENT_SHAPES.pdf;
      const { bytes } = file;
      const isDocument = await held.during(tenant, bytes.length, () => documents.isDocument(tenant, bytes));
      if (isDocument) return DOCUMENT_SHAPES.authority;
      const ubl = (await inbound.file(tenant, docUid, 'ubl')) ?? (await archived(tenant, 'inbound', docUid, 'ubl'));
      return ubl === null ? DOCUMENT_SHAPES.unknown : DOCUMENT_SHAPES.ubl;
    },
  };
}

export function isPdf(bytes: Uint8Array): boolean {
  return beginning(bytes, PDF_START_WITHIN).includes(PDF_START);
}

function beginning(bytes: Uint8Array, length: number): string {
  return LATIN1.decode(bytes.subarray(0, length));
}
