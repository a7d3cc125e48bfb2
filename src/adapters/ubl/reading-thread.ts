import { hash } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import type { FoldedContent, Reading, StoredFile } from '../../application/document-reader.ts';
import type { InvoiceContent } from '../../domain/invoice-content.ts';
import type { InvoiceFacts } from '../../domain/invoice-facts.ts';
import { fold } from '../threads/folded-content.ts';
import { giveWay } from '../threads/give-way.ts';
import { READY } from '../threads/thread-pool.ts';
import type { Judgement } from './judge-document.ts';

/** What a thread is asked: to judge a submission, to say what a document is, or all that it says. */
export type ReadingTask = { readonly act: 'read' | 'recognise' | 'content'; readonly bytes: Uint8Array<ArrayBuffer> };
export type ReadingAnswer = Reading | InvoiceFacts | FoldedContent | null;

giveWay();

await prepare();

/** Compiles the schemas, warms up, and answers from then on. */
async function prepare(): Promise<void> {
  // V8 brings the whole process down when a thread is ended while modules run that waited for an asynchronous one. The
  // parser is the only such module: imported first and alone, it leaves nothing to run in that state.
  await import('libxml2-wasm/lib/libxml2.mjs');
  const { judgeDocument, recogniseDocument } = await import('./judge-document.ts');
  const { contentOf } = await import('./invoice-content.ts');
  const { compileUblSchemas } = await import('./schema-files.ts');
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
  const folded = fold(content);
  parentPort?.postMessage(folded, typeof folded === 'string' ? [] : [folded.buffer]);
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
