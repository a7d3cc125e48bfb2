import { availableParallelism } from 'node:os';
import { isMarkedAsUntransferable } from 'node:worker_threads';
import { FixedQueue, Piscina } from 'piscina';
import type { DocumentReader, Reading } from '../../application/document-reader.ts';
import type { InvoiceFacts } from '../../domain/invoice-facts.ts';
import type { ReadingTask } from './reading-thread.ts';

export type DocumentReaderOptions = {
  /** Threads that read; as many as the machine runs at once by default. */
  readonly threads?: number;
  /**
   * How long one reading may take, waiting for a thread included, before it is given up. The worst document of 10 MiB takes about
   * two seconds of a thread.
   */
  readonly timeoutMs?: number;
};

const DEFAULT_TIMEOUT_MS = 30_000;

/** Reads documents on threads of their own, each with its own parser and compiled schemas, warmed up as they start. */
export function createDocumentReader(options: DocumentReaderOptions = {}): DocumentReader {
  const threads = Math.max(1, options.threads ?? availableParallelism());
  const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const pool = new Piscina({
    filename: new URL('./reading-thread.ts', import.meta.url).href,
    name: 'readOnThread',
    minThreads: threads,
    maxThreads: threads,
    taskQueue: new FixedQueue(),
    stricterFIFO: true,
    recordTiming: false,
  });

  async function run<Answer>(act: ReadingTask['act'], bytes: Uint8Array<ArrayBuffer>): Promise<Answer> {
    const { length } = bytes;
    const abandon = new AbortController();
    const timer = setTimeout(() => abandon.abort(), timeoutMs);
    const task: ReadingTask = { act, bytes };
    try {
      return await pool.run(task, { transferList: [bytes.buffer], signal: abandon.signal });
    } catch (error) {
      const reason = abandon.signal.aborted ? `took longer than ${timeoutMs} ms` : 'failed';
      throw new Error(`Reading a document of ${length} bytes ${reason}`, { cause: error });
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    read: (bytes) => run<Reading>('read', movable(bytes)),
    recognise: (bytes) => run<InvoiceFacts | null>('recognise', new Uint8Array(bytes)),
    close: () => pool.close(),
  };
}

/** A small buffer is often a part of one that others share, which cannot leave this thread; such a part is copied. */
function movable(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const ownsBuffer = bytes.byteLength === bytes.buffer.byteLength && !isMarkedAsUntransferable(bytes.buffer);
  return ownsBuffer ? bytes : new Uint8Array(bytes);
}
