import { hash } from 'node:crypto';
import type { Reading } from '../../../application/ports/document-reader.ts';
import type { InvoiceContent } from '../../../domain/documents/invoice-content.ts';
import type { DocumentKind } from '../../../domain/documents/invoice-facts.ts';
import { isRefusedForContent } from '../judging/content-checks.ts';
import { documentFacts } from '../judging/document-facts.ts';
import { embeddedPdf } from '../judging/embedded-pdf.ts';
import { WARM_UP_INVOICE, WARM_UP_TIMES } from '../warm-up-invoice.ts';
import { DocumentScanner } from './document-scanner.ts';
import type { ScannedTree } from './scanned-tree.ts';
import { createScannerTables } from './scanner-tables.ts';

export type AcceptedReading = Extract<Reading, { outcome: 'document' }>;

/** Reads documents that are certainly valid; null for one that the parser must read. */
export type DocumentScan = {
  /** Of a submission that is certainly accepted. */
  readonly read: (bytes: Uint8Array<ArrayBuffer>) => AcceptedReading | null;
  /** Of a stored document. */
  readonly content: (bytes: Uint8Array) => Promise<InvoiceContent | null>;
};

type ContentOfTree = (tree: ScannedTree, kind: DocumentKind) => InvoiceContent;

/** With the first document: who delivers none does without it. While it cannot be loaded, as without a free descriptor, the parser reads. */
async function loadInvoiceContent(): Promise<ContentOfTree | null> {
  const loaded = await import('../content/invoice-content.ts').catch(() => null);
  return loaded?.invoiceContent ?? null;
}

/** Made from our schemas, and warm. */
export function createDocumentScan(schemaFiles: Readonly<Record<string, Uint8Array>>): DocumentScan {
  const scanner = new DocumentScanner(createScannerTables(schemaFiles));
  const scan = (bytes: Uint8Array) => scanner.scan(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  const read: DocumentScan['read'] = (bytes) => {
    const tree = scan(bytes);
    return tree === null ? null : readingOf(tree, bytes);
  };
  const invoice = new TextEncoder().encode(WARM_UP_INVOICE);
  for (let count = 0; count < WARM_UP_TIMES; count += 1) {
    if (read(invoice) === null) throw new Error('The scanner cannot read an invoice');
  }
  let invoiceContent: ContentOfTree | null = null;
  return {
    read,
    async content(bytes) {
      invoiceContent ??= await loadInvoiceContent();
      if (invoiceContent === null) return null;
      const tree = scan(bytes);
      return tree === null ? null : invoiceContent(tree, tree.kind);
    },
  };
}

function readingOf(tree: ScannedTree, bytes: Uint8Array<ArrayBuffer>): AcceptedReading | null {
  const facts = documentFacts(tree, tree.kind);
  if (isRefusedForContent(tree, facts)) return null;
  const pdf = embeddedPdf(tree);
  return { outcome: 'document', file: withHash(bytes), facts, pdf: pdf === null ? null : withHash(pdf) };
}

function withHash(bytes: Uint8Array<ArrayBuffer>): AcceptedReading['file'] {
  return { bytes, sha256: hash('sha256', bytes, 'buffer') };
}
