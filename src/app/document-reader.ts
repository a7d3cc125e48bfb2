import { createDocumentReader } from '../adapters/ubl/document-reader.ts';
import type { DocumentReader } from '../application/ports/document-reader.ts';

export function openReader(threads: number): DocumentReader {
  return createDocumentReader({ threads });
}

/** A reader whose threads start with the first document: most commands read none. */
export function openReaderOnDemand(): DocumentReader {
  let opened: DocumentReader | null = null;
  function reader(): DocumentReader {
    opened ??= createDocumentReader();
    return opened;
  }
  return {
    read: (bytes) => reader().read(bytes),
    recognise: (bytes) => reader().recognise(bytes),
    content: (bytes) => reader().content(bytes),
    close: async () => opened?.close(),
  };
}
