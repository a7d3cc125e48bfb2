import { Gauge, type Registry } from 'prom-client';

/** Tenants whose attempts fail: how many is asked for when metrics are read. */
export function failingMetric(registry: Registry): (count: () => Promise<number>) => void {
  let count = async () => 0;
  new Gauge({
    name: 'dostava_tenants_failing',
    help: 'Tenants whose last attempts in this process, three or more in a row, failed.',
    registers: [registry],
    async collect() {
      this.set(await count());
    },
  });
  return (given) => {
    count = given;
  };
}
