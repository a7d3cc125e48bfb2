import { isDeepStrictEqual } from 'node:util';
import type { DocumentReader, Reading } from '../../application/ports/document-reader.ts';
import type { Edb } from '../../domain/accounts/edb.ts';
import type { AcceptedReading, ScanReading } from './scanner/scan-reading.ts';

/** Larger documents would hold up the caller's thread; this takes less than a millisecond. */
const MOST_BYTES = 65_536;
export type ScanFirstOptions = {
  readonly scan: ScanReading;
  /** Whether the next document that the scanner takes is judged by the parser as well. */
  readonly isCompared: () => boolean;
  readonly onRead: (way: 'scanner' | 'parser') => void;
  /** What the parser says of a document that the scanner has taken. From then on the scanner is not asked any more. */
  readonly onDisagreement: (sha256: string, parser: string) => void;
};

/**
 * A reader that looks at small documents with the scanner first, on the caller's thread. The parser judges all that the scanner is
 * not certain about, and now and then one that it is: should they ever disagree, the parser is right.
 */
export function scanFirst(reader: DocumentReader, options: ScanFirstOptions): DocumentReader {
  const { scan, isCompared, onRead, onDisagreement } = options;
  let isTrusted = true;

  async function compare(tenant: Edb, scanned: AcceptedReading): Promise<Reading> {
    const judged = await reader.read(tenant, new Uint8Array(scanned.file.bytes));
    if (!isSame(scanned, judged)) {
      isTrusted = false;
      onDisagreement(Buffer.from(scanned.file.sha256).toString('hex'), saidOf(judged));
    }
    return judged;
  }

  return {
    ...reader,
    async read(tenant, bytes) {
      const scanned = isTrusted && bytes.length <= MOST_BYTES ? scan(bytes) : null;
      onRead(scanned === null ? 'parser' : 'scanner');
      if (scanned === null) return reader.read(tenant, bytes);
      return isCompared() ? compare(tenant, scanned) : scanned;
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

function saidOf(judged: Reading): string {
  return judged.outcome === 'refused' ? `${judged.code}: ${judged.detail}` : 'it reads other facts';
}
