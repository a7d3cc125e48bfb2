import { hash } from 'node:crypto';
import type { Reading } from '../../../application/ports/document-reader.ts';
import { isRefusedForContent } from '../judging/content-checks.ts';
import { documentFacts } from '../judging/document-facts.ts';
import { embeddedPdf } from '../judging/embedded-pdf.ts';
import { WARM_UP_INVOICE, WARM_UP_TIMES } from '../warm-up-invoice.ts';
import { DocumentScanner } from './document-scanner.ts';
import { createScannerTables } from './scanner-tables.ts';

export type AcceptedReading = Extract<Reading, { outcome: 'document' }>;

/** Reads a document that is certainly accepted; null where the parser must judge it. */
export type ScanReading = (bytes: Uint8Array<ArrayBuffer>) => AcceptedReading | null;

/** Made from our schemas, and warm. */
export function createScanReading(schemaFiles: Readonly<Record<string, Uint8Array>>): ScanReading {
  const scan = scanWith(new DocumentScanner(createScannerTables(schemaFiles)));
  const invoice = new TextEncoder().encode(WARM_UP_INVOICE);
  for (let count = 0; count < WARM_UP_TIMES; count += 1) {
    if (scan(invoice) === null) throw new Error('The scanner cannot read an invoice');
  }
  return scan;
}

function scanWith(scanner: DocumentScanner): ScanReading {
  return (bytes) => {
    const tree = scanner.scan(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
    if (tree === null) return null;
    const facts = documentFacts(tree, tree.kind);
    if (isRefusedForContent(tree, facts)) return null;
    const pdf = embeddedPdf(tree);
    return { outcome: 'document', file: withHash(bytes), facts, pdf: pdf === null ? null : withHash(pdf) };
  };
}

function withHash(bytes: Uint8Array<ArrayBuffer>): AcceptedReading['file'] {
  return { bytes, sha256: hash('sha256', bytes, 'buffer') };
}
