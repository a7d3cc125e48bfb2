import { hash } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import type { Reading, SerialisedContent } from '../../application/ports/document-reader.ts';
import type { StoredFile } from '../../application/ports/stored-file.ts';
import type { InvoiceContent } from '../../domain/documents/invoice-content.ts';
import type { InvoiceFacts } from '../../domain/documents/invoice-facts.ts';
import { serialise } from '../threads/serialised-content.ts';
import { READY } from '../threads/thread-pool.ts';
import { lowerPriority } from '../threads/thread-priority.ts';
import type { Judgement } from './judging/judge-document.ts';

/** What a thread is asked: to judge a submission, to say what a document is, or all that it says. */
export type ReadingTask = { readonly act: 'read' | 'recognise' | 'content'; readonly bytes: Uint8Array<ArrayBuffer> };
export type ReadingAnswer = Reading | InvoiceFacts | SerialisedContent | null;

lowerPriority();

await prepare();

/** Compiles the schemas, warms up, and answers from then on. */
async function prepare(): Promise<void> {
  // V8 brings the whole process down when a thread is ended while modules run that waited for an asynchronous one. The
  // parser is the only such module: imported first and alone, it leaves nothing to run in that state.
  await import('libxml2-wasm/lib/libxml2.mjs');
  const { judgeDocument, recogniseDocument } = await import('./judging/judge-document.ts');
  const { contentOf } = await import('./content/invoice-content.ts');
  const { compileUblSchemas } = await import('./judging/schema-files.ts');
  const { warmUp } = await import('./warm-up.ts');
  const schemas = compileUblSchemas();
  warmUp(schemas);
  // No document should ever make this throw. After a failure inside WebAssembly, such as running out of memory, its
  // instance cannot be trusted any more: the error ends the thread, and the pool starts another one.
  parentPort?.on('message', ({ act, bytes }: ReadingTask) => {
    if (act === 'read') answer(withFiles(bytes, judgeDocument(bytes, schemas)));
    else if (act === 'content') answerFolded(contentOf(bytes));
    else parentPort?.postMessage(recogniseDocument(bytes));
  });
  parentPort?.postMessage(READY);
}

/** The files of an answer move to the asking thread without a copy. */
function answer(reading: Reading): void {
  const files = reading.outcome === 'refused' ? [] : [reading.file, reading.pdf].filter((file) => file !== null);
  parentPort?.postMessage(
    reading,
    files.map(({ bytes }) => bytes.buffer as ArrayBuffer),
  );
}

function answerFolded(content: InvoiceContent): void {
  const serialised = serialise(content);
  parentPort?.postMessage(serialised, typeof serialised === 'string' ? [] : [serialised.buffer]);
}

function withFiles(bytes: Uint8Array<ArrayBuffer>, judgement: Judgement): Reading {
  if (judgement.outcome === 'refused') return judgement;
  const { facts, pdf } = judgement;
  return { outcome: 'document', file: stored(bytes), facts, pdf: pdf === null ? null : stored(pdf) };
}

function stored(bytes: Uint8Array<ArrayBuffer>): StoredFile {
  // Copied out of the hash's pooled memory, which cannot be handed over.
  return { bytes, sha256: new Uint8Array(hash('sha256', bytes, 'buffer')) };
}
