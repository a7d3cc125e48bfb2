import { parentPort } from 'node:worker_threads';
import type { UblConversion } from '../../../application/ports/inbound/authority-documents.ts';
import { freeMemory } from '../../threads/free-memory.ts';
import { READY } from '../../threads/thread-ready.ts';
import { convertToUbl, isAuthorityDocument } from './convert-to-ubl.ts';

export type AsUblTask = { readonly act: 'recognise' | 'convert'; readonly bytes: Uint8Array<ArrayBuffer> };
export type AsUblAnswer = boolean | UblConversion;

parentPort?.on('message', (task: AsUblTask) => {
  const { byteLength } = task.bytes;
  answer(task);
  freeMemory(task.bytes, byteLength);
});
parentPort?.postMessage(READY);

function answer({ act, bytes }: AsUblTask): void {
  const given = act === 'recognise' ? isAuthorityDocument(bytes) : convertToUbl(bytes);
  const isConverted = typeof given === 'object' && given.outcome === 'converted';
  parentPort?.postMessage(given, isConverted ? [given.bytes.buffer] : []);
}
