import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { manageTenants, readEdb } from '../../../src/application/accounts/manage-tenants.ts';
import { FROM_FAR_BACK, followAuthorityStatus } from '../../../src/application/delivery/follow-authority-status.ts';
import { OperatorError } from '../../../src/application/errors/operator-error.ts';
import type { DocUid } from '../../../src/domain/documents/doc-uid.ts';
import type { OutboundStatus } from '../../../src/domain/documents/outbound-status.ts';
import { RESTORED } from '../../../src/domain/operations/delivery-hold.ts';
import { addOutboundIn, MORNING, newEdb, newOutbound, newTenant, record, recordTest } from '../../engines/samples.ts';
import { createTestDatabase, type TestDatabase } from '../../support/engines.ts';
import { clockAt } from '../../support/test-clock.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.close());

const tenants = () => manageTenants({ storage: database.storage, clock: clockAt(), record: recordTest });

function refusal(kind: OperatorError['kind'], message: RegExp) {
  return (error: unknown) => error instanceof OperatorError && error.kind === kind && message.test(error.message);
}

test('an added tenant is found by its EDB as people write it, and listed', async () => {
  const tenant = newTenant({ name: 'Алфа ДООЕЛ', eujpId: 'person' });
  await tenants().add(tenant);
  assert.deepEqual(await tenants().find(`МК ${tenant.edb}`), tenant);
  assert.ok((await tenants().list()).some(({ edb }) => edb === tenant.edb));
});

test('a tenant that exists is not added again', async () => {
  const tenant = newTenant();
  await tenants().add(tenant);
  await assert.rejects(tenants().add({ ...tenant, name: 'Other' }), refusal('refused', new RegExp(tenant.edb)));
  assert.equal((await tenants().find(tenant.edb)).name, tenant.name);
});

test('a change sets what is named and leaves the rest', async () => {
  const tenant = newTenant({ eujpId: 'person' });
  await tenants().add(tenant);
  const changed = { ...tenant, environment: 'production' as const, outboundEnabled: false };
  assert.deepEqual(
    await tenants().set(`mk${tenant.edb}`, { environment: 'production', outboundEnabled: false }),
    changed,
  );
  assert.deepEqual(await tenants().find(tenant.edb), changed);
  await tenants().set(tenant.edb, { eujpId: null });
  assert.equal((await tenants().find(tenant.edb)).eujpId, null);
});

test('an EUJP-ID is kept without the blanks around it, which no header carries: tenants of one user share its pace', async () => {
  const tenant = newTenant({ eujpId: ' person ' });
  assert.equal((await tenants().add(tenant)).eujpId, 'person');
  assert.equal((await tenants().set(tenant.edb, { eujpId: 'other person ' })).eujpId, 'other person');
  assert.equal((await tenants().find(tenant.edb)).eujpId, 'other person');
});

test('two changes to one tenant at the same moment are both kept', async () => {
  const tenant = newTenant();
  await tenants().add(tenant);
  await Promise.all([
    tenants().set(tenant.edb, { name: 'Renamed' }),
    tenants().set(tenant.edb, { outboundEnabled: false }),
  ]);
  assert.deepEqual(await tenants().find(tenant.edb), { ...tenant, name: 'Renamed', outboundEnabled: false });
});

for (const status of [10, 20] as const) {
  test(`the environment stays as it is while a document is in status ${status}: it would be sent to the other one`, async () => {
    const tenant = newTenant();
    await tenants().add(tenant);
    const open: DocUid[] = [];
    await database.storage.transaction(async (tx) => {
      const add = (one: OutboundStatus) => addOutboundIn(tx, tenant.edb, one, newOutbound(), MORNING);
      for (const one of [status, status]) open.push((await add(one)).docUid);
      for (const over of [40, 50, 55, 60] as const) await add(over);
    });
    const move = () => tenants().set(tenant.edb, { environment: 'production' });
    await assert.rejects(
      move(),
      refusal('refused', /stays test.* 2 documents are not over \("dostava outbound list .*"\): wait .*cancel/u),
    );
    assert.equal((await tenants().find(tenant.edb)).environment, 'test');
    for (const [done, docUid] of open.entries()) {
      await assert.rejects(move(), refusal('refused', done === 0 ? /2 documents are/u : /1 document is/u));
      await database.storage.transaction((tx) =>
        tx.outbound.move(tenant.edb, docUid, status, 'cancel', record(MORNING)),
      );
    }
    assert.equal((await move()).environment, 'production');
  });
}

