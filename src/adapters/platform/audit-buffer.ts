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
 * Buffers the audit entries of read-only calls and writes them in batches. A batch that fails is retried; entries that cannot be
 * buffered, or are still unwritten at the end, are passed to `onUnwritten`.
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
      await storage.transaction((tx) => tx.audit.append(entries));
    } catch (error) {
      waiting = [...entries, ...waiting];
      onFailure(error, waiting.length);
    }
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
