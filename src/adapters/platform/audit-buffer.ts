import type { AuditEntry } from '../../application/ports/storage/audit-store.ts';
import type { Storage } from '../../application/ports/storage/storage.ts';

/** Calls that change nothing are on record within this time. */
const WRITE_EVERY_MS = 250;

/** More than this many are not kept in memory while the database fails; they are given up as unwritten. */
const MOST_WAITING = 100_000;

export type AuditBuffer = {
  readonly record: (entry: AuditEntry) => void;
  readonly waiting: () => number;
  readonly close: () => Promise<void>;
};

/**
 * Writes the audit entries of reading calls behind, many at a time. What could not be written is tried again;
 * what cannot be kept any longer is handed to `onUnwritten`.
 */
export function createAuditBuffer(
  storage: Pick<Storage, 'transaction'>,
  onFailure: (error: unknown, waiting: number) => void,
  onUnwritten: (entry: AuditEntry) => void,
): AuditBuffer {
  let waiting: AuditEntry[] = [];
  let writing: Promise<void> = Promise.resolve();
  const timer = setInterval(flush, WRITE_EVERY_MS);
  timer.unref();

  function flush(): void {
    writing = writing.then(write);
  }

  async function write(): Promise<void> {
    const entries = waiting;
    if (entries.length === 0) return;
    waiting = [];
    try {
      await storage.transaction((tx) => tx.audit.append(entries));
    } catch (error) {
      waiting = [...entries, ...waiting];
      onFailure(error, waiting.length);
    }
  }

  return {
    waiting: () => waiting.length,
    record(entry) {
      if (waiting.length < MOST_WAITING) waiting.push(entry);
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