test('while delivery is held nobody is told to wait for an outcome that does not come, but what ends the hold', async () => {
  const tenant = newTenant();
  await tenants().add(tenant);
  const { storage } = database;
  await storage.transaction((tx) => addOutboundIn(tx, tenant.edb, 30, newOutbound(), MORNING));
  const move = () => tenants().set(tenant.edb, { environment: 'production' });
  await assert.rejects(move(), (error: Error) => !/held/u.test(error.message));
  await storage.transaction((tx) => tx.deliveryHold.set({ reason: 'moving house', since: MORNING }));
  await assert.rejects(move(), refusal('refused', /held \(moving house\).* "dostava release"/u));
  await storage.transaction((tx) => tx.deliveryHold.end());
  await storage.transaction((tx) => tx.deliveryHold.set({ reason: RESTORED, since: MORNING }));
  const steps = /held after a restore.*--outbound off.*reconcile.*set the environment.*reconcile.*--outbound on/u;
  await assert.rejects(move(), refusal('refused', steps));
  // It had no account when the hold was ended, and has one now: it is held by itself.
  await storage.transaction((tx) => tx.deliveryHold.endRestored(MORNING, [tenant.edb]));
  const facts = { certificate: '', serialNumber: 'A1', validTo: MORNING, changedAt: MORNING };
  const sealed = { sealedKey: new Uint8Array(1), sealedBy: 'AAAAAAAA' };
  await storage.transaction(async (tx) => {
    await tx.tenants.update({ ...tenant, eujpId: 'eujp-1' });
    await tx.credentials.save({ tenant: tenant.edb, ...facts, ...sealed });
  });
  await assert.rejects(move(), refusal('refused', steps));
  await storage.transaction((tx) => tx.deliveryHold.end());
});

