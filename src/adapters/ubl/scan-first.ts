import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { DocumentReader, Reading } from '../../application/ports/document-reader.ts';
import type { Edb } from '../../domain/accounts/edb.ts';
import type { InvoiceContent } from '../../domain/documents/invoice-content.ts';
import { contentGiven } from '../threads/serialised-content.ts';
import type { AcceptedReading, DocumentScan } from './scanner/scan-reading.ts';

/** Larger documents would hold up the caller's thread; this takes half a millisecond to judge, and two to four to read the whole content. */
const MOST_BYTES = 65_536;
export type ScanFirstOptions = {
  readonly scan: DocumentScan;
  /** Whether the next document that the scanner takes is read by the parser as well. */
  readonly isCompared: () => boolean;
  /** By what a submission was judged. */
  readonly onRead: (way: 'scanner' | 'parser') => void;
  /** What the parser says of a document that the scanner has taken. From then on the scanner is not asked any more. */
  readonly onDisagreement: (sha256: string, parser: string) => void;
};

/**
 * A reader that looks at small documents with the scanner first, on the caller's thread, when they are submitted and when their content is
 * needed. The parser reads all that the scanner is not certain about, and now and then one that it is: should they ever disagree, the
 * parser is right.
 */
export function scanFirst(reader: DocumentReader, options: ScanFirstOptions): DocumentReader {
  const { scan, isCompared, onRead, onDisagreement } = options;
  let isTrusted = true;
  const mayScan = ({ length }: Uint8Array) => isTrusted && length <= MOST_BYTES;

  function disagree(sha256: Uint8Array, parser: string): void {
    isTrusted = false;
    onDisagreement(Buffer.from(sha256).toString('hex'), parser);
  }

  async function compareReading(tenant: Edb, scanned: AcceptedReading): Promise<Reading> {
    const judged = await reader.read(tenant, new Uint8Array(scanned.file.bytes));
    if (!isSame(scanned, judged)) disagree(scanned.file.sha256, saidOf(judged));
    return judged;
  }

  async function compareContent(tenant: Edb, bytes: Uint8Array, scanned: InvoiceContent): Promise<InvoiceContent> {
    const sha256 = hash('sha256', bytes, 'buffer');
    try {
      const parsed = contentGiven(await reader.content(tenant, bytes));
      if (!isDeepStrictEqual(scanned, parsed)) disagree(sha256, 'it reads another content');
      return parsed;
    } catch (error) {
      // Where it was its thread that failed, this is said once too often: better than to send what the parser cannot read.
      disagree(sha256, `it cannot read the content: ${reasonOf(error)}`);
      throw error;
    }
  }

  return {
    ...reader,
    async read(tenant, bytes) {
      const scanned = mayScan(bytes) ? scan.read(bytes) : null;
      onRead(scanned === null ? 'parser' : 'scanner');
      if (scanned === null) return reader.read(tenant, bytes);
      return isCompared() ? compareReading(tenant, scanned) : scanned;
    },
    async content(tenant, bytes) {
      const scanned = mayScan(bytes) ? await scan.content(bytes) : null;
      if (scanned === null) return reader.content(tenant, bytes);
      return isCompared() ? compareContent(tenant, bytes, scanned) : scanned;
    },
  };
}

function isSame(scanned: AcceptedReading, judged: Reading): boolean {
  if (judged.outcome === 'refused') return false;
  return isDeepStrictEqual(scanned.facts, judged.facts) && isDeepStrictEqual(hashOf(scanned), hashOf(judged));
}

/** In the same kind of array, whichever thread it comes from. */
function hashOf({ pdf }: AcceptedReading): Uint8Array | null {
  return pdf === null ? null : new Uint8Array(pdf.sha256);
}

function reasonOf(error: unknown): string {
  const { cause = error } = error instanceof Error ? error : {};
  return cause instanceof Error ? cause.message : String(cause);
}

function saidOf(judged: Reading): string {
  return judged.outcome === 'refused' ? `${judged.code}: ${judged.detail}` : 'it reads other facts';
}
