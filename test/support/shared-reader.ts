import { systemTimers } from '../../src/adapters/platform/timers.ts';
import { createDocumentReader, type ThreadedReader } from '../../src/adapters/ubl/document-reader.ts';

let reader: ThreadedReader | null = null;

/**
 * One for everything in a test process, since a thread takes nearly a second of processor time to start. It ends with the process,
 * which an idle thread does not keep. The tests of the reader itself have several threads.
 */
export function sharedReader(): ThreadedReader {
  reader ??= createDocumentReader({ timers: systemTimers, threads: 1 });
  return reader;
}
