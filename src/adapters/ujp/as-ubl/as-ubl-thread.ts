import { parentPort } from 'node:worker_threads';
import type { UblConversion } from '../../../application/ports/inbound/authority-documents.ts';
import { READY } from '../../threads/thread-ready.ts';
import { convertToUbl, isAuthorityDocument } from './convert-to-ubl.ts';

export type AsUblTask = { readonly act: 'recognise' | 'convert'; readonly bytes: Uint8Array<ArrayBuffer> };
export type AsUblAnswer = boolean | UblConversion;

parentPort?.on('message', ({ act, bytes }: AsUblTask) => {
  if (act === 'recognise') return void parentPort?.postMessage(isAuthorityDocument(bytes));
  const conversion = convertToUbl(bytes);
  parentPort?.postMessage(conversion, conversion.outcome === 'converted' ? [conversion.bytes.buffer] : []);
});
parentPort?.postMessage(READY);
