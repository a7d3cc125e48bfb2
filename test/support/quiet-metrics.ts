import { createMetrics, type Metrics } from '../../src/adapters/platform/metrics.ts';

/** Metrics of a process that has nothing to tell of itself. */
export function quietMetrics(): Metrics {
  return createMetrics({
    auditWaiting: () => 0,
    auditUnwritten: () => 0,
    tenantsStopped: async () => null,
    unsafeSettings: () => [],
    clockOffsetsMs: () => new Map(),
    isStoppedByClock: () => false,
  });
}
