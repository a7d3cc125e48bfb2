import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemHasher, systemRandom } from '../../../src/adapters/platform/platform.ts';
import { interpretErrors } from '../../../src/adapters/ujp/answers/interpret-errors.ts';
import { deliverOutbound } from '../../../src/application/delivery/deliver-outbound.ts';
import type { DeliveryNeeds } from '../../../src/application/delivery/delivery.ts';
import { AuthorityCallError } from '../../../src/application/ports/authority.ts';
import { render } from '../../../src/domain/messages/render.ts';
import { MORNING, newOutbound, newTenant } from '../../engines/samples.ts';
import { createTestDatabase } from '../../support/engines.ts';
import { clockAt } from '../../support/test-clock.ts';

const LEASE = { token: 'worker', until: MORNING + 60_000 };
const REFUSED = new AuthorityCallError('refused', {
  kind: 'refused',
  errors: [{ code: 'E1021', message: 'Не е пронајден' }],
});
const PAYLOAD = { docTypeCode: '100', docNumber: 'N-1', docDate: '2026-11-02', docId: 'X', text: '{}' };

const AUTHORITY: Partial<DeliveryNeeds['authority']> = {
  prepare: async () => ({ outcome: 'prepared', document: PAYLOAD, warnings: [] }),
  requestTimestamp: async () => '2026-11-02T08:00:00',
  send: () => Promise.reject(REFUSED),
  interpret: interpretErrors,
  refusedReferences: () => 'all',
};

test('while a document waits to be sent without refused references, its message says so in both languages', async (t) => {
  const database = await createTestDatabase();
  t.after(() => database.close());
  const { storage } = database;
  const settings = newTenant();
  const { edb } = settings;
  const { tenant, document } = await storage.transaction(async (tx) => {
    await tx.tenants.add(settings, MORNING);
    await tx.outbound.add(edb, newOutbound({ holdMs: 0 }), MORNING);
    const [claimed = assert.fail()] = await tx.deliveries.claim(edb, 'delivery', LEASE, MORNING, 1);
    return { tenant: (await tx.tenants.find(edb)) ?? assert.fail(), document: claimed };
  });
  await deliverOutbound({
    storage,
    authority: AUTHORITY as DeliveryNeeds['authority'],
    reader: { content: async () => ({}) as Awaited<ReturnType<DeliveryNeeds['reader']['content']>> },
    hasher: systemHasher,
    clock: clockAt(MORNING),
    random: systemRandom,
    ...{ leaseMs: 60_000, outcomeWindowMs: 0 },
    report: () => undefined,
  })({ tenant, document, token: LEASE.token, claimedAt: MORNING });
  const waiting = (await storage.outbound.find(edb, document.docUid)) ?? assert.fail();
  assert.deepEqual([waiting.status, waiting.failureCode], [20, 'UJP-E1021']);
  assert.match(
    waiting.failureMessage ?? '',
    /It says: E1021 .*\. The document is sent again without those references\.$/u,
  );
  assert.match(
    render('mk', waiting.failureSentences ?? []),
    /^Документ на кој се упатува .*Порака од УЈП: E1021 .*\. Документот повторно се испраќа без тие упатувања\.$/u,
  );
});
