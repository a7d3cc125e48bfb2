import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Timers } from '../../application/ports/platform.ts';
import { registerCircuits } from './metrics/circuit-metrics.ts';
import { failingMetric } from './metrics/failing-metric.ts';
import { fewLabels } from './metrics/few-labels.ts';
import { type ScannerMetrics, scannerMetrics } from './metrics/scanner-metrics.ts';
import { sharedAnswer } from './metrics/shared-answer.ts';
import { type StateMetrics, stateMetrics } from './metrics/state-metrics.ts';
import { type SafetyMetrics, safetyMetrics } from './safety-metrics.ts';

export type Metrics = SafetyMetrics &
  ScannerMetrics &
  StateMetrics & {
    readonly requestServed: (route: string, method: string, status: number, durationMs: number) => void;
    readonly documentDelivered: (outcome: string, failureCode: string | null) => void;
    /** How many tenants there are whose last attempts all failed, asked for when metrics are read. */
    readonly tellTenantsFailing: (count: () => Promise<number>) => void;
    readonly arrivalCollected: (outcome: string) => void;
    readonly containerAsked: (outcome: string) => void;
    readonly signatureFailed: (signer: 'command' | 'key') => void;
    /** Of a budget that has so many bytes in all. */
    readonly memory: (
      of: 'bodies' | 'answers' | 'deliveries',
      limitBytes: number,
    ) => { readonly held: (bytes: number) => void; readonly refused: () => void };
    readonly submissions: {
      readonly changed: (underWay: number, limit: number) => void;
      readonly refused: () => void;
    };
    readonly render: () => Promise<{ readonly contentType: string; readonly text: string }>;
  };

const SECONDS_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const STRAYS = ['stray-registration', 'void-stray-registration'];

/** Gauges that are named like counters; the same without `_total` are there too. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

type Needs = {
  readonly auditWaiting: () => number;
  readonly auditUnwritten: () => number;
  /** Tenants whose delivery is stopped, by cause; null when nobody knows just now: then it is as it was. */
  readonly tenantsStopped: () => Promise<ReadonlyMap<string, number> | null>;
  /** Settings of the database by which it may lose what was answered. */
  readonly unsafeSettings: () => readonly string[];
  /** By how much our clock is ahead of others, by their names. */
  readonly clockOffsetsMs: () => ReadonlyMap<string, number>;
  readonly isStoppedByClock: () => boolean;
  readonly elapsedMs: Timers['elapsedMs'];
};

/** The codes of our own, and as many as the authority has. */
const MOST_FAILURES = 500;

/** Metrics for Prometheus. Labels hold route patterns, never paths with identifiers, to keep the number of time series small. */
export function createMetrics(needs: Needs): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter<Label>({ name, help, labelNames, registers: [registry] });
  const requests = counter(
    'dostava_http_requests_total',
    'Requests answered, by route, method and HTTP status.',
    'route',
    'method',
    'status',
  );
  const duration = new Histogram({
    name: 'dostava_http_request_duration_seconds',
    help: 'Time from the first byte of the request head to the last byte of the answer.',
    labelNames: ['route', 'method'],
    buckets: SECONDS_BUCKETS,
    registers: [registry],
  });
  const deliveries = counter(
    'dostava_deliveries_total',
    'Delivery steps that ended, by outcome and failure code.',
    'outcome',
    'failure',
  );
  const givenUp = counter(
    'dostava_documents_failed_total',
    'Outbound documents that this process has given up: status 55.',
  );
  const failureLabel = fewLabels(MOST_FAILURES);
  // From zero on, so that the first one is an increase.
  for (const outcome of STRAYS) deliveries.inc({ outcome, failure: '' }, 0);
  const arrivals = counter(
    'dostava_arrivals_total',
    'Inbound documents and collections, by outcome: stored, unreadable, failed, resolved.',
    'outcome',
  );
  const containers = counter(
    'dostava_containers_total',
    'Containers asked for, by outcome: fetched, or the error code or kind of failure.',
    'outcome',
  );
  registerStates(registry, { ...needs, tenantsStopped: sharedAnswer(needs.tenantsStopped) });
  registerClocks(registry, needs);
  registerCircuits(registry);
  return {
    requestServed(route, method, status, durationMs) {
      requests.inc({ route, method, status });
      duration.observe({ route, method }, durationMs / 1000);
    },
    documentDelivered(outcome, failureCode) {
      deliveries.inc({ outcome, failure: failureLabel(failureCode ?? '') });
      if (outcome === 'failed') givenUp.inc();
    },
    tellTenantsFailing: failingMetric(registry),
    arrivalCollected: (outcome) => arrivals.inc({ outcome }),
    containerAsked: (outcome) => containers.inc({ outcome }),
    ...stateMetrics(registry, needs.elapsedMs),
    ...safetyMetrics(registry),
    ...scannerMetrics(registry),
    signatureFailed: signatureMetrics(registry),
    memory: memoryMetrics(registry),
    submissions: submissionMetrics(registry),
    render: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  };
}

