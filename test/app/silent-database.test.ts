import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Foundation } from '../../src/app/foundation.ts';
import { countFailing } from '../../src/app/states/count-failing.ts';
import { serviceStates } from '../../src/app/states/service-states.ts';
import { stoppedByCause } from '../../src/app/states/stopped-by-cause.ts';
import { readEdb } from '../../src/application/accounts/manage-tenants.ts';
import { readConfig } from '../../src/config.ts';
import { FAILURES_TO_TELL, FailuresInARow } from '../../src/domain/accounts/failures-in-a-row.ts';
import { isRaised } from '../alerts/expression.ts';
import { exprOf } from '../alerts/rules.ts';
import { PRODUCTION_VARIABLES } from '../support/production-variables.ts';
import { metricsWith } from '../support/quiet-metrics.ts';

/** What Prometheus gives to a scrape where nobody has said otherwise. */
const SCRAPE_MS = 10_000;

type Waiting = { readonly atMs: number; readonly run: () => void };

/** Time that passes when nothing else is left to do. */
function virtualTimers() {
  let nowMs = 0;
  const waiting = new Set<Waiting>();
  return {
    after(ms: number, run: () => void) {
      const one = { atMs: nowMs + ms, run };
      waiting.add(one);
      return { cancel: () => void waiting.delete(one) };
    },
    /** By when the work has ended. */
    async endOf(work: Promise<unknown>): Promise<number> {
      let hasEnded = false;
      const ending = work.finally(() => {
        hasEnded = true;
      });
      for (;;) {
        await new Promise((resolve) => setImmediate(resolve));
        if (hasEnded) break;
        const [next] = [...waiting].toSorted((one, other) => one.atMs - other.atMs);
        assert.ok(next !== undefined, 'the database is waited for without end');
        waiting.delete(next);
        nowMs = next.atMs;
        next.run();
      }
      await ending;
      return nowMs;
    },
  };
}

/** A server whose machine is gone: connections stay, and no answer comes. */
function silentFoundation(timers: ReturnType<typeof virtualTimers>): Foundation {
  const silence = () => new Promise<never>(() => undefined);
  const store = new Proxy({}, { get: () => silence });
  return {
    config: readConfig({ ...PRODUCTION_VARIABLES, DATABASE_URL: 'postgres://db.example/dostava' }),
    clock: { now: () => 0 },
    timers,
    engine: { get: silence, transaction: silence, connections: () => null },
    storage: { workload: store, overview: store, tenants: store },
  } as unknown as Foundation;
}

test('metrics say in time for Prometheus that the database does not answer, and raise the alert on it', async () => {
  const timers = virtualTimers();
  const foundation = silentFoundation(timers);
  const failures = new FailuresInARow();
  for (let times = 0; times < FAILURES_TO_TELL; times += 1) failures.failed(readEdb('4030026000018'));
  const metrics = metricsWith({ tenantsStopped: () => stoppedByCause(foundation) });
  metrics.tellTenantsFailing(() => countFailing(foundation, failures));
  metrics.tellStates(serviceStates(foundation, () => foundation.engine.transaction(async () => undefined)));
  const rendered = metrics.render();
  assert.ok((await timers.endOf(rendered)) < SCRAPE_MS);
  const { text } = await rendered;
  assert.match(text, /^dostava_database_reachable 0$/mu);
  assert.match(text, /^dostava_tenants_failing 1$/mu, 'what was known stays');
  assert.ok(isRaised(exprOf('DostavaDatabaseNotWritable'), [{ at: 0, text }]));
});
