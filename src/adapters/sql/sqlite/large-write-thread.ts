import type { DatabaseSync } from 'node:sqlite';
import { parentPort } from 'node:worker_threads';
import { ServiceUnavailable } from '../../../application/errors/service-unavailable.ts';
import { freeMemory } from '../../threads/free-memory.ts';
import { READY } from '../../threads/thread-ready.ts';
import type { SqlValue } from '../engine.ts';
import { connect, statementText } from './connection.ts';
import { translateWriteError } from './failure.ts';

/** A statement whose last parameter is a large value. */
export type LargeWrite = {
  readonly path: string;
  readonly text: string;
  readonly parameters: readonly SqlValue[];
  readonly bytes: Uint8Array<ArrayBuffer>;
};

export type LargeWriteFailure = { readonly message: string; readonly isUnavailable: boolean };

/** Checkpoints block only this thread, so it checkpoints often and leaves little of the write-ahead log to the main thread. */
const CHECKPOINT_PAGES = 1_024;
const BUSY_TIMEOUT_MS = 5_000;
const CACHE_KIB = 2_048;

let connection: DatabaseSync | null = null;

parentPort?.on('message', (write: LargeWrite) => {
  const { byteLength } = write.bytes;
  parentPort?.postMessage(run(write));
  // This function holds the message until it returns, so no collection would free them.
  write.bytes.buffer.transfer(0);
  freeMemory(byteLength);
});
parentPort?.postMessage(READY);

function run({ path, text, parameters, bytes }: LargeWrite): LargeWriteFailure | null {
  try {
    connection ??= connectWithTimeout(path);
    connection.prepare(statementText(text)).run(...parameters, bytes);
    return null;
  } catch (error) {
    // One that was opened while the disk could not be written stays read-only when it can be.
    connection?.close();
    connection = null;
    const message = error instanceof Error ? error.message : String(error);
    return { message, isUnavailable: translateWriteError(error) instanceof ServiceUnavailable };
  }
}

function connectWithTimeout(path: string): DatabaseSync {
  const opened = connect(path, CHECKPOINT_PAGES);
  // What it writes it does not read again.
  opened.exec(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}; pragma cache_size = -${CACHE_KIB}`);
  return opened;
}
