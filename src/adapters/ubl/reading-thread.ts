import { createHash } from 'node:crypto';
import { move, transferableSymbol, valueSymbol } from 'piscina';
import type { Reading, StoredFile } from '../../application/document-reader.ts';
import type { InvoiceFacts } from '../../domain/invoice-facts.ts';
import { judgeDocument, recogniseDocument } from './judge-document.ts';
import { compileUblSchemas } from './schema-files.ts';
import { warmUp } from './warm-up.ts';

/** What a thread is asked: to judge a submission, or to say what a document is. */
export type ReadingTask = { readonly act: 'read' | 'recognise'; readonly bytes: Uint8Array<ArrayBuffer> };
export type ReadingAnswer = Reading | InvoiceFacts | null;

const schemas = compileUblSchemas();
warmUp(schemas);

/** The work of one thread; the buffers of the answer move to the asking thread without a copy. */
export function readOnThread({ act, bytes }: ReadingTask): unknown {
  try {
    return act === 'read' ? moved(read(bytes)) : recogniseDocument(bytes);
  } catch (error) {
    return abandonThread(error);
  }
}

function read(bytes: Uint8Array<ArrayBuffer>): Reading {
  const judgement = judgeDocument(bytes, schemas);
  if (judgement.outcome === 'refused') return judgement;
  const { facts, pdf } = judgement;
  return { outcome: 'document', file: stored(bytes), facts, pdf: pdf === null ? null : stored(pdf) };
}

function stored(bytes: Uint8Array<ArrayBuffer>): StoredFile {
  return { bytes, sha256: new Uint8Array(createHash('sha256').update(bytes).digest()) };
}

function moved(reading: Reading): unknown {
  const files = reading.outcome === 'refused' ? [] : [reading.file, reading.pdf].filter((file) => file !== null);
  return move({
    [transferableSymbol]: files.map(({ bytes }) => bytes.buffer),
    [valueSymbol]: reading,
  });
}

/**
 * No document should ever lead here. After a failure inside WebAssembly, such as running out of memory, its instance cannot be
 * trusted any more: the thread ends with the error, the pool reports it to the caller and starts another one.
 */
function abandonThread(error: unknown): Promise<never> {
  queueMicrotask(() => {
    throw error;
  });
  return new Promise(() => undefined);
}
