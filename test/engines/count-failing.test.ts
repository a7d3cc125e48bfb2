import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemTimers } from '../../src/adapters/platform/timers.ts';
import { countFailing } from '../../src/app/states/count-failing.ts';
import { FAILURES_TO_TELL, FailuresInARow } from '../../src/domain/accounts/failures-in-a-row.ts';
import { onEveryEngine } from '../support/engines.ts';
import { addOutboundIn, MORNING, newOutbound, newTenant } from './samples.ts';

onEveryEngine('tenants that keep failing', (database) => {
  test('those with something to send are counted; one whose documents have all ended is not, and begins anew', async () => {
    const { storage } = database();
    const failures = new FailuresInARow();
    const ended = newTenant();
    const statuses = new Map([
      [newTenant(), 20],
      [ended, 60],
    ] as const);
    for (const [tenant, status] of statuses) {
      await storage.transaction(async (tx) => {
        await tx.tenants.add(tenant, MORNING);
        await addOutboundIn(tx, tenant.edb, status, newOutbound(), MORNING);
      });
      for (let times = 0; times < FAILURES_TO_TELL; times += 1) failures.failed(tenant.edb);
    }
    assert.equal(failures.tenants, 2);
    assert.equal(await countFailing({ storage, timers: systemTimers }, failures), 1);
    assert.equal(failures.failed(ended.edb), null, 'one failure is ordinary again');
    assert.equal(await countFailing({ storage, timers: systemTimers }, failures), 1);
  });
});
