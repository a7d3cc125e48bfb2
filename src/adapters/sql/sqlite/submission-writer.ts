import { CommitUnknown } from '../../../application/errors/commit-unknown.ts';
import { ServiceUnavailable } from '../../../application/errors/service-unavailable.ts';
import type { Timers } from '../../../application/ports/platform.ts';
import type { NewSubmission } from '../../../application/ports/storage/outbound/store-submission.ts';
import type { FileToStore } from '../../../application/ports/stored-file.ts';
import type { Semaphore } from '../../threads/semaphore.ts';
import { createThreadPool, type ThreadPool } from '../../threads/thread-pool.ts';
import { transferable } from '../../threads/transferable.ts';
import type { GroupOutcome, StoreGroup } from '../engine.ts';
import { isBusy, lockHeld, translateWriteError } from './failure.ts';
import type { GroupAnswer, GroupFailure, SubmissionGroup } from './submission-thread.ts';

/** Processor time, far more than a group and a checkpoint take. */
const TIMEOUT_MS = 30_000;
/** Of one identifier. */
const RANDOM_BYTES = 10;

export const SUBMISSION_THREAD = new URL('./submission-thread.ts', import.meta.url);

export type SubmissionWriter = { readonly store: StoreGroup; readonly close: () => Promise<void> };

type Needs = {
  /** What the thread runs: it answers each group by one message. */
  readonly module: URL;
  readonly path: string;
  readonly timers: Timers;
  readonly writeLock: Semaphore;
  readonly busyTimeoutMs: number;
};

/** Has the thread open the database, and nothing else. */
const NO_GROUP = { submissions: [], identifierBytes: new Uint8Array(), busyMs: 0 };

type Pool = ThreadPool<SubmissionGroup, GroupAnswer>;

/**
 * Stores submissions on a thread with a connection of its own, so that the main thread neither runs their statements nor waits for the
 * disk. The thread starts when submissions first come together, and nobody waits for its start.
 */
export function createSubmissionWriter({ module, path, timers, writeLock, busyTimeoutMs }: Needs): SubmissionWriter {
  let pool: Pool | null = null;
  let ready: Pool | null = null;
  let underWay: Promise<unknown> = Promise.resolve();

  function start(): void {
    if (pool !== null) return;
    const started: Pool = createThreadPool({ module, threads: 1, timers, timeoutMs: TIMEOUT_MS });
    pool = started;
    // One that cannot start is not missed: the main thread goes on.
    started.run('', { ...NO_GROUP, path }, []).then(
      () => {
        ready = started;
      },
      () => undefined,
    );
  }

  async function storeOn(thread: Pool, [submissions, random]: Parameters<StoreGroup>): Promise<GroupOutcome> {
    const deadline = timers.elapsedMs() + busyTimeoutMs;
    const owning = submissions.map(withOwnBytes);
    const identifierBytes = random.bytes(RANDOM_BYTES * submissions.length);
    const answer = await writeLock.run('submissions', () => {
      const busyMs = Math.max(0, Math.ceil(deadline - timers.elapsedMs()));
      return answerOf(thread, { path, submissions: owning, identifierBytes, busyMs });
    });
    if ('failure' in answer) throw errorOf(answer.failure);
    return answer;
  }

  return {
    store(...group) {
      const [submissions] = group;
      if (submissions.length > 1) start();
      if (ready === null) return null;
      const outcome = storeOn(ready, group);
      underWay = Promise.allSettled([underWay, outcome]);
      return outcome;
    },
    async close() {
      // A group that waits for its turn is not with the thread yet.
      await underWay;
      await pool?.close();
    },
  };
}

/** Bytes that share memory with others would be copied together with those. */
function withOwnBytes({ key, document, ...rest }: NewSubmission): NewSubmission {
  const { ubl, pdf } = document;
  return {
    ...rest,
    key: { ...key, idempotencyKey: transferable(key.idempotencyKey) },
    document: { ...document, ubl: withOwnMemory(ubl), pdf: pdf === null ? null : withOwnMemory(pdf) },
  };
}

function withOwnMemory({ sha256, bytes }: FileToStore): FileToStore {
  return { sha256: transferable(sha256), bytes: bytes === null ? null : transferable(bytes) };
}

async function answerOf(thread: Pool, group: SubmissionGroup): Promise<GroupAnswer> {
  try {
    return await thread.run('', group, []);
  } catch (error) {
    throw new CommitUnknown('The thread that stores submissions ended before it answered.', { cause: error });
  }
}

function errorOf({ message, errcode, isUnavailable }: GroupFailure): unknown {
  if (isUnavailable) return new ServiceUnavailable(message);
  if (errcode === null) return new Error(message);
  const error = Object.assign(new Error(message), { errcode });
  return isBusy(error) ? lockHeld(error) : translateWriteError(error);
}
