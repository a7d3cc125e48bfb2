import { createHash } from 'node:crypto';
import { move, transferableSymbol, valueSymbol } from 'piscina';
import type { Reading, StoredFile } from '../../application/document-reader.ts';
import type { Judgement } from './judge-document.ts';

/** What a thread is asked: to judge a submission, or to say what a document is. */
export type ReadingTask = { readonly act: 'read' | 'recognise'; readonly bytes: Uint8Array<ArrayBuffer> };

/** The work of one thread, once it has compiled the schemas and warmed up. */
export const readOnThread = prepare();

async function prepare(): Promise<(task: ReadingTask) => unknown> {
  // V8 brings the whole process down when a thread is ended while modules run that waited for an asynchronous one. The parser is
  // the only such module: imported first and alone, it leaves nothing to run in that state.
  await import('libxml2-wasm/lib/libxml2.mjs');
  const { judgeDocument, recogniseDocument } = await import('./judge-document.ts');
  const { compileUblSchemas } = await import('./schema-files.ts');
  const { warmUp } = await import('./warm-up.ts');
  const schemas = compileUblSchemas();
  warmUp(schemas);
  return ({ act, bytes }) => {
    try {
      return act === 'read' ? moved(withFiles(bytes, judgeDocument(bytes, schemas))) : recogniseDocument(bytes);
    } catch (error) {
      return abandonThread(error);
    }
  };
}

function withFiles(bytes: Uint8Array<ArrayBuffer>, judgement: Judgement): Reading {
  if (judgement.outcome === 'refused') return judgement;
  const { facts, pdf } = judgement;
  return { outcome: 'document', file: stored(bytes), facts, pdf: pdf === null ? null : stored(pdf) };
}

function stored(bytes: Uint8Array<ArrayBuffer>): StoredFile {
  return { bytes, sha256: new Uint8Array(createHash('sha256').update(bytes).digest()) };
}

/** The files of an answer move to the asking thread without a copy. */
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
