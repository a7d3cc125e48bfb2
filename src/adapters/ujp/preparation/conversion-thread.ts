import { parentPort } from 'node:worker_threads';
import type { Preparation } from '../../../application/ports/authority.ts';
import type { LargeContent } from '../../../application/ports/document-reader.ts';
import type { DryRunResult } from '../../../application/ports/validation/dry-run.ts';
import { freeMemory } from '../../threads/free-memory.ts';
import { deserialise } from '../../threads/serialised-content.ts';
import { READY } from '../../threads/thread-ready.ts';
import type { ConversionContext } from '../conversion/conversion-context.ts';
import { type NeededLookups, neededLookups } from '../conversion/needed-lookups.ts';
import { convertToText } from './convert-to-text.ts';
import { rehearse } from './rehearse.ts';

/** To `open` is to answer which look-ups the document needs, and to hand the content back. */
export type ConversionTask =
  | { readonly act: 'open'; readonly content: LargeContent }
  | { readonly act: 'convert' | 'rehearse'; readonly content: LargeContent; readonly context: ConversionContext };
export type LookupsAnswer = { readonly content: LargeContent; readonly needed: NeededLookups };
export type ConversionAnswer = LookupsAnswer | Preparation | DryRunResult;

parentPort?.on('message', (task: ConversionTask) => {
  const { byteLength } = task.content;
  answer(task);
  freeMemory(task.content, byteLength);
});
parentPort?.postMessage(READY);

function answer(task: ConversionTask): void {
  const { act, content } = task;
  const document = deserialise(content);
  if (act === 'convert') parentPort?.postMessage(convertToText(document, task.context));
  else if (act === 'rehearse') parentPort?.postMessage(rehearse(document, task.context));
  else parentPort?.postMessage({ content, needed: neededLookups(document) }, [content.buffer]);
}
