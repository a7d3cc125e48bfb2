import { systemHasher } from '../../adapters/platform/platform.ts';
import { followAuthorityStatus } from '../../application/delivery/follow-authority-status.ts';
import { isDatabaseFailure } from '../../application/errors/commit-unknown.ts';
import { isDamage } from '../../application/errors/damage.ts';
import { ServiceStopping } from '../../application/errors/service-unavailable.ts';
import { EnvironmentChanged } from '../../application/errors/tenant-changed.ts';
import { collectInbound } from '../../application/inbound/collect-inbound.ts';
import { AuthorityCallError } from '../../application/ports/authority.ts';
import type { RecurringTaskName } from '../../application/ports/storage/recurring-task-store.ts';
import { NO_TRACES, type Tracer } from '../../application/ports/telemetry/tracer.ts';
import { CODE_LIST_TYPES } from '../../domain/values/code-list.ts';
import { randomUuid } from '../../domain/values/random-values.ts';
import { type RecurringTask, type RunResult, recurringTaskJob } from '../../worker/recurring-task-loop.ts';
import type { Job } from '../../worker/worker.ts';
import { pollingOf } from '../polling.ts';
import { logCollection } from '../work-log.ts';
import type { WorkNeeds } from './work-needs.ts';

export const TASK_LEASE_MS = 120_000;

/** For every tenant with an account: collect inbound documents, follow statuses, refresh code lists. */
export function recurringTasks(needs: WorkNeeds): Job {
  const { foundation, connection, log, metrics, onDamage, outages, tracer = NO_TRACES } = needs;
  const { storage, clock, random, config } = foundation;
  const { authority, listsAhead } = connection;
  const collect = collectInbound({
    storage,
    authority,
    hasher: systemHasher,
    clock,
    report(event) {
      metrics.arrivalCollected(event.outcome);
      logCollection(log, event);
    },
  });
  const follow = followAuthorityStatus({
    storage,
    authority,
    clock,
    report({ tenant, euid, status }) {
      metrics.statusFollowed(status.code);
      log.info({ tenant: tenant.edb, euid, authorityStatus: status.code }, 'status of a registered document changed');
    },
  });
  const polling = pollingOf(config);
  const all: Readonly<Record<RecurringTaskName, RecurringTask>> = {
    collect: {
      polling: polling.collect,
      async run(tenant, checkpoint) {
        const { collected, lastWindow, nextDueAt } = await collect(tenant, Number(checkpoint ?? 0));
        if (collected > 0) log.info({ tenant: tenant.edb, collected }, 'inbound documents collected');
        return { checkpoint: String(lastWindow), hasNews: collected > 0, dueAt: nextDueAt };
      },
    },
    follow: {
      polling: polling.follow,
      run: async (tenant, checkpoint) => regular(await follow(tenant, checkpoint)),
    },
    lists: {
      polling: polling.lists,
      async run(tenant) {
        for (const type of CODE_LIST_TYPES) await listsAhead(tenant, type);
        return regular(null);
      },
    },
  };
  return recurringTaskJob({
    storage,
    clock,
    newToken: () => randomUuid(random),
    recurringTasks: {
      collect: traced(tracer, 'collect', all.collect),
      follow: traced(tracer, 'follow', all.follow),
      lists: traced(tracer, 'lists', all.lists),
    },
    leaseMs: TASK_LEASE_MS,
    exceptOf: connection.keyWatch.unopened,
    onDone: ({ name }) => metrics.taskRun(name, 'done'),
    onFailure({ tenant, name, failures }, error) {
      metrics.taskRun(name, 'failed');
      const facts = { tenant, task: name, failures: failures + 1 };
      // Outages of the authority are common, and those of the database pass; anything else needs attention.
      if (error instanceof AuthorityCallError)
        log.debug({ ...facts, reason: error.message }, 'recurring task postponed');
      else if (isDatabaseFailure(error)) outages.databaseFailed(error);
      else if (isDamage(error)) onDamage(error);
      else log.error({ ...facts, err: error }, 'recurring task failed unexpectedly');
    },
  });
}

function regular(checkpoint: string | null): RunResult {
  return { checkpoint, hasNews: true, dueAt: null };
}

/** Each run is a trace of its own, to which its calls of the authority belong. */
function traced(tracer: Tracer, name: RecurringTaskName, task: RecurringTask): RecurringTask {
  return {
    ...task,
    async run(tenant, checkpoint) {
      const span = tracer.begin({ name: `task ${name}`, kind: 'work', facts: {}, cause: null });
      let outcome = 'failed';
      try {
        const result = await span.within(() => task.run(tenant, checkpoint));
        outcome = 'done';
        return result;
      } catch (error) {
        if (error instanceof ServiceStopping || error instanceof EnvironmentChanged) outcome = 'interrupted';
        throw error;
      } finally {
        span.end({ 'dostava.outcome': outcome }, outcome === 'failed');
      }
    },
  };
}
