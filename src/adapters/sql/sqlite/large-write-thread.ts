import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { parentPort } from 'node:worker_threads';
import { ServiceUnavailable } from '../../../application/errors/service-unavailable.ts';
import { freeMemory, isLarge } from '../../threads/free-memory.ts';
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

type Writer = { readonly connection: DatabaseSync; readonly prepared: Map<string, StatementSync> };

let writer: Writer | null = null;

parentPort?.on('message', (write: LargeWrite) => {
  const { byteLength } = write.bytes;
  parentPort?.postMessage(run(write));
  // This function holds the message until it returns, so no collection would free them.
  write.bytes.buffer.transfer(0);
  if (isLarge(byteLength)) writer?.prepared.clear();
  freeMemory(byteLength);
});
parentPort?.postMessage(READY);

function run({ path, text, parameters, bytes }: LargeWrite): LargeWriteFailure | null {
  try {
    writer ??= { connection: connectWithTimeout(path), prepared: new Map() };
    prepare(writer, text).run(...parameters, bytes);
    return null;
  } catch (error) {
    // One that was opened while the disk could not be written stays read-only when it can be.
    writer?.connection.close();
    writer = null;
    const message = error instanceof Error ? error.message : String(error);
    return { message, isUnavailable: translateWriteError(error) instanceof ServiceUnavailable };
  }
}

/**
 * A statement keeps a copy of its last values until it runs again, or until the collector frees it: V8 does not know of these copies,
 * and statements that are prepared for each write would pile them up.
 */
function prepare({ connection, prepared }: Writer, text: string): StatementSync {
  const statement = prepared.get(text) ?? connection.prepare(statementText(text));
  prepared.set(text, statement);
  return statement;
}

function connectWithTimeout(path: string): DatabaseSync {
  const opened = connect(path, CHECKPOINT_PAGES);
  // What it writes it does not read again.
  opened.exec(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}; pragma cache_size = -${CACHE_KIB}`);
  return opened;
}
