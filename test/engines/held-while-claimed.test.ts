import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { systemHasher, systemRandom } from '../../src/adapters/platform/platform.ts';
import { interpretErrors } from '../../src/adapters/ujp/answers/interpret-errors.ts';
import { deliverOutbound } from '../../src/application/delivery/deliver-outbound.ts';
import type { Authority } from '../../src/application/ports/authority.ts';
import { deliverVoids } from '../../src/application/voiding/deliver-voids.ts';
import type { Edb } from '../../src/domain/accounts/edb.ts';
import { RESTORED } from '../../src/domain/operations/delivery-hold.ts';
import { onEveryEngine } from '../support/engines.ts';
import { clockAt } from '../support/test-clock.ts';
import { addOutboundIn, MORNING, newOutbound, newTenant } from './samples.ts';

const SECOND = 1_000;
const LEASE = { token: 'first', until: MORNING + 60 * SECOND };
const AGAIN = { token: 'second', until: MORNING + 60 * SECOND };
const PAYLOAD = { docTypeCode: '100', docNumber: '2026-1', docDate: '2026-11-16', docId: 'ID', text: '{}' };
const REASON = { code: 'S-1', name: 'Погрешен купувач', comment: null };
const UJP = { accepted: true, qrLink: null, registeredAt: null, statusCode: '01', statusName: null };

onEveryEngine('a hold that begins when something is claimed already', (database) => {
  const stored = () => database().storage;
  const ofAll = () => stored().transaction((tx) => tx.deliveryHold.set({ reason: 'maintenance', since: MORNING }));
  /** It had no account when the database was compared after a restore. */
  const ofTheTaxpayer = (edb: Edb) =>
    stored().transaction(async (tx) => {
      await tx.deliveryHold.set({ reason: RESTORED, since: MORNING });
      await tx.deliveryHold.endRestored(MORNING, [edb]);
    });
  const holds = { 'of all': ofAll, 'of the taxpayer': ofTheTaxpayer };
  afterEach(() => stored().transaction((tx) => tx.deliveryHold.end()));

  /** It is held while the request waits for its turn. */
  const authorityWhile = (hold: (edb: Edb) => Promise<unknown>) =>
    ({
      interpret: interpretErrors,
      prepare: async () => ({ outcome: 'prepared', document: PAYLOAD, warnings: [] }),
      prepareVoid: async () => ({ outcome: 'prepared', document: PAYLOAD }),
      async requestTimestamp({ edb }: { readonly edb: Edb }) {
        await hold(edb);
        return '2026-11-16T09:00:00';
      },
      send: () => assert.fail('nothing is sent'),
    }) as unknown as Authority;

  const needs = (hold: (edb: Edb) => Promise<unknown>) => ({
    storage: stored(),
    authority: authorityWhile(hold),
    clock: clockAt(),
    random: systemRandom,
    leaseMs: 60 * SECOND,
    outcomeWindowMs: 300 * SECOND,
    report: () => undefined,
  });

  const cases = Object.entries(holds).flatMap(([whose, hold]) =>
    ([10, 20] as const).map((status) => ({ whose, hold, status })),
  );
  for (const { whose, hold, status } of cases) {
    test(`${whose}: a document in ${status} stays as it is: not sent, no attempt counted, and free for others`, async () => {
      const { storage } = database();
      const settings = newTenant({ eujpId: 'user' });
      const { tenant, document } = await storage.transaction(async (tx) => {
        await tx.tenants.add(settings, MORNING);
        const changes = { dueAt: MORNING, ...(status === 20 ? { failures: 2 } : {}) };
        await addOutboundIn(tx, settings.edb, status, newOutbound({ holdMs: 0 }), MORNING, changes);
        const [document = assert.fail()] = await tx.deliveries.claim(settings.edb, 'delivery', LEASE, MORNING, 1);
        return { tenant: (await tx.tenants.find(settings.edb)) ?? assert.fail(), document };
      });
      const reader = { content: async () => '{}' };
      const deliver = deliverOutbound({ ...needs(hold), reader, hasher: systemHasher });
      await deliver({ tenant, document, token: LEASE.token, claimedAt: MORNING });
      assert.equal((await storage.outbound.find(tenant.edb, document.docUid))?.status, status);
      assert.deepEqual(await storage.deliveries.attempts(tenant.edb, document.docUid), []);
      const [again = assert.fail('the lease was not given back')] = await storage.transaction((tx) =>
        tx.deliveries.claim(tenant.edb, 'delivery', AGAIN, MORNING + SECOND, 1),
      );
      assert.equal(again.failures, document.failures);
    });
  }

  for (const [whose, hold] of Object.entries(holds)) {
    test(`${whose}: a void stays requested: not sent, no attempt counted, and free for others`, async () => {
      const { storage } = database();
      const { edb } = await storage.transaction(async (tx) => {
        const settings = newTenant({ eujpId: 'user' });
        await tx.tenants.add(settings, MORNING);
        return settings;
      });
      const docUid = await storage.transaction(async (tx) => {
        const ujp = { ...UJP, euid: '01a1e35e-c000-7aaa-8bbb-000000000001', message: null, errors: [] };
        const accepted = { ujp, failures: 0 };
        const document = await addOutboundIn(tx, edb, 40, newOutbound({ holdMs: 0 }), MORNING, accepted);
        await tx.voids.request(edb, document.docUid, REASON, MORNING);
        return document.docUid;
      });
      const readList = async () => assert.fail('no list is read');
      const onFailure = (error: unknown) => assert.fail(error as Error);
      const { startDue, finish } = deliverVoids({ ...needs(hold), readList, newToken: () => LEASE.token, onFailure });
      await startDue();
      await finish();
      const { state, failures } = (await storage.voids.find(edb, docUid)) ?? assert.fail();
      assert.deepEqual([state, failures], ['requested', 0]);
      assert.deepEqual(await storage.deliveries.attempts(edb, docUid), []);
      const claimed = await storage.transaction((tx) => tx.voids.claim(edb, AGAIN, MORNING + SECOND, 1));
      assert.deepEqual([claimed.length, claimed[0]?.docUid], [1, docUid]);
    });
  }
});
