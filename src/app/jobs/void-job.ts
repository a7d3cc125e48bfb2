import { readCodeList } from '../../application/code-lists/read-code-list.ts';
import { isDatabaseFailure } from '../../application/errors/commit-unknown.ts';
import { isDamage } from '../../application/errors/damage.ts';
import { NO_TRACES } from '../../application/ports/telemetry/tracer.ts';
import { deliverVoids } from '../../application/voiding/deliver-voids.ts';
import { randomUuid } from '../../domain/values/random-values.ts';
import type { Job } from '../../worker/worker.ts';
import { logVoid } from '../work-log.ts';
import type { WorkNeeds } from './work-needs.ts';

const SECOND_MS = 1_000;

/** Renewed while it is under way, when half of it is over. */
export const VOID_LEASE_MS = 300_000;

/** A void is awaited by the operator at the command line. */
export function voidJob(needs: WorkNeeds): Job {
  const { foundation, connection, log, metrics, onDamage, holdWatch, outages, tracer = NO_TRACES } = needs;
  const { storage, clock, random, config } = foundation;
  const { startDue, count, finish } = deliverVoids({
    storage,
    authority: connection.authority,
    readList: readCodeList({ lists: connection.lists, clock }),
    clock,
    random,
    leaseMs: VOID_LEASE_MS,
    tracer,
    outcomeWindowMs: config.outcomeWindowSeconds * SECOND_MS,
    newToken: () => randomUuid(random),
    exceptOf: () => [...connection.keyWatch.unopened(), ...holdWatch.uncompared()],
    report(event) {
      metrics.documentDelivered(`void-${event.state}`, event.failureCode);
      logVoid(log, event);
    },
    onFailure(error, docUid) {
      if (isDamage(error)) onDamage(error);
      else if (isDatabaseFailure(error)) outages.databaseFailed(error);
      else log.error({ err: error, docUid }, 'void failed unexpectedly');
    },
  });
  return {
    name: 'deliver voids',
    everyMs: SECOND_MS,
    async run() {
      if (await holdWatch.maySend()) await startDue();
    },
    underWay: count,
    finish,
  };
}
