import type { ApiKey } from '../../domain/accounts/api-key.ts';
import type { Edb } from '../../domain/accounts/edb.ts';
import { message } from '../../domain/messages/message.ts';
import { plainProblem, problem } from '../errors/problem.ts';
import type { Timers } from '../ports/platform.ts';
import type { ChangeStore } from '../ports/storage/changes/change-store.ts';

/** How often the logs of those who wait are looked at, by one query for all of them. */
const LOOK_MS = 500;
/** A client needs one; the others are those of a restarted client, whose former connections are not known to be gone. */
const MOST_PER_KEY = 4;
const RETRY_AFTER_SECONDS = 5;

type Needs = {
  readonly changes: Pick<ChangeStore, 'lastNumbers'>;
  readonly timers: Timers;
  /** How many requests of all keys may wait in this process. */
  readonly mostWaiting: number;
};

type Reader = {
  readonly tenant: Edb;
  readonly keyId: string;
  /** The last number that the reader knows. */
  readonly after: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
};

export type Wait = {
  readonly key: Pick<ApiKey, 'tenant' | 'keyId'>;
  readonly after: number;
  readonly ms: number;
  /** Aborted when the client has left. */
  readonly signal: AbortSignal;
};

export type WaitingReaders = {
  /** Resolves when the tenant's log goes on after that number, when the time is over, when the client has left or the service stops. */
  readonly wait: (wait: Wait) => Promise<void>;
  /** From now on nobody waits. */
  readonly stop: () => void;
};

/**
 * The requests that wait for changes. None has a thread, a connection to the database or a query of its own: a process looks twice a
 * second for all of them, and not at all while nobody waits. That finds changes of every process, through poolers as well (record 31).
 */
export function createWaitingReaders({ changes, timers, mostWaiting }: Needs): WaitingReaders {
  const readers = new Set<Reader>();
  let isLooking = false;
  let isStopping = false;

  function checkRoom(keyId: string): void {
    const ofKey = [...readers].filter((reader) => reader.keyId === keyId).length;
    const retryAfterSeconds = RETRY_AFTER_SECONDS;
    if (ofKey >= MOST_PER_KEY) {
      const detail = message('key-waits-already', { waiting: ofKey });
      throw problem('ERR-1006', detail, { retryAfterSeconds });
    }
    if (readers.size >= mostWaiting) {
      const detail = 'Too many calls wait for changes at this moment. Without wait the answer comes at once.';
      throw plainProblem(503, 'Service Unavailable', detail, { retryAfterSeconds });
    }
  }

  async function look(): Promise<void> {
    const waiting = [...readers];
    try {
      const last = await changes.lastNumbers([...new Set(waiting.map(({ tenant }) => tenant))]);
      for (const reader of waiting) if ((last.get(reader.tenant) ?? reader.after) > reader.after) reader.resolve();
    } catch (error) {
      for (const reader of waiting) reader.reject(error);
    }
  }

  async function lookWhileAnyWaits(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    while (readers.size > 0) {
      await timers.pause(LOOK_MS);
      if (readers.size > 0) await look();
    }
    isLooking = false;
  }

  return {
    async wait({ key: { tenant, keyId }, after, ms, signal }) {
      if (isStopping || signal.aborted) return;
      checkRoom(keyId);
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const reader = { tenant, keyId, after, resolve, reject };
      readers.add(reader);
      const timer = timers.after(ms, resolve);
      const leave = () => resolve();
      signal.addEventListener('abort', leave, { once: true });
      void lookWhileAnyWaits();
      try {
        await promise;
      } finally {
        readers.delete(reader);
        timer.cancel();
        signal.removeEventListener('abort', leave);
      }
    },
    stop() {
      isStopping = true;
      for (const { resolve } of readers) resolve();
    },
  };
}
