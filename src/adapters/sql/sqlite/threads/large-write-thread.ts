import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { parentPort } from 'node:worker_threads';
import { freeMemory, isLarge } from '../../../threads/free-memory.ts';
import { READY } from '../../../threads/thread-ready.ts';
import type { SqlValue } from '../../engine.ts';
import { connect, statementText } from '../connection.ts';
import { type ThreadFailure, toThreadFailure } from '../failure.ts';

/** A statement whose last parameter is a large value. */
export type LargeWrite = {
  readonly path: string;
  readonly text: string;
  readonly parameters: readonly SqlValue[];
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** How long another process may hold the write lock. */
  readonly busyMs: number;
};

/** Checkpoints block only this thread, so it checkpoints often and leaves little of the write-ahead log to the main thread. */
const CHECKPOINT_PAGES = 1_024;
const CACHE_KIB = 2_048;

type Writer = { readonly connection: DatabaseSync; readonly prepared: Map<string, StatementSync> };

let writer: Writer | null = null;

parentPort?.on('message', (write: LargeWrite) => {
  const { byteLength } = write.bytes;
  parentPort?.postMessage(run(write));
  if (isLarge(byteLength)) writer?.prepared.clear();
  freeMemory(write.bytes, byteLength);
});
parentPort?.postMessage(READY);

function run({ path, text, parameters, bytes, busyMs }: LargeWrite): ThreadFailure | null {
  try {
    writer ??= { connection: connectForFiles(path), prepared: new Map() };
    writer.connection.exec(`pragma busy_timeout = ${busyMs}`);
    prepare(writer, text).run(...parameters, bytes);
    return null;
  } catch (error) {
    // One that was opened while the disk could not be written stays read-only when it can be.
    writer?.connection.close();
    writer = null;
    return toThreadFailure(error);
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

function connectForFiles(path: string): DatabaseSync {
  const opened = connect(path, CHECKPOINT_PAGES);
  // What it writes it does not read again.
  opened.exec(`pragma cache_size = -${CACHE_KIB}`);
  return opened;
}
