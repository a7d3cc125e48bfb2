import type { AuditEntry } from '../../application/ports/storage/audit-store.ts';
import type { Storage } from '../../application/ports/storage/storage.ts';

/** Read-only calls are in the audit trail within this time. */
const WRITE_INTERVAL_MS = 250;

/** Bounds the memory while the database fails; further entries go to `onUnwritten`. */
const MAX_WAITING = 100_000;

export type AuditBuffer = {
  readonly record: (entry: AuditEntry) => void;
  readonly waiting: () => number;
  readonly close: () => Promise<void>;
};

/**
 * Buffers the audit entries of read-only calls and writes them in batches. When a batch fails, its entries are written one by one:
 * an entry that fails while a later one succeeds cannot be written at all and does not hold up the others. Everything else is
 * retried. Entries that cannot be written or buffered, or are still unwritten at the end, are passed to `onUnwritten`.
 */
export function createAuditBuffer(
  storage: Pick<Storage, 'transaction'>,
  onFailure: (error: unknown, waiting: number) => void,
  onUnwritten: (entry: AuditEntry) => void,
): AuditBuffer {
  let waiting: AuditEntry[] = [];
  let writing: Promise<void> = Promise.resolve();
  const timer = setInterval(flush, WRITE_INTERVAL_MS);
  timer.unref();

  function flush(): void {
    writing = writing.then(write);
  }

  async function write(): Promise<void> {
    const entries = waiting;
    if (entries.length === 0) return;
    waiting = [];
    try {
      await append(entries);
    } catch (error) {
      waiting = [...(await writeSingly(entries)), ...waiting];
      onFailure(error, waiting.length);
    }
  }

  async function append(entries: readonly AuditEntry[]): Promise<void> {
    await storage.transaction((tx) => tx.audit.append(entries));
  }

  /** Returns the entries to be retried: those after the last one that could be written. */
  async function writeSingly(entries: readonly AuditEntry[]): Promise<readonly AuditEntry[]> {
    let failed: AuditEntry[] = [];
    for (const entry of entries) {
      try {
        await append([entry]);
        for (const unwritable of failed) onUnwritten(unwritable);
        failed = [];
      } catch {
        failed.push(entry);
      }
    }
    return failed;
  }

  return {
    waiting: () => waiting.length,
    record(entry) {
      if (waiting.length < MAX_WAITING) waiting.push(entry);
      else onUnwritten(entry);
    },
    async close() {
      clearInterval(timer);
      flush();
      await writing;
      for (const entry of waiting) onUnwritten(entry);
      waiting = [];
    },
  };
}
