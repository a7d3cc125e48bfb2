import type { DatabaseSync } from 'node:sqlite';
import { parentPort } from 'node:worker_threads';
import type { Random } from '../../../../application/ports/platform.ts';
import type { NewSubmission } from '../../../../application/ports/storage/outbound/store-submission.ts';
import { READY } from '../../../threads/thread-ready.ts';
import type { GroupOutcome, Sql } from '../../engine.ts';
import { addSubmissions, KeysTaken } from '../../stores/submissions/add-submissions.ts';
import { connect } from '../connection.ts';
import {
  commitFailure,
  isBusy,
  isReadOnly,
  requireTransaction,
  type ThreadFailure,
  toThreadFailure,
} from '../failure.ts';
import { statements, translated } from '../statements.ts';

export type SubmissionGroup = {
  readonly path: string;
  readonly submissions: readonly NewSubmission[];
  /** Random: this thread makes up nothing by itself. */
  readonly identifierBytes: Uint8Array;
  /** How long another process may hold the write lock. */
  readonly busyMs: number;
  /** What is left of that when the group before has waited in vain until the end of its own time. */
  readonly busyMsLeft: number;
};

export type GroupAnswer = GroupOutcome | { readonly failure: ThreadFailure };

type Writer = { readonly connection: DatabaseSync; readonly sql: Sql };

let writer: Writer | null = null;
/** Whether the group before has waited for the write lock in vain. */
let wasLockHeld = false;

parentPort?.on('message', async (group: SubmissionGroup) => {
  parentPort?.postMessage(await answerTo(group));
});
parentPort?.postMessage(READY);

async function answerTo(group: SubmissionGroup): Promise<GroupAnswer> {
  const busyMs = wasLockHeld ? group.busyMsLeft : group.busyMs;
  wasLockHeld = false;
  try {
    return await storeWritably({ ...group, busyMs });
  } catch (error) {
    wasLockHeld = isBusy(error);
    return { failure: toThreadFailure(error) };
  }
}

/**
 * A connection that was opened while the disk could not be written stays read-only when it can be. Of a group that it refused nothing was
 * written, so the group is stored again by one that was just opened.
 */
async function storeWritably(group: SubmissionGroup): Promise<GroupOutcome> {
  try {
    return await store(group);
  } catch (error) {
    if (!isReadOnly(error)) throw error;
    writer?.connection.close();
    writer = null;
    return store(group);
  }
}

async function store({ path, submissions, identifierBytes, busyMs }: SubmissionGroup): Promise<GroupOutcome> {
  if (submissions.length === 0) return { stored: [] };
  writer ??= openWriter(path);
  const { connection, sql } = writer;
  connection.exec(`pragma busy_timeout = ${busyMs}; begin immediate`);
  try {
    const stored = await addSubmissions(sql, givenBytes(identifierBytes), submissions, true);
    translated(commitFailure, () => connection.exec('commit'));
    return { stored: submissions.map((submission) => stored.get(submission) ?? null) };
  } catch (error) {
    undo(connection);
    if (!(error instanceof KeysTaken)) throw error;
    return { taken: submissions.map((submission) => error.submissions.has(submission)) };
  }
}

function undo(connection: DatabaseSync): void {
  // After some errors SQLite has done so by itself.
  if (!connection.isTransaction) return;
  try {
    connection.exec('rollback');
  } catch {
    // It would keep the write lock, from every later group too. Closing undoes as well.
    connection.close();
    writer = null;
  }
}

/** Errors stay as they are: they are translated where they arrive. */
function openWriter(path: string): Writer {
  const connection = connect(path);
  const sql = statements(
    connection,
    (error) => error,
    () => requireTransaction(connection),
  );
  return { connection, sql };
}

function givenBytes(bytes: Uint8Array): Random {
  let used = 0;
  return {
    bytes(count) {
      used += count;
      if (used > bytes.length) throw new Error('A group needs more random bytes than it was given.');
      return bytes.slice(used - count, used);
    },
  };
}
