import { parentPort } from 'node:worker_threads';
import type { Preparation } from '../../../application/ports/authority.ts';
import type { LargeContent } from '../../../application/ports/document-reader.ts';
import { deserialise } from '../../threads/serialised-content.ts';
import { READY } from '../../threads/thread-pool.ts';
import { lowerPriority } from '../../threads/thread-priority.ts';
import type { ConversionContext } from '../conversion/conversion-context.ts';
import { type NeededLookups, neededLookups } from '../conversion/needed-lookups.ts';
import { convertToText } from './convert-to-text.ts';

/** Without a context the thread answers which look-ups the document needs, and hands the content back. */
export type ConversionTask = { readonly content: LargeContent; readonly context: ConversionContext | null };
export type LookupsAnswer = { readonly content: LargeContent; readonly needed: NeededLookups };
export type ConversionAnswer = LookupsAnswer | Preparation;

lowerPriority();

parentPort?.on('message', ({ content, context }: ConversionTask) => {
  const document = deserialise(content);
  if (context !== null) parentPort?.postMessage(convertToText(document, context));
  else parentPort?.postMessage({ content, needed: neededLookups(document) }, [content.buffer]);
});
parentPort?.postMessage(READY);
