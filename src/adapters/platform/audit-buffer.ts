import { ServiceUnavailable } from '../../application/errors/service-unavailable.ts';
import type { AuditEntry } from '../../application/ports/storage/audit-store.ts';
import type { Storage } from '../../application/ports/storage/storage.ts';

/** Read-only calls are in the audit trail within this time. */
const WRITE_INTERVAL_MS = 250;

/** Bound the memory while the database fails; further entries go to `onUnwritten`. */
const MAX_WAITING = 20_000;
const MAX_WAITING_BYTES = 16 * 1_048_576;

/** In one transaction, so that other writers do not wait for a long one. */
const BATCH_ENTRIES = 1_000;

export type AuditBuffer = {
  readonly record: (entry: AuditEntry) => void;
  readonly waiting: () => number;
  /** How many entries went to `onUnwritten` so far. */
  readonly unwritten: () => number;
  readonly close: () => Promise<void>;
};

type Listeners = {
  readonly onFailure: (error: unknown, waiting: number) => void;
  /** For an entry that cannot be written or buffered, or is still unwritten at the end. */
  readonly onUnwritten: (entry: AuditEntry) => void;
  /** Called before each write, for entries that others have collected. */
  readonly moreEntries?: () => readonly AuditEntry[];
};

/**
 * Buffers the audit entries of read-only calls and writes them in batches. When a batch fails, its entries are written one by one:
 * an entry that fails while a later one succeeds cannot be written at all and does not hold up the others. Everything else is
 * retried; an entry that was written by a commit whose outcome is not known is kept once.
 */
export function createAuditBuffer(storage: Pick<Storage, 'transaction'>, listeners: Listeners): AuditBuffer {
  const { onFailure, onUnwritten, moreEntries = () => [] } = listeners;
  let waiting: AuditEntry[] = [];
  let waitingBytes = 0;
  let unwritten = 0;
  let writing: Promise<void> = Promise.resolve();
  const timer = setInterval(flush, WRITE_INTERVAL_MS);
  timer.unref();

  function flush(): void {
    writing = writing.then(write);
  }

  function record(entry: AuditEntry): void {
    const bytes = sizeOf(entry);
    if (waiting.length >= MAX_WAITING || waitingBytes + bytes > MAX_WAITING_BYTES) {
      giveUp(entry);
      return;
    }
    waiting.push(entry);
    waitingBytes += bytes;
  }

  function giveUp(entry: AuditEntry): void {
    unwritten += 1;
    onUnwritten(entry);
  }

  async function write(): Promise<void> {
    for (const entry of moreEntries()) record(entry);
    const entries = waiting;
    waiting = [];
    waitingBytes = 0;
    for (let first = 0; first < entries.length; first += BATCH_ENTRIES) {
      const batch = entries.slice(first, first + BATCH_ENTRIES);
      try {
        await append(batch);
      } catch (error) {
        keep([...(await writeSingly(batch, error)), ...entries.slice(first + BATCH_ENTRIES)]);
        onFailure(error, waiting.length);
        return;
      }
    }
  }

  /** Before those that came meanwhile, which are fewer, and the first to be given up. */
  function keep(entries: readonly AuditEntry[]): void {
    const later = waiting;
    waiting = [];
    waitingBytes = 0;
    for (const entry of [...entries, ...later]) record(entry);
  }

  async function append(entries: readonly AuditEntry[]): Promise<void> {
    await storage.transaction((tx) => tx.audit.append(entries));
  }

  /** Returns the entries to be retried: those after the last one that could be written. */
  async function writeSingly(entries: readonly AuditEntry[], cause: unknown): Promise<readonly AuditEntry[]> {
    if (cause instanceof ServiceUnavailable) return entries;
    let failed: AuditEntry[] = [];
    for (const [index, entry] of entries.entries()) {
      try {
        await append([entry]);
        for (const unwritable of failed) giveUp(unwritable);
        failed = [];
      } catch (error) {
        failed.push(entry);
        // Each further one would wait for the database in vain.
        if (error instanceof ServiceUnavailable) return [...failed, ...entries.slice(index + 1)];
      }
    }
    return failed;
  }

  return {
    record,
    waiting: () => waiting.length,
    unwritten: () => unwritten,
    async close() {
      clearInterval(timer);
      flush();
      await writing;
      for (const entry of waiting) giveUp(entry);
      waiting = [];
      waitingBytes = 0;
    },
  };
}

/** Of its texts in memory, where a character takes up to two bytes. */
function sizeOf(entry: AuditEntry): number {
  return 2 * JSON.stringify(entry).length;
}
