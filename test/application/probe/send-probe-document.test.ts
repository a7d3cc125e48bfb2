import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemRandom } from '../../../src/adapters/platform/platform.ts';
import { manageTenants } from '../../../src/application/accounts/manage-tenants.ts';
import { OperatorError } from '../../../src/application/errors/operator-error.ts';
import { sendProbeDocument } from '../../../src/application/probe/send-probe-document.ts';
import { ANY_OUTBOUND, fileOf, MORNING, newOutbound, newTenant, recordTest } from '../../engines/samples.ts';
import { createTestDatabase } from '../../support/engines.ts';
import { clockAt } from '../../support/test-clock.ts';

test('a probe that was agreed to in one environment registers nothing in the other', async (t) => {
  const { storage, close } = await createTestDatabase();
  t.after(close);
  const clock = clockAt();
  const tenants = manageTenants({ storage, clock, record: recordTest });
  for (const change of [{ environment: 'production' }, { outboundEnabled: false }] as const) {
    const tenant = newTenant({ environment: 'test' });
    await storage.transaction((tx) => tx.tenants.add(tenant, MORNING));
    const send = sendProbeDocument({
      storage,
      clock,
      random: systemRandom,
      record: recordTest,
      pause: async () => clock.advance(600_000),
      reader: { read: async () => ({ outcome: 'document', file: fileOf('x'), facts: newOutbound().facts, pdf: null }) },
      probe: {
        async isVatRegistered() {
          await tenants.set(tenant.edb, change);
          return true;
        },
      },
    });
    await assert.rejects(
      send(tenant, () => undefined),
      (error) =>
        error instanceof OperatorError && /^Nothing was sent: .* was changed meanwhile\.$/u.test(error.message),
    );
    const { totalCount } = await storage.outbound.list(tenant.edb, ANY_OUTBOUND, { page: 1, pageSize: 1 });
    assert.equal(totalCount, 0);
  }
});
