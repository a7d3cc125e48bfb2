import { Gauge, type MetricObjectWithValues, type MetricValue, type Registry } from 'prom-client';
import { STOP_CAUSES } from '../../../domain/accounts/tenant.ts';

type Known = MetricObjectWithValues<MetricValue<string>>;
type Values = Known['values'];

/** From what the circuits of a kind are known, and how many of them are open. */
type Circuit = { readonly kind: string; readonly metric: string; readonly open: (values: Values) => number };

const sum = (values: Values) => values.reduce((total, { value }) => total + value, 0);
const zeros = (values: Values) => values.filter(({ value }) => value === 0).length;

const CIRCUITS: readonly Circuit[] = [
  { kind: 'authority', metric: 'dostava_authority_available', open: zeros },
  { kind: 'database', metric: 'dostava_database_writable', open: zeros },
  ...STOP_CAUSES.map((cause) => ({
    kind: cause,
    metric: 'dostava_tenants_stopped',
    open: (values: Values) => sum(values.filter(({ labels }) => labels['cause'] === cause)),
  })),
  { kind: 'key', metric: 'dostava_keys_unopened', open: sum },
  { kind: 'clock', metric: 'dostava_delivery_stopped_by_clock', open: sum },
  { kind: 'hold', metric: 'dostava_delivery_held', open: sum },
];

/** All that keeps documents from being sent, in one gauge: each kind has a metric of its own, with more to it. */
export function registerCircuits(registry: Registry): void {
  new Gauge({
    name: 'dostava_circuits_open',
    help: 'What keeps documents from being sent just now, by kind: installations of the authority that do not answer, the database, tenants that are stopped (by cause) or whose key does not open, the clock of a worker, a hold.',
    labelNames: ['kind'],
    registers: [registry],
    async collect() {
      // All at once, and at the moment at which they are read for themselves: each is then asked for once.
      const known = await Promise.all(
        CIRCUITS.map(({ metric }) => registry.getSingleMetric(metric)?.get() as Promise<Known> | undefined),
      );
      for (const [index, { kind, open }] of CIRCUITS.entries()) this.set({ kind }, open(known[index]?.values ?? []));
    },
  });
}
