import { createMetrics, type Metrics } from '../../src/adapters/platform/metrics.ts';

/** Metrics of a process that has nothing to tell of itself but what is given. */
export function metricsWith(needs: Partial<Parameters<typeof createMetrics>[0]>): Metrics {
  return createMetrics({
    auditWaiting: () => 0,
    auditUnwritten: () => 0,
    tenantsStopped: async () => null,
    unsafeSettings: () => [],
    clockOffsetsMs: () => new Map(),
    isStoppedByClock: () => false,
    elapsedMs: () => 0,
    ...needs,
  });
}

export function quietMetrics(): Metrics {
  return metricsWith({});
}
