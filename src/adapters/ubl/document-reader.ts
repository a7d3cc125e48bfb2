import { availableParallelism } from 'node:os';
import type {
  DocumentInspection,
  DocumentReader,
  Reading,
  SerialisedContent,
  ShownDocument,
} from '../../application/ports/document-reader.ts';
import type { Timers } from '../../application/ports/platform.ts';
import type { Edb } from '../../domain/accounts/edb.ts';
import type { InvoiceFacts } from '../../domain/documents/invoice-facts.ts';
import { counted } from '../../domain/messages/message.ts';
import { createThreadPool, TaskTimeout } from '../threads/thread-pool.ts';
import { transferable } from '../threads/transferable.ts';
import type { ReadingAnswer, ReadingTask } from './reading-task.ts';

export type DocumentReaderOptions = {
  readonly timers: Timers;
  /** Worker threads at most; by default as many as the machine runs in parallel. */
  readonly threads?: number;
  /** Processor time of one task. The slowest document of 10 MiB takes about two seconds. */
  readonly timeoutMs?: number;
};

const DEFAULT_TIMEOUT_MS = 30_000;

/** Up to this size a copy costs less than a transfer, and a task without transfer can wait in a worker behind another one. */
const SMALL_BYTES = 65_536;

/** Hears why no thread could be started, and null as soon as one is ready. */
export type HearThreads = (failure: unknown) => void;

/** A reader whose first thread starts with the first document. */
export type ThreadedReader = DocumentReader & {
  /** Returns a function that ends it. */
  readonly onThreads: (hear: HearThreads) => () => void;
};

/** Reads documents on worker threads, each with its own parser and compiled schemas. */
export function createDocumentReader(options: DocumentReaderOptions): ThreadedReader {
  const hearing = new Set<HearThreads>();
  const pool = createThreadPool<ReadingTask, ReadingAnswer>({
    module: new URL('./reading-thread.ts', import.meta.url),
    threads: Math.max(1, options.threads ?? availableParallelism()),
    timers: options.timers,
    timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    onStart(failure) {
      for (const hear of hearing) hear(failure);
    },
  });

  async function run(tenant: Edb, task: ReadingTask): Promise<ReadingAnswer> {
    const { bytes } = task;
    const { length } = bytes;
    try {
      return await pool.run(tenant, task, length <= SMALL_BYTES ? [] : [bytes.buffer]);
    } catch (error) {
      const reason = error instanceof TaskTimeout ? error.message : 'failed';
      throw new Error(`Reading a document of ${counted(length, 'byte')} ${reason}`, { cause: error });
    }
  }

  return {
    read: async (tenant, bytes) => (await run(tenant, { act: 'read', bytes: transferable(bytes) })) as Reading,
    inspect: async (tenant, bytes) => (await run(tenant, { act: 'inspect', bytes: copy(bytes) })) as DocumentInspection,
    linesOf: async (tenant, bytes, paths) =>
      (await run(tenant, { act: 'lines', bytes: copy(bytes), paths })) as readonly (number | null)[],
    recognise: async (tenant, bytes) =>
      (await run(tenant, { act: 'recognise', bytes: copy(bytes) })) as InvoiceFacts | null,
    content: async (tenant, bytes) => (await run(tenant, { act: 'content', bytes: copy(bytes) })) as SerialisedContent,
    view: async (tenant, bytes, address) =>
      (await run(tenant, { act: 'view', bytes: copy(bytes), address })) as ShownDocument,
    onThreads(hear) {
      hearing.add(hear);
      return () => void hearing.delete(hear);
    },
    close: pool.close,
  };
}

/** The buffer of the task moves to the thread; the caller keeps its own. */
function copy(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}
