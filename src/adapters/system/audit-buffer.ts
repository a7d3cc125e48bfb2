import type { AuditEntry } from '../../application/audit-entry.ts';
import type { Storage } from '../../application/ports.ts';

/** Calls that change nothing are on record within this time. */
const WRITE_EVERY_MS = 250;

export type AuditBuffer = {
  readonly record: (entry: AuditEntry) => void;
  readonly close: () => Promise<void>;
};

/** Writes the audit entries of reading calls behind, many at a time. What could not be written is tried again. */
export function createAuditBuffer(
  storage: Pick<Storage, 'transaction'>,
  onFailure: (error: unknown, waiting: number) => void,
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
    record: (entry) => void waiting.push(entry),
    async close() {
      clearInterval(timer);
      flush();
      await writing;
    },
  };
}
