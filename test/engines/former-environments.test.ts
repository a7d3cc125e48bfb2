import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemHasher, systemRandom } from '../../src/adapters/platform/platform.ts';
import { deliverOutbound } from '../../src/application/delivery/deliver-outbound.ts';
import type { Authority } from '../../src/application/ports/authority.ts';
import type { AuthorityEnvironment, Tenant } from '../../src/domain/accounts/tenant.ts';
import { onEveryEngine } from '../support/engines.ts';
import { clockAt } from '../support/test-clock.ts';
import { addOutboundIn, MORNING, newInbound, newOutbound, newTenant } from './samples.ts';

const ANSWER = { accepted: true, qrLink: null, registeredAt: null, statusCode: '01', statusName: null, message: null };
const NUMBER = '2026-7001';
const DATE = '2026-11-02';

let euids = 0;

onEveryEngine('documents of a tenant that goes from one environment to the other', (database) => {
  async function added() {
    const tenant = newTenant({ environment: 'test' });
    await database().storage.transaction((tx) => tx.tenants.add(tenant, MORNING));
    return tenant;
  }

  const goTo = (tenant: Tenant, environment: AuthorityEnvironment) =>
    database().storage.transaction((tx) => tx.tenants.update({ ...tenant, environment }));

  async function registered({ edb }: Tenant, documentNumber = NUMBER) {
    euids += 1;
    const euid = `019b8d43-7840-7433-b358-${String(euids).padStart(12, '0')}`;
    const facts = { ...newOutbound().facts, documentNumber, issueDate: DATE };
    const ujp = { ...ANSWER, euid, errors: [] };
    const { docUid } = await database().storage.transaction((tx) =>
      addOutboundIn(tx, edb, 40, newOutbound({ facts }), MORNING, { ujp, dueAt: MORNING }),
    );
    return { docUid, euid };
  }

  const queued = async ({ edb }: Tenant) => {
    const { docUid } = await database().storage.transaction((tx) => tx.outbound.add(edb, newOutbound(), MORNING));
    return docUid;
  };

  const blockedBy = async (tenant: Tenant) => {
    const document = { docUid: await queued(tenant), kind: 'Invoice', documentNumber: NUMBER } as const;
    return (await database().storage.deliveries.findDuplicate(tenant.edb, document))?.docUid ?? null;
  };

  const referred = async ({ edb }: Tenant) =>
    (await database().storage.deliveries.findAccepted(edb, [{ number: NUMBER, date: DATE }]))[0]?.euid ?? null;

  test('a number that was tried in one is free in the other, and taken where it is registered', async () => {
    const tenant = await added();
    const tried = await registered(tenant);
    assert.equal(await blockedBy(tenant), tried.docUid);
    await goTo(tenant, 'production');
    assert.equal(await blockedBy(tenant), null);
    const real = await registered(tenant);
    assert.equal(await blockedBy(tenant), real.docUid);
    await goTo(tenant, 'test');
    assert.equal(await blockedBy(tenant), tried.docUid);
    await goTo(tenant, 'production');
    assert.equal(await blockedBy(tenant), real.docUid);
  });

  test('a change back and forth without a document in between leaves them where they came', async () => {
    const tenant = await added();
    const { docUid } = await registered(tenant);
    for (const environment of ['production', 'test', 'production', 'test'] as const) await goTo(tenant, environment);
    assert.equal(await blockedBy(tenant), docUid);
    assert.equal(await database().storage.tenants.formerEnvironment(tenant.edb, 'outbound', docUid), 'test');
  });

  test('a reference leads to documents of the same environment alone', async () => {
    const tenant = await added();
    const tried = await registered(tenant);
    assert.equal(await referred(tenant), tried.euid);
    await goTo(tenant, 'production');
    assert.equal(await referred(tenant), null);
    const real = await registered(tenant);
    assert.equal(await referred(tenant), real.euid);
    await goTo(tenant, 'test');
    assert.equal(await referred(tenant), tried.euid);
  });

  test('what was found after a restore keeps its number in its environment alone', async () => {
    const tenant = await added();
    const marks = { docTypeCode: '100', docNumber: NUMBER };
    const lost = { ...marks, euid: `lost-${tenant.edb}`, docDate: DATE, docId: 'id', foundAt: MORNING };
    const { storage } = database();
    const found = async () => (await storage.lostRegistrations.find(tenant.edb, marks))?.euid ?? null;
    await storage.transaction((tx) => tx.lostRegistrations.add(tenant.edb, lost, 'test'));
    assert.equal(await found(), lost.euid);
    await goTo(tenant, 'production');
    assert.equal(await found(), null);
    await goTo(tenant, 'test');
    assert.equal(await found(), lost.euid);
  });

  test('a container is asked for where the document is registered', async () => {
    const tenant = await added();
    const tried = await registered(tenant, 'tried');
    await goTo(tenant, 'production');
    const real = await registered(tenant, 'real');
    const { storage } = database();
    const asked: string[] = [];
    async function container({ environment }: Tenant, euid: string) {
      asked.push(`${environment} ${euid}`);
      return new Uint8Array([1]);
    }
    const deliver = deliverOutbound({
      ...{ storage, authority: { container } as unknown as Authority, clock: clockAt(), random: systemRandom },
      ...{ hasher: systemHasher, reader: { content: () => assert.fail('nothing is sent') } },
      ...{ leaseMs: 60_000, outcomeWindowMs: 300_000, report: () => undefined },
    });
    const present = (await storage.tenants.find(tenant.edb)) ?? assert.fail();
    const lease = { token: 'worker', until: MORNING + 60_000 };
    const due = await storage.transaction((tx) => tx.deliveries.claim(tenant.edb, 'container', lease, MORNING, 2));
    for (const document of due) {
      await deliver({ tenant: present, document, token: lease.token, claimedAt: MORNING });
    }
    assert.deepEqual(asked.toSorted(), [`production ${real.euid}`, `test ${tried.euid}`]);
  });

  test('each document is of the environment that it came in', async () => {
    const tenant = await added();
    const { storage } = database();
    const arrived = async () =>
      (await storage.transaction((tx) => tx.inbound.add(tenant.edb, newInbound(), MORNING))).stored.docUid;
    const came = [{ outbound: await queued(tenant), inbound: await arrived() }];
    for (const environment of ['production', 'test'] as const) {
      await goTo(tenant, environment);
      came.push({ outbound: await queued(tenant), inbound: await arrived() });
    }
    for (const side of ['outbound', 'inbound'] as const) {
      const of = await Promise.all(
        came.map((documents) => storage.tenants.formerEnvironment(tenant.edb, side, documents[side])),
      );
      assert.deepEqual(of, ['test', 'production', null], side);
    }
    assert.equal((await storage.tenants.find(tenant.edb))?.environment, 'test');
  });
});
