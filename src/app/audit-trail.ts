import type { Logger } from 'pino';
import { type AuditBuffer, createAuditBuffer } from '../adapters/platform/audit-buffer.ts';
import type { DamageAlarm } from '../adapters/platform/damage-alarm.ts';
import { limitRefusedCalls } from '../application/audit/limit-refused-calls.ts';
import { isDatabaseFailure } from '../application/errors/commit-unknown.ts';
import { isDamage } from '../application/errors/damage.ts';
import type { AuditEntry } from '../application/ports/storage/audit-store.ts';
import { randomUuid } from '../domain/values/random-values.ts';
import type { Foundation } from './foundation.ts';
import type { OutageLog } from './states/outage-log.ts';

export type AuditTrail = Omit<AuditBuffer, 'record'> & {
  /** An admitted call was within the rate limit of its key. */
  readonly record: (entry: AuditEntry, isAdmitted: boolean) => void;
};

type Alarms = Pick<OutageLog, 'databaseFailed'> & { readonly onDamage: DamageAlarm };

/** Records calls that change nothing; those that no rate limit holds back only up to a rate. */
export function openAuditTrail(
  { storage, clock, timers, random }: Foundation,
  log: Logger,
  { databaseFailed, onDamage }: Alarms,
): AuditTrail {
  const limit = limitRefusedCalls({ clock, newId: () => randomUuid(random) });
  let isClosing = false;
  const buffer = createAuditBuffer(storage, {
    timers,
    onFailure(error, waiting) {
      // They are tried again four times a second: an outage is told once.
      if (isDatabaseFailure(error)) databaseFailed(error);
      else if (isDamage(error)) onDamage(error);
      else log.error({ err: error, waiting }, 'audit entries could not be written');
    },
    onUnwritten: (entry) => log.error({ entry }, 'audit entry written only to the log'),
    moreEntries: () => (isClosing ? limit.takeAllCounts() : limit.takeCounts()),
  });
  return {
    ...buffer,
    record(entry, isAdmitted) {
      if (limit.keeps(entry, isAdmitted)) buffer.record(entry);
    },
    async close() {
      isClosing = true;
      await buffer.close();
    },
  };
}
