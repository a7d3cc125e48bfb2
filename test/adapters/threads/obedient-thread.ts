import { parentPort, threadId } from 'node:worker_threads';
import { READY } from '../../../src/adapters/threads/thread-ready.ts';

export type Order = {
  readonly name: string;
  readonly takesMs?: number;
  /** Works so long, by the processor's clock. */
  readonly worksMs?: number;
  readonly ends?: 'badly' | 'never';
  readonly bytes?: Uint8Array;
  /** Shared memory: the thread waits until it is not 0. */
  readonly gate?: Int32Array;
};
export type Report = { readonly name: string; readonly threadId: number; readonly bytes: number };

/** Keeps the thread that calls it from hearing of anything. */
export function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** Lets the thread go on that waits for it. */
export function openGate(gate: Int32Array): void {
  Atomics.store(gate, 0, 1);
  Atomics.notify(gate, 0);
}

const microseconds = ({ user, system }: NodeJS.CpuUsage) => user + system;

/** A thread that does as it is told: answers, dies, or works without end. */
parentPort?.on('message', ({ name, takesMs = 0, worksMs = 0, ends, bytes, gate }: Order) => {
  if (gate !== undefined) Atomics.wait(gate, 0, 0);
  standStill(takesMs);
  const before = process.threadCpuUsage();
  for (let used = { user: 0, system: 0 }; microseconds(used) < 1_000 * worksMs; used = process.threadCpuUsage(before));
  if (ends === 'badly') throw new Error(`${name} ended badly`);
  while (ends === 'never');
  parentPort?.postMessage({ name, threadId, bytes: bytes?.length ?? 0 } satisfies Report);
});
parentPort?.postMessage(READY);
