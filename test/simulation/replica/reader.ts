import { compileUblSchemas } from '../../../src/adapters/ubl/judging/compile-schemas.ts';
import { answerReadingTask, type ReadingTask } from '../../../src/adapters/ubl/reading-task.ts';
import type {
  DocumentInspection,
  DocumentReader,
  Reading,
  SerialisedContent,
  ShownDocument,
} from '../../../src/application/ports/document-reader.ts';
import type { InvoiceFacts } from '../../../src/domain/documents/invoice-facts.ts';

/** Reads documents on this thread, with the code that otherwise runs on others. */
export function createReaderInPlace(): DocumentReader {
  const schemas = compileUblSchemas();
  const answer = (act: ReadingTask['act'], bytes: Uint8Array, more: Pick<ReadingTask, 'paths' | 'address'> = {}) =>
    answerReadingTask({ act, bytes: new Uint8Array(bytes), ...more }, schemas);
  return {
    read: async (_tenant, bytes) => answer('read', bytes) as Reading,
    inspect: async (_tenant, bytes) => answer('inspect', bytes) as DocumentInspection,
    linesOf: async (_tenant, bytes, paths) => answer('lines', bytes, { paths }) as readonly (number | null)[],
    recognise: async (_tenant, bytes) => answer('recognise', bytes) as InvoiceFacts | null,
    content: async (_tenant, bytes) => answer('content', bytes) as SerialisedContent,
    view: async (_tenant, bytes, address) => answer('view', bytes, { address }) as ShownDocument,
    close: async () => undefined,
  };
}
