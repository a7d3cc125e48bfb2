import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { type AuditBuffer, createAuditBuffer } from '../adapters/platform/audit-buffer.ts';
import { limitRefusedCalls } from '../application/audit/limit-refused-calls.ts';
import type { Foundation } from './foundation.ts';

/** Records calls that change nothing; those of callers without a usable key only up to a rate. */
export function openAuditTrail({ storage, clock }: Foundation, log: Logger): AuditBuffer {
  const limit = limitRefusedCalls({ clock, newId: randomUUID });
  let isClosing = false;
  const buffer = createAuditBuffer(storage, {
    onFailure: (error, waiting) => log.error({ err: error, waiting }, 'audit entries could not be written'),
    onUnwritten: (entry) => log.error({ entry }, 'audit entry written only to the log'),
    moreEntries: () => (isClosing ? limit.takeAllCounts() : limit.takeCounts()),
  });
  return {
    ...buffer,
    record(entry) {
      if (limit.admits(entry)) buffer.record(entry);
    },
    async close() {
      isClosing = true;
      await buffer.close();
    },
  };
}
