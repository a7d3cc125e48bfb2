import { systemHasher } from '../../src/adapters/platform/platform.ts';
import { systemTimers } from '../../src/adapters/platform/timers.ts';
import { expireAuditTrail } from '../../src/application/audit/expire-audit-trail.ts';
import { type ChainHead, sealAuditTrail } from '../../src/application/audit/seal-audit-trail.ts';
import { verifyAuditTrail } from '../../src/application/audit/verify-audit-trail.ts';
import type { OpenDatabase } from '../support/engines.ts';
import { clockAt } from '../support/test-clock.ts';
import type { newAuditEntry } from './samples.ts';

export const RETENTION = { recognised: 3_650, unrecognised: 30 };

/** A trail with the commands and jobs that work on it. All tests of an engine share one database, each adds to its trail. */
export function trailOf({ storage, engine }: OpenDatabase, clock = clockAt(), nextTurn = systemTimers.nextTurn) {
  const { sealDue, sealNow } = sealAuditTrail({ storage, hasher: systemHasher, clock });
  const verifyWith = (retentionDays: typeof RETENTION) =>
    verifyAuditTrail({ seals: storage.auditSeals, hasher: systemHasher, clock, nextTurn, retentionDays });
  return {
    clock,
    sealDue,
    sealNow,
    expire: expireAuditTrail({ storage, clock, clockWatch: { check: async () => 'right' }, retentionDays: RETENTION }),
    append: (...entries: ReturnType<typeof newAuditEntry>[]) => storage.transaction((tx) => tx.audit.append(entries)),
    check: (exported: readonly ChainHead[] = [], retentionDays = RETENTION) =>
      verifyWith(retentionDays)(exported, () => undefined),
    /** What a check says of its progress, step by step. */
    async progress() {
      const steps: (readonly [done: number, total: number])[] = [];
      await verifyWith(RETENTION)([], (done, total) => steps.push([done, total]));
      return steps;
    },
    run: (text: string, values: readonly (string | number)[] = []) =>
      engine.transaction((sql) => sql.run(text, values)),
    get: <Row>(text: string, values: readonly (string | number)[] = []) => engine.get<Row>(text, values),
  };
}

export type Trail = ReturnType<typeof trailOf>;
