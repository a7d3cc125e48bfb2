import { parentPort, threadId } from 'node:worker_threads';
import { READY } from '../../../src/adapters/threads/thread-pool.ts';

export type Order = { readonly name: string; readonly ends?: 'badly' | 'never'; readonly bytes?: Uint8Array };
export type Report = { readonly name: string; readonly threadId: number; readonly bytes: number };

/** A thread that does as it is told: answers, dies, or works without end. */
parentPort?.on('message', ({ name, ends, bytes }: Order) => {
  if (ends === 'badly') throw new Error(`${name} ended badly`);
  while (ends === 'never');
  parentPort?.postMessage({ name, threadId, bytes: bytes?.length ?? 0 } satisfies Report);
});
parentPort?.postMessage(READY);
