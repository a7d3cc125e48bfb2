import { parentPort } from 'node:worker_threads';
import type { Preparation } from '../../application/authority.ts';
import type { LargeContent } from '../../application/document-reader.ts';
import { unfold } from '../threads/folded-content.ts';
import { giveWay } from '../threads/give-way.ts';
import { READY } from '../threads/thread-pool.ts';
import type { ConversionContext } from './conversion/conversion-context.ts';
import { type NeededLookups, neededLookups } from './conversion/needed-lookups.ts';
import { preparation } from './conversion/preparation.ts';

/** Without a context a thread says what must be looked up for one, and gives the content back. */
export type ConversionTask = { readonly content: LargeContent; readonly context: ConversionContext | null };
export type Lookups = { readonly content: LargeContent; readonly needed: NeededLookups };
export type ConversionAnswer = Lookups | Preparation;

giveWay();

parentPort?.on('message', ({ content, context }: ConversionTask) => {
  const unfolded = unfold(content);
  if (context !== null) parentPort?.postMessage(preparation(unfolded, context));
  else parentPort?.postMessage({ content, needed: neededLookups(unfolded) }, [content.buffer]);
});
parentPort?.postMessage(READY);