test('a taxpayer stays in production after a restore until it was compared there, or released', async () => {
  const { storage } = database;
  const moved = async (environment: 'test' | 'production') => {
    const tenant = newTenant();
    await tenants().add(tenant);
    await storage.transaction((tx) => tx.tenants.update({ ...tenant, environment }));
    return { edb: tenant.edb, to: (other: 'test' | 'production') => tenants().set(tenant.edb, { environment: other }) };
  };
  const [all, alone, free, inTest] = [
    await moved('production'),
    await moved('production'),
    await moved('production'),
    await moved('test'),
  ];
  await storage.transaction((tx) => tx.deliveryHold.set({ reason: RESTORED, since: MORNING }));
  const stays = refusal('refused', /stays in production.*"dostava reconcile".*"dostava release/u);
  await assert.rejects(all.to('test'), stays);
  assert.equal((await inTest.to('production')).environment, 'production', 'it is compared there');
  await storage.transaction((tx) => tx.deliveryHold.endRestored(MORNING, [alone.edb, inTest.edb]));
  // Also while it has no account: it may get one in test.
  for (const held of [alone, inTest]) await assert.rejects(held.to('test'), stays);
  assert.equal((await free.to('test')).environment, 'test');
  await storage.transaction((tx) => tx.deliveryHold.endUncompared(alone.edb));
  assert.equal((await alone.to('test')).environment, 'test');
  await storage.transaction((tx) => tx.deliveryHold.set({ reason: 'moving house', since: MORNING }));
  assert.equal((await all.to('test')).environment, 'test', 'a hold of an operator says nothing of a restore');
  await storage.transaction((tx) => tx.deliveryHold.end());
  await storage.transaction((tx) => tx.deliveryHold.end());
});

test('the environment stays as it is while a void is open: its outcome would be looked up in the other one', async () => {
  const tenant = newTenant();
  await tenants().add(tenant);
  const { storage } = database;
  const reason = { code: 'S-1', name: 'Wrong buyer', comment: null };
  await storage.transaction(async (tx) => {
    const { docUid } = await addOutboundIn(tx, tenant.edb, 40, newOutbound(), MORNING);
    await tx.voids.request(tenant.edb, docUid, reason, MORNING);
  });
  const move = () => tenants().set(tenant.edb, { environment: 'production' });
  await assert.rejects(move(), refusal('refused', /stays test.* 1 void is not over: wait/u));
  const lease = { token: 'one', until: MORNING + 1 };
  const [claimed] = await storage.transaction((tx) => tx.voids.claim(tenant.edb, lease, MORNING, 1));
  const ended = {
    state: 'refused',
    dueAt: null,
    failures: 1,
    failureCode: 'UJP-E1016',
    failureMessage: 'No.',
  } as const;
  const docUid = claimed?.docUid ?? assert.fail();
  await storage.transaction((tx) => tx.voids.settle(tenant.edb, docUid, 'one', { ...ended, endedAt: MORNING }));
  assert.equal((await move()).environment, 'production');
});

test('later statuses are followed from far back after a change of the environment: nobody asked there meanwhile', async () => {
  const { storage } = database;
  const tenant = newTenant({ environment: 'production', eujpId: 'person' });
  await tenants().add(tenant);
  await storage.transaction((tx) => tx.recurringTasks.schedule(tenant.edb, ['collect', 'follow'], MORNING));
  const claim = (token: string, now: number) =>
    storage.transaction((tx) =>
      tx.recurringTasks.claim({ token, until: now + 1 }, now, 10, { maxPerName: 1, running: [] }),
    );
  const checkpoints = async (token: string, now: number) =>
    (await claim(token, now)).map(({ name, checkpoint }) => `${name} ${checkpoint}`).toSorted();
  const end = (name: 'collect' | 'follow', token: string) => {
    const next = { dueAt: MORNING + 1, checkpoint: '2026-11-16', failures: 0, failure: null, quietRuns: 0 };
    return storage.transaction((tx) => tx.recurringTasks.reschedule({ tenant: tenant.edb, name }, token, next));
  };
  assert.deepEqual(await checkpoints('one', MORNING), ['collect null', 'follow null']);
  assert.deepEqual([await end('collect', 'one'), await end('follow', 'one')], [true, true]);
  await tenants().set(tenant.edb, { name: 'Renamed', environment: 'production' });
  assert.deepEqual(await checkpoints('two', MORNING + 1), ['collect 2026-11-16', 'follow 2026-11-16']);
  await tenants().set(tenant.edb, { environment: 'test' });
  assert.equal(await end('follow', 'two'), false, 'what ran meanwhile is no result of the new environment');
  assert.deepEqual(await checkpoints('three', MORNING + 2), ['collect 2026-11-16', 'follow ']);
  const asked: string[] = [];
  async function statusChanges(_: unknown, day: string) {
    asked.push(day);
    return [];
  }
  const follow = followAuthorityStatus({
    storage,
    authority: { statusChanges },
    clock: clockAt(),
    report: () => undefined,
  });
  await follow(tenant, FROM_FAR_BACK);
  assert.equal(asked.length, 91);
});

test('a change of the environment is on record as one only where it was another before', async () => {
  const tenant = newTenant();
  await tenants().add(tenant);
  const changedAt = () => database.storage.audit.environmentChangedAt(tenant.edb, MORNING);
  await tenants().set(tenant.edb, { name: 'environment', environment: 'test' });
  assert.equal(await changedAt(), null);
  await tenants().set(tenant.edb, { environment: 'production' });
  assert.notEqual(await changedAt(), null);
});

test('the environment stays as it is while the authority may have a document whose answer is not known', async () => {
  const tenant = newTenant();
  await tenants().add(tenant);
  const { docUid } = await database.storage.transaction((tx) =>
    addOutboundIn(tx, tenant.edb, 30, newOutbound(), MORNING),
  );
  const move = () => tenants().set(tenant.edb, { environment: 'production' });
  await assert.rejects(move(), refusal('refused', /1 document is not over/u));
  assert.equal((await tenants().find(tenant.edb)).environment, tenant.environment);
  await tenants().set(tenant.edb, { name: 'Renamed', environment: tenant.environment });
  await database.storage.transaction((tx) => tx.outbound.move(tenant.edb, docUid, 30, 'reject', record(MORNING)));
  assert.equal((await move()).environment, 'production');
});

test('another EUJP-ID or environment lets delivery go on; any other change leaves a stop where it is', async () => {
  const { storage } = database;
  const tenant = newTenant({ eujpId: 'person' });
  await tenants().add(tenant);
  for (const changes of [{ eujpId: 'other' }, { environment: 'production' as const }]) {
    await storage.transaction((tx) => tx.tenants.stop(tenant.edb, 'E1003', MORNING));
    assert.equal((await tenants().set(tenant.edb, { name: 'Renamed' })).stopped?.reason, 'E1003');
    assert.equal((await tenants().find(tenant.edb)).stopped?.reason, 'E1003');
    assert.equal((await tenants().set(tenant.edb, changes)).stopped, null);
    assert.equal((await tenants().find(tenant.edb)).stopped, null);
  }
});

test('a tenant that does not exist is neither found nor changed', async () => {
  const nobody = newEdb();
  await assert.rejects(tenants().find(nobody), refusal('not-found', new RegExp(nobody)));
  await assert.rejects(tenants().set(nobody, { name: 'x' }), refusal('not-found', new RegExp(nobody)));
});

test('what is no EDB is refused in words', async () => {
  assert.throws(() => readEdb('12345'), refusal('refused', /"12345" is not an EDB: it has 13 digits/));
  await assert.rejects(tenants().find(''), refusal('refused', /13 digits/));
});
