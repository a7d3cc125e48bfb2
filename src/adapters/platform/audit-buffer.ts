import { isDatabaseFailure } from '../../application/errors/commit-unknown.ts';
import { ServiceUnavailable } from '../../application/errors/service-unavailable.ts';
import type { Timers } from '../../application/ports/platform.ts';
import type { AuditEntry } from '../../application/ports/storage/audit-store.ts';
import type { Storage } from '../../application/ports/storage/storage.ts';

/** Read-only calls are in the audit trail within this time. */
const WRITE_INTERVAL_MS = 250;

/** Bound the memory while the database fails; further entries go to `onUnwritten`. */
const MAX_WAITING = 20_000;
const MAX_WAITING_BYTES = 16 * 1_048_576;

/**
 * How long the end of the process waits for the database. Statement and connection timeouts add up to more than the 25 seconds after
 * which a stop is cut off, and entries that are not in the log by then are lost.
 */
const LAST_WRITE_MS = 5_000;

/** In one transaction, so that other writers do not wait for a long one. */
const BATCH_ENTRIES = 1_000;

export type AuditBuffer = {
  readonly record: (entry: AuditEntry) => void;
  readonly waiting: () => number;
  /** How many entries went to `onUnwritten` so far. */
  readonly unwritten: () => number;
  readonly close: () => Promise<void>;
};

type Options = {
  readonly timers: Timers;
  readonly onFailure: (error: unknown, waiting: number) => void;
  /** For an entry that cannot be written or buffered, or is still unwritten at the end. */
  readonly onUnwritten: (entry: AuditEntry) => void;
  /** Called before each write, for entries that others have collected. */
  readonly moreEntries?: () => readonly AuditEntry[];
  /** How long closing waits for the database at most. */
  readonly lastWriteMs?: number;
};

/**
 * Buffers the audit entries of read-only calls and writes them in batches. When a batch fails, its entries are written one by one:
 * an entry that fails while a later one succeeds cannot be written at all and does not hold up the others. Everything else is
 * retried; an entry that was written by a commit whose outcome is not known is kept once.
 */
export function createAuditBuffer(storage: Pick<Storage, 'transaction'>, options: Options): AuditBuffer {
  const { timers, onFailure, onUnwritten, moreEntries = () => [], lastWriteMs = LAST_WRITE_MS } = options;
  let unwritten = 0;
  const queue = createQueue((entry) => {
    unwritten += 1;
    onUnwritten(entry);
  });
  let writing: Promise<void> | null = null;
  const timer = timers.every(WRITE_INTERVAL_MS, flush, { keepsProcess: false });

  /** While a write hangs, none is queued behind it: each would wait for the database as long. */
  function flush(): void {
    writing ??= write().finally(() => {
      writing = null;
    });
  }

  async function write(): Promise<void> {
    for (const entry of moreEntries()) queue.add(entry);
    for (let left = queue.length(); left > 0 && !queue.isClosed(); left -= BATCH_ENTRIES) {
      const batch = queue.first(Math.min(left, BATCH_ENTRIES));
      try {
        await append(batch);
        queue.remove(batch.length);
      } catch (error) {
        await recover(batch, error);
        return;
      }
    }
  }

  async function recover(batch: readonly AuditEntry[], error: unknown): Promise<void> {
    if (!(error instanceof ServiceUnavailable)) await writeSingly(batch);
    if (!queue.isClosed()) onFailure(error, queue.length());
  }

  async function append(entries: readonly AuditEntry[]): Promise<void> {
    await storage.transaction((tx) => tx.audit.append(entries));
  }

  /** Up to the last entry that can be written; the rest stays in the queue. */
  async function writeSingly(entries: readonly AuditEntry[]): Promise<void> {
    let failed = 0;
    for (const entry of entries) {
      const error = await append([entry]).then(
        () => null,
        (cause: unknown) => cause,
      );
      // Each further one would wait for the database in vain.
      if (queue.isClosed() || isDatabaseFailure(error)) return;
      if (error !== null) {
        failed += 1;
      } else {
        queue.giveUp(failed);
        queue.remove(1);
        failed = 0;
      }
    }
  }

  async function writeLast(): Promise<void> {
    await writing;
    flush();
    await writing;
  }

  return {
    record: queue.add,
    waiting: queue.length,
    unwritten: () => unwritten,
    async close() {
      timer.cancel();
      const patience = new AbortController();
      const late = timers.pause(lastWriteMs, patience.signal).catch(() => undefined);
      await Promise.race([writeLast(), late]);
      patience.abort();
      // A commit that hangs may still be carried out; then its entries are in the log as well.
      queue.close();
      for (const entry of moreEntries()) queue.add(entry);
    },
  };
}

type Queue = {
  readonly add: (entry: AuditEntry) => void;
  readonly length: () => number;
  readonly first: (count: number) => readonly AuditEntry[];
  readonly remove: (count: number) => void;
  /** Gives the first entries to `onUnwritten` instead of writing them. */
  readonly giveUp: (count: number) => void;
  /** Gives up all entries, and from now on each that comes. */
  readonly close: () => void;
  readonly isClosed: () => boolean;
};

/** Entries in their order, each until it is written. When they are too many, the newest are given up. */
function createQueue(onUnwritten: (entry: AuditEntry) => void): Queue {
  const entries: AuditEntry[] = [];
  let bytes = 0;
  let isClosed = false;

  function remove(count: number): readonly AuditEntry[] {
    const removed = entries.splice(0, count);
    for (const entry of removed) bytes -= sizeOf(entry);
    return removed;
  }

  function giveUp(count: number): void {
    for (const entry of remove(count)) onUnwritten(entry);
  }

  return {
    add(entry) {
      const size = sizeOf(entry);
      if (isClosed || entries.length >= MAX_WAITING || bytes + size > MAX_WAITING_BYTES) {
        onUnwritten(entry);
        return;
      }
      entries.push(entry);
      bytes += size;
    },
    length: () => entries.length,
    first: (count) => entries.slice(0, count),
    remove,
    giveUp,
    close() {
      isClosed = true;
      giveUp(entries.length);
    },
    isClosed: () => isClosed,
  };
}

/** Of its texts in memory, where a character takes up to two bytes. */
function sizeOf(entry: AuditEntry): number {
  return 2 * JSON.stringify(entry).length;
}
