import { Counter, type Registry } from 'prom-client';
import type { Timers } from '../../../application/ports/platform.ts';
import { type AuthorityMetrics, authorityMetrics } from './authority-metrics.ts';
import { registerServiceStates, type ServiceStates } from './service-states.ts';

/** How the process, its database and its neighbour, the authority, are. */
export type StateMetrics = AuthorityMetrics & {
  /** Adds what the process tells of itself and its database. */
  readonly tellStates: (states: ServiceStates) => void;
  readonly taskRun: (task: string, outcome: 'done' | 'failed') => void;
};

export function stateMetrics(registry: Registry, elapsedMs: Timers['elapsedMs']): StateMetrics {
  const runs = new Counter({
    name: 'dostava_recurring_task_runs_total',
    help: 'Runs of recurring tasks, by outcome: done, failed.',
    labelNames: ['task', 'outcome'],
    registers: [registry],
  });
  return {
    ...authorityMetrics(registry, elapsedMs),
    tellStates: (states) => registerServiceStates(registry, states),
    taskRun: (task, outcome) => runs.inc({ task, outcome }),
  };
}
