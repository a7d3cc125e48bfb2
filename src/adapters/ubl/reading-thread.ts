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

/** One task: judge a submission, recognise a document, or read its whole content. */
export type ReadingTask = { readonly act: 'read' | 'recognise' | 'content'; readonly bytes: Uint8Array<ArrayBuffer> };
export type ReadingAnswer = Reading | InvoiceFacts | SerialisedContent | null;

await prepare();

// Only now: while it gets ready, the start of the service or the first client waits for it.
lowerPriority();

/** Compiles the schemas and warms up; tasks are answered from then on. */
async function prepare(): Promise<void> {
  // V8 crashes the whole process when a thread is terminated while it evaluates modules that waited for an asynchronous module.
  // The parser is the only asynchronous one: imported first and alone, it has no other module wait for it.
  await import('libxml2-wasm/lib/libxml2.mjs');
  const { judgeDocument, recogniseDocument } = await import('./judging/judge-document.ts');
  const { contentOf } = await import('./content/invoice-content.ts');
  const { compileUblSchemas } = await import('./judging/schema-files.ts');
  const { warmUp } = await import('./warm-up.ts');
  const schemas = compileUblSchemas();
  warmUp(schemas);
  // No document should make this throw. After an error inside WebAssembly, such as running out of memory, the instance may be
  // corrupt: the error is not caught, so it ends the thread, and the pool starts another one.
  parentPort?.on('message', ({ act, bytes }: ReadingTask) => {
    if (act === 'read') answer(withFiles(bytes, judgeDocument(bytes, schemas)));
    else if (act === 'content') answerContent(contentOf(bytes));
    else parentPort?.postMessage(recogniseDocument(bytes));
  });
  parentPort?.postMessage(READY);
}

/** Transfers the files of an answer instead of copying them. */
function answer(reading: Reading): void {
  const files = reading.outcome === 'refused' ? [] : [reading.file, reading.pdf].filter((file) => file !== null);
  parentPort?.postMessage(
    reading,
    files.map(({ bytes }) => bytes.buffer as ArrayBuffer),
  );
}

function answerContent(content: InvoiceContent): void {
  const serialised = serialise(content);
  parentPort?.postMessage(serialised, typeof serialised === 'string' ? [] : [serialised.buffer]);
}

function withFiles(bytes: Uint8Array<ArrayBuffer>, judgement: Judgement): Reading {
  if (judgement.outcome === 'refused') return judgement;
  const { facts, pdf } = judgement;
  return { outcome: 'document', file: stored(bytes), facts, pdf: pdf === null ? null : stored(pdf) };
}

function stored(bytes: Uint8Array<ArrayBuffer>): StoredFile {
  // Copied, because the hash lies in Node's buffer pool, which cannot be transferred.
  return { bytes, sha256: new Uint8Array(hash('sha256', bytes, 'buffer')) };
}