/** Counted from zero on, so that the first failure is an increase. */
function signatureMetrics(registry: Registry): Metrics['signatureFailed'] {
  const failed = new Counter({
    name: 'dostava_signatures_failed_total',
    help: 'Requests that could not be signed, by what should have signed them: command, key.',
    labelNames: ['signer'],
    registers: [registry],
  });
  for (const signer of ['command', 'key']) failed.inc({ signer }, 0);
  return (signer) => failed.inc({ signer });
}

function memoryMetrics(registry: Registry): Metrics['memory'] {
  const held = new Gauge({
    name: 'dostava_memory_held_bytes',
    help: 'Memory of bodies that are being received, of large answers that clients have not read yet, and of large documents that are being delivered.',
    labelNames: ['of'],
    registers: [registry],
  });
  const limit = new Gauge({
    name: 'dostava_memory_limit_bytes',
    help: 'How much of that memory there may be; one document that is larger than all of it is still taken, alone.',
    labelNames: ['of'],
    registers: [registry],
  });
  const refusals = new Counter({
    name: 'dostava_memory_refusals_total',
    help: 'Calls that were refused because the memory for bodies or for answers was used up.',
    labelNames: ['of'],
    registers: [registry],
  });
  for (const what of ['bodies', 'answers']) {
    held.set({ of: what }, 0);
    refusals.inc({ of: what }, 0);
  }
  held.set({ of: 'deliveries' }, 0);
  return (of, limitBytes) => {
    limit.set({ of }, limitBytes);
    return { held: (bytes) => held.set({ of }, bytes), refused: () => refusals.inc({ of }) };
  };
}

function submissionMetrics(registry: Registry): Metrics['submissions'] {
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [registry] });
  const underWay = gauge(
    'dostava_submissions_under_way',
    'Small submissions that have arrived and are not answered yet.',
  );
  const most = gauge('dostava_submissions_limit', 'How many of them there may be before further ones are refused.');
  const refusals = new Counter({
    name: 'dostava_submissions_refused_total',
    help: 'Submissions that were refused because they would have waited too long.',
    registers: [registry],
  });
  return {
    changed(count, limit) {
      underWay.set(count);
      most.set(limit);
    },
    refused: () => refusals.inc(),
  };
}

/** Metrics whose values are asked for when they are read. */
function registerStates(registry: Registry, needs: Needs): void {
  const { auditWaiting, auditUnwritten, tenantsStopped, unsafeSettings } = needs;
  new Gauge({
    name: 'dostava_audit_entries_waiting',
    help: 'Audit entries that are not written yet.',
    registers: [registry],
    collect() {
      this.set(auditWaiting());
    },
  });
  new Counter({
    name: 'dostava_audit_entries_unwritten_total',
    help: 'Audit entries that are in the log instead of the audit trail, because they could not be written or buffered.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(auditUnwritten());
    },
  });
  new Gauge({
    name: 'dostava_database_unsafe_settings',
    help: 'Settings of PostgreSQL by which it may lose what was answered when its machine fails; looked at in production.',
    registers: [registry],
    collect() {
      this.set(unsafeSettings().length);
    },
  });
  new Gauge({
    name: 'dostava_tenants_stopped',
    help: 'Tenants whose delivery is stopped, by cause; the same in every process.',
    labelNames: ['cause'],
    registers: [registry],
    async collect() {
      const stopped = await tenantsStopped();
      // A series that vanishes ends the alert on it.
      if (stopped === null) return;
      this.reset();
      for (const [cause, tenants] of stopped) this.set({ cause }, tenants);
    },
  });
}

function registerClocks(registry: Registry, { clockOffsetsMs, isStoppedByClock }: Needs): void {
  new Gauge({
    name: 'dostava_clock_offset_seconds',
    help: 'By how much the clock of a worker is ahead of others; negative where it is behind.',
    labelNames: ['reference'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [reference, offsetMs] of clockOffsetsMs()) this.set({ reference }, offsetMs / 1000);
    },
  });
  new Gauge({
    name: 'dostava_delivery_stopped_by_clock',
    help: '1 while a worker delivers nothing because its clock differs too much from others.',
    registers: [registry],
    collect() {
      this.set(isStoppedByClock() ? 1 : 0);
    },
  });
}
