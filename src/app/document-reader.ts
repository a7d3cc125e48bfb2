import { createDocumentReader, type ThreadedReader } from '../adapters/ubl/document-reader.ts';
import type { DocumentReader } from '../application/ports/document-reader.ts';
import type { Timers } from '../application/ports/platform.ts';

export function openReader(timers: Timers, threads: number): ThreadedReader {
  return createDocumentReader({ timers, threads });
}

/** A reader whose threads start with the first document: most commands read none. */
export function openReaderOnDemand(timers: Timers): DocumentReader {
  let opened: DocumentReader | null = null;
  function reader(): DocumentReader {
    opened ??= createDocumentReader({ timers });
    return opened;
  }
  return {
    read: (tenant, bytes) => reader().read(tenant, bytes),
    inspect: (tenant, bytes) => reader().inspect(tenant, bytes),
    linesOf: (tenant, bytes, paths) => reader().linesOf(tenant, bytes, paths),
    recognise: (tenant, bytes) => reader().recognise(tenant, bytes),
    content: (tenant, bytes) => reader().content(tenant, bytes),
    view: (tenant, bytes, address) => reader().view(tenant, bytes, address),
    close: async () => opened?.close(),
  };
}
