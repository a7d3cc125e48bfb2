import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { type Foundation, openFoundation } from '../../src/app/foundation.ts';
import { countFailing } from '../../src/app/states/count-failing.ts';
import { serviceStates } from '../../src/app/states/service-states.ts';
import { stoppedByCause } from '../../src/app/states/stopped-by-cause.ts';
import { readEdb } from '../../src/application/accounts/manage-tenants.ts';
import { DatabaseDamaged } from '../../src/application/errors/damage.ts';
import { ServiceUnavailable } from '../../src/application/errors/service-unavailable.ts';
import { readConfig } from '../../src/config.ts';
import { FAILURES_TO_TELL, FailuresInARow } from '../../src/domain/accounts/failures-in-a-row.ts';
import { isRaised } from '../alerts/expression.ts';
import { exprOf } from '../alerts/rules.ts';
import { temporaryFolder } from '../support/process.ts';
import { metricsWith } from '../support/quiet-metrics.ts';

async function foundationOf(t: TestContext): Promise<Foundation> {
  const foundation = await openFoundation(readConfig({ DATA_DIR: temporaryFolder() }));
  t.after(() => foundation.engine.close());
  return foundation;
}

async function textOf(foundation: Foundation, checkWrites = async () => undefined): Promise<string> {
  const failures = new FailuresInARow();
  for (let times = 0; times < FAILURES_TO_TELL; times += 1) failures.failed(readEdb('4030026000018'));
  const metrics = metricsWith({ tenantsStopped: () => stoppedByCause(foundation) });
  metrics.tellTenantsFailing(() => countFailing(foundation, failures));
  metrics.tellStates(serviceStates(foundation, checkWrites));
  return (await metrics.render()).text;
}

test('metrics tell that the database cannot be written, also where its folder is gone', async (t) => {
  const foundation = await foundationOf(t);
  assert.match(await textOf(foundation), /^dostava_database_disk_free_bytes \d+$/mu);
  rmSync(foundation.config.dataDir, { recursive: true });
  const text = await textOf(foundation, () => Promise.reject(new ServiceUnavailable('It was moved.')));
  assert.ok(isRaised(exprOf('DostavaDatabaseNotWritable'), [{ at: 0, text }]));
  assert.doesNotMatch(text, /^dostava_database_disk_free_bytes /mu, 'a zero would raise another alert');
});

test('metrics tell what they can where pages of the database are damaged', async (t) => {
  const damaged = () => Promise.reject(new DatabaseDamaged('The file of the embedded database is damaged.'));
  const store = new Proxy({}, { get: () => damaged });
  const foundation = await foundationOf(t);
  const storage = { ...foundation.storage, workload: store, overview: store, tenants: store };
  const engine = { ...foundation.engine, get: damaged };
  const text = await textOf({ ...foundation, storage, engine } as unknown as Foundation);
  assert.match(text, /^dostava_tenants_failing 1$/mu);
  assert.match(text, /^dostava_database_reachable 0$/mu);
});
