import type { DatabaseSync } from 'node:sqlite';
import { parentPort } from 'node:worker_threads';
import { READY } from '../../threads/thread-pool.ts';
import { lowerPriority } from '../../threads/thread-priority.ts';
import type { SqlValue } from '../engine.ts';
import { connect, isBusy, statementText } from './connection.ts';

/** A statement whose last parameter is many bytes. */
export type LargeWrite = {
  readonly path: string;
  readonly text: string;
  readonly parameters: readonly SqlValue[];
  readonly bytes: Uint8Array<ArrayBuffer>;
};

export type LargeWriteFailure = { readonly message: string; readonly isBusy: boolean };

/** Here nobody is held up while the log is checkpointed: often, so that little of it is left to others. */
const CHECKPOINT_PAGES = 1_024;
const BUSY_LIMIT_MS = 5_000;
/** A little: others answer meanwhile, but those who want to write wait for the lock that this one holds. */
const NICENESS = 5;

let connection: DatabaseSync | null = null;

lowerPriority(NICENESS);

parentPort?.on('message', (write: LargeWrite) => parentPort?.postMessage(failureOf(write)));
parentPort?.postMessage(READY);

function failureOf({ path, text, parameters, bytes }: LargeWrite): LargeWriteFailure | null {
  try {
    connection ??= connectPatiently(path);
    connection.prepare(statementText(text)).run(...parameters, bytes);
    return null;
  } catch (error) {
    return { message: error instanceof Error ? error.message : String(error), isBusy: isBusy(error) };
  }
}

function connectPatiently(path: string): DatabaseSync {
  const opened = connect(path, CHECKPOINT_PAGES);
  opened.exec(`pragma busy_timeout = ${BUSY_LIMIT_MS}`);
  return opened;
}
