import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Timers } from '../../../application/ports/platform.ts';

export type AuthorityMetrics = {
  /** A request to the authority has ended; its outcome is `answered` or the kind of failure. */
  readonly authorityCalled: (
    call: { readonly environment: string; readonly service: string; readonly outcome: string },
    durationMs: number,
  ) => void;
  /** Whose answers are compared: each begins at 0, since of a counter that begins at 1 nobody sees that it has grown. */
  readonly answersCompared: (services: readonly string[]) => void;
  readonly answerDeviated: (service: string) => void;
  readonly statusFollowed: (code: string) => void;
};

const STATUS_CODE = /^\d\d$/u;

/** Nothing useful comes from the authority while every request ends so. */
const AWAY: ReadonlySet<string> = new Set(['unreachable', 'timeout', 'error']);

/** Workers ask every half minute. What others last met says nothing about now: a dry run that failed was an outage for as long as their process ran. */
const TOLD_FOR_MS = 300_000;

const SECONDS_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

export function authorityMetrics(registry: Registry, elapsedMs: Timers['elapsedMs']): AuthorityMetrics {
  const registers = [registry];
  const requests = new Counter({
    name: 'dostava_authority_requests_total',
    help: 'Requests to the authority, by installation, service and outcome: answered, or the kind of failure.',
    labelNames: ['environment', 'service', 'outcome'],
    registers,
  });
  const duration = new Histogram({
    name: 'dostava_authority_request_duration_seconds',
    help: 'Time of a request to the authority, without the wait for its turn.',
    labelNames: ['environment', 'service'],
    buckets: SECONDS_BUCKETS,
    registers,
  });
  const deviations = new Counter({
    name: 'dostava_authority_answer_deviations_total',
    help: 'Answers of the authority that are not as expected, by service.',
    labelNames: ['service'],
    registers,
  });
  const statuses = new Counter({
    name: 'dostava_authority_statuses_total',
    help: "Later statuses of registered documents, by the authority's code: 03 accepted by the buyer, 05 rejected by it, 07 voided.",
    labelNames: ['status'],
    registers,
  });
  const lastCalledMs = new Map<string, number>();
  const available = new Gauge({
    name: 'dostava_authority_available',
    help: '1 when the last request of this process to the installation brought an answer, 0 when it did not; nothing when there was none for five minutes.',
    labelNames: ['environment'],
    registers,
    collect() {
      for (const [environment, atMs] of lastCalledMs)
        if (elapsedMs() - atMs > TOLD_FOR_MS) this.remove({ environment });
    },
  });
  return {
    authorityCalled({ environment, service, outcome }, durationMs) {
      requests.inc({ environment, service, outcome });
      duration.observe({ environment, service }, durationMs / 1000);
      lastCalledMs.set(environment, elapsedMs());
      available.set({ environment }, AWAY.has(outcome) ? 0 : 1);
    },
    answersCompared(services) {
      for (const service of services) deviations.inc({ service }, 0);
    },
    answerDeviated: (service) => deviations.inc({ service }),
    // A text of any form would make a time series of its own.
    statusFollowed: (code) => statuses.inc({ status: STATUS_CODE.test(code) ? code : 'other' }),
  };
}
