import { hash } from 'node:crypto';
import type { Reading, SerialisedContent } from '../../application/ports/document-reader.ts';
import type { StoredFile } from '../../application/ports/stored-file.ts';
import type { InvoiceFacts } from '../../domain/documents/invoice-facts.ts';
import { serialise } from '../threads/serialised-content.ts';
import { contentOf } from './content/invoice-content.ts';
import { type Judgement, judgeDocument, recogniseDocument, type Schemas } from './judging/judge-document.ts';

/** One task: judge a submission, recognise a document, or read its whole content. */
export type ReadingTask = { readonly act: 'read' | 'recognise' | 'content'; readonly bytes: Uint8Array<ArrayBuffer> };
export type ReadingAnswer = Reading | InvoiceFacts | SerialisedContent | null;

/** Carries out a task on this thread. */
export function answerReadingTask({ act, bytes }: ReadingTask, schemas: Schemas): ReadingAnswer {
  if (act === 'read') return withFiles(bytes, judgeDocument(bytes, schemas));
  return act === 'content' ? serialise(contentOf(bytes)) : recogniseDocument(bytes);
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
