import { CommitUnknown } from '../../../../application/errors/commit-unknown.ts';
import type { Timers } from '../../../../application/ports/platform.ts';
import type { NewSubmission } from '../../../../application/ports/storage/outbound/store-submission.ts';
import type { FileToStore } from '../../../../application/ports/stored-file.ts';
import { createThreadPool, NoThread, type ThreadPool } from '../../../threads/thread-pool.ts';
import { transferable } from '../../../threads/transferable.ts';
import { createUnderWay } from '../../../threads/under-way.ts';
import type { GroupOutcome, StoreGroup } from '../../engine.ts';
import { fromThreadFailure } from '../failure.ts';
import type { GroupAnswer, SubmissionGroup } from './submission-thread.ts';
import type { ThreadTurns } from './thread-turns.ts';

/** Processor time, far more than a group and a checkpoint take. */
const TIMEOUT_MS = 30_000;
/** A start that fails takes a tenth of a second of processor time. */
const START_PAUSE_MS = 60_000;
/** Of one identifier. */
const RANDOM_BYTES = 10;

export const SUBMISSION_THREAD = new URL('./submission-thread.ts', import.meta.url);

export type SubmissionWriter = { readonly store: StoreGroup; readonly close: () => Promise<void> };

type Needs = {
  /** What the thread runs: it answers each group by one message. */
  readonly module: URL;
  readonly path: string;
  readonly timers: Timers;
  readonly turns: ThreadTurns;
  readonly busyTimeoutMs: number;
  /** Hears how many submissions were just committed. */
  readonly committed: (submissions: number) => void;
};

/** Answered as soon as the thread runs. It opens the file with its first group: only who has the lock knows that the right one is in its place. */
const NO_GROUP = { submissions: [], identifierBytes: new Uint8Array(), busyMs: 0, busyMsLeft: 0 };

type Pool = ThreadPool<SubmissionGroup, GroupAnswer>;

/**
 * Stores submissions on a thread with a connection of its own, so that the main thread neither runs their statements nor waits for the
 * disk. The thread starts when submissions first come together, and nobody waits for its start. While there is none, and none can be
 * started, submissions are for the calling thread.
 */
export function createSubmissionWriter(needs: Needs): SubmissionWriter {
  const { module, path, timers, turns, busyTimeoutMs, committed } = needs;
  const underWay = createUnderWay();
  let pool: Pool | null = null;
  let ready: Pool | null = null;
  /** Of the group that was sent last. */
  let lastDeadlineMs = Number.NEGATIVE_INFINITY;
  let startAgainAtMs = Number.NEGATIVE_INFINITY;

  function start(): void {
    if (pool !== null || timers.elapsedMs() < startAgainAtMs) return;
    const started: Pool = createThreadPool({
      module,
      threads: 1,
      timers,
      timeoutMs: TIMEOUT_MS,
      failsWithoutThread: true,
    });
    pool = started;
    started.run('', { ...NO_GROUP, path }, []).then(
      () => {
        ready = started;
      },
      () => giveUp(started),
    );
  }

  function giveUp(failed: Pool): void {
    if (pool !== failed) return;
    pool = null;
    ready = null;
    startAgainAtMs = timers.elapsedMs() + START_PAUSE_MS;
    void failed.close();
  }

  async function storeOn(thread: Pool, [submissions, random]: Parameters<StoreGroup>): Promise<GroupOutcome | null> {
    const deadline = timers.elapsedMs() + busyTimeoutMs;
    const owning = submissions.map(withOwnBytes);
    const identifierBytes = random.bytes(RANDOM_BYTES * submissions.length);
    const answer = await turns.share('submissions', async () => {
      // Another group has found no thread while this one waited.
      if (pool !== thread) return null;
      const busyMs = Math.max(0, Math.ceil(deadline - timers.elapsedMs()));
      // The thread may have that one still, and come to this one when it has been refused.
      const busyMsLeft = Math.max(0, Math.min(busyMs, Math.ceil(deadline - lastDeadlineMs)));
      lastDeadlineMs = deadline;
      return answerOf(thread, { path, submissions: owning, identifierBytes, busyMs, busyMsLeft });
    });
    if (answer === null) giveUp(thread);
    else if ('failure' in answer) throw fromThreadFailure(answer.failure);
    else if ('stored' in answer) committed(answer.stored.length);
    return answer;
  }

  return {
    async store(...group) {
      const [submissions] = group;
      if (submissions.length > 1) start();
      return ready === null ? null : underWay.track(storeOn(ready, group));
    },
    async close() {
      // A group that waits for its turn is not with the thread yet.
      await underWay.ended();
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

/** Null where there is no thread, so that nothing was done. */
async function answerOf(thread: Pool, group: SubmissionGroup): Promise<GroupAnswer | null> {
  try {
    return await thread.run('', group, []);
  } catch (error) {
    if (error instanceof NoThread) return null;
    throw new CommitUnknown('The thread that stores submissions ended before it answered.', { cause: error });
  }
}
