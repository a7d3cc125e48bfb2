import type { DatabaseSync } from 'node:sqlite';
import { parentPort } from 'node:worker_threads';
import { READY } from '../../../threads/thread-ready.ts';
import { connect } from '../connection.ts';

export type CheckpointOrder = {
  readonly path: string;
  /** The file is opened by its name, so apart from the rest: only there it is known that the right one is in its place. */
  readonly work: 'start' | 'open' | 'checkpoint';
};

/** SQLite would do by itself what is asked for here. */
const NEVER_BY_ITSELF = 0;

let connection: DatabaseSync | null = null;

parentPort?.on('message', (order: CheckpointOrder) => parentPort?.postMessage(carryOut(order)));
parentPort?.postMessage(READY);

/** Whether the file is open now. */
function carryOut({ path, work }: CheckpointOrder): boolean {
  try {
    if (work === 'open') connection ??= connect(path, NEVER_BY_ITSELF);
    // Waits for nobody, and nobody for it.
    if (work === 'checkpoint') connection?.exec('pragma wal_checkpoint(passive)');
  } catch {
    // Whatever it is, those who write come upon it and tell it. A connection that failed may be one that only reads.
    connection?.close();
    connection = null;
  }
  return connection !== null;
}
