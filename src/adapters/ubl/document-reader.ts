import { availableParallelism } from 'node:os';
import type { DocumentReader, Reading, SerialisedContent } from '../../application/ports/document-reader.ts';
import type { InvoiceFacts } from '../../domain/documents/invoice-facts.ts';
import { createThreadPool, TaskTimeout } from '../threads/thread-pool.ts';
import { transferable } from '../threads/transferable.ts';
import type { ReadingAnswer, ReadingTask } from './reading-thread.ts';

export type DocumentReaderOptions = {
  /** Threads that read; as many as the machine runs at once by default. */
  readonly threads?: number;
  /** How long one reading may take before it is given up. The worst document of 10 MiB takes about two seconds of a thread. */
  readonly timeoutMs?: number;
};

const DEFAULT_TIMEOUT_MS = 30_000;

/** Up to this size a copy costs less than changing hands, and lets the document wait at a thread for its turn. */
const SMALL_BYTES = 65_536;

/** Reads documents on threads of their own, each with its own parser and compiled schemas, warmed up as they start. */
export function createDocumentReader(options: DocumentReaderOptions = {}): DocumentReader {
  const pool = createThreadPool<ReadingTask, ReadingAnswer>({
    module: new URL('./reading-thread.ts', import.meta.url),
    threads: Math.max(1, options.threads ?? availableParallelism()),
    timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
  });

  async function run(act: ReadingTask['act'], bytes: Uint8Array<ArrayBuffer>): Promise<ReadingAnswer> {
    const { length } = bytes;
    try {
      return await pool.run({ act, bytes }, length <= SMALL_BYTES ? [] : [bytes.buffer]);
    } catch (error) {
      const reason = error instanceof TaskTimeout ? error.message : 'failed';
      throw new Error(`Reading a document of ${length} bytes ${reason}`, { cause: error });
    }
  }

  return {
    read: async (bytes) => (await run('read', transferable(bytes))) as Reading,
    recognise: async (bytes) => (await run('recognise', new Uint8Array(bytes))) as InvoiceFacts | null,
    content: async (bytes) => (await run('content', new Uint8Array(bytes))) as SerialisedContent,
    close: pool.close,
  };
}
