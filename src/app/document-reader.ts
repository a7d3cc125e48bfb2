import type { Logger } from 'pino';
import type { ScannerMetrics } from '../adapters/platform/metrics/scanner-metrics.ts';
import { createDocumentReader, type ThreadedReader } from '../adapters/ubl/document-reader.ts';
import { readSchemaFiles } from '../adapters/ubl/judging/schema-files.ts';
import { scanFirst } from '../adapters/ubl/scan-first.ts';
import { createDocumentScan, type DocumentScan } from '../adapters/ubl/scanner/scan-reading.ts';
import type { DocumentReader } from '../application/ports/document-reader.ts';
import type { Random, Timers } from '../application/ports/platform.ts';

/** Its threads start when they are needed: most commands read no document, and the service itself judges the usual ones without a thread. */
export function openReader(timers: Timers, threads?: number): ThreadedReader {
  return createDocumentReader(threads === undefined ? { timers } : { timers, threads });
}

/** One in so many scanned documents is read by the parser as well. */
const COMPARED_ONE_IN = 1000;

type Report = { readonly log: Logger; readonly metrics: ScannerMetrics };

/** A reader that scans small documents before it gives them to the threads of another one. */
export function openScanFirst(reader: DocumentReader, random: Random, { log, metrics }: Report): DocumentReader {
  return scanFirst(reader, {
    scan: documentScan,
    isCompared: () => new DataView(random.bytes(4).slice().buffer).getUint32(0) % COMPARED_ONE_IN === 0,
    onRead: metrics.documentJudged,
    onDisagreement(sha256, parser) {
      metrics.scannerDisagreed();
      log.error({ sha256, parser }, 'scanner and parser disagree on a document; the parser alone is asked from now on');
    },
  });
}

let made: DocumentScan | null = null;

/**
 * Reads documents without a thread; null where one is none of the usual ones. The scanner is made with the first document, in some 80 ms. One
 * for the process: its tables never change, and a scan ends before the next one begins.
 */
export const documentScan: DocumentScan = {
  read: (bytes) => madeScan().read(bytes),
  content: (bytes) => madeScan().content(bytes),
};

function madeScan(): DocumentScan {
  made ??= createDocumentScan(readSchemaFiles());
  return made;
}
