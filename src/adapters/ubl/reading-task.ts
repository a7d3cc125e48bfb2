import { hash } from 'node:crypto';
import type {
  DocumentInspection,
  Reading,
  SerialisedContent,
  ShownDocument,
} from '../../application/ports/document-reader.ts';
import type { StoredFile } from '../../application/ports/stored-file.ts';
import type { InvoiceFacts } from '../../domain/documents/invoice-facts.ts';
import { qrCode } from '../../domain/qr-code/qr-code.ts';
import { serialisedContentOf } from './content/stored-content.ts';
import { viewOfBytes } from './content/view-of-bytes.ts';
import { shownFinding } from './judging/findings.ts';
import {
  inspectDocument,
  type Judgement,
  judgeDocument,
  recogniseDocument,
  type Schemas,
} from './judging/judge-document.ts';
import { linesOfPaths } from './judging/lines-of-paths.ts';

/** One task: judge a submission or find all that is wrong with it, recognise a document, read its whole content or what is shown of it, or find elements. */
export type ReadingTask = {
  readonly act: 'read' | 'inspect' | 'recognise' | 'content' | 'view' | 'lines';
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Of the elements whose lines are to be found. */
  readonly paths?: readonly string[];
  /** What the QR code of a view leads to. */
  readonly address?: string | null;
};
export type ReadingAnswer =
  | Reading
  | DocumentInspection
  | InvoiceFacts
  | SerialisedContent
  | ShownDocument
  | readonly (number | null)[]
  | null;

/** Carries out a task on this thread. */
export function answerReadingTask(task: ReadingTask, schemas: Schemas): ReadingAnswer {
  const { act, bytes, paths = [], address = null } = task;
  if (act === 'read') return withFiles(bytes, judgeDocument(bytes, schemas));
  if (act === 'inspect') return inspection(bytes, schemas);
  if (act === 'lines') return linesOfPaths(bytes, paths);
  if (act === 'view') return { view: viewOfBytes(bytes), code: codeOf(address) };
  return act === 'content' ? serialisedContentOf(bytes) : recogniseDocument(bytes);
}

function codeOf(address: string | null): ShownDocument['code'] {
  return address === null ? null : qrCode(new TextEncoder().encode(address));
}

function inspection(bytes: Uint8Array<ArrayBuffer>, schemas: Schemas): DocumentInspection {
  const { refusals, facts } = inspectDocument(bytes, schemas);
  return {
    refusals: refusals.map(({ code, findings }) => ({ code, findings: findings.map(shownFinding) })),
    facts,
    content: refusals.length > 0 ? null : serialisedContentOf(bytes),
  };
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
