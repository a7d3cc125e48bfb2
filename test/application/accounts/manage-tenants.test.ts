import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { manageTenants, readEdb } from '../../../src/application/accounts/manage-tenants.ts';
import { OperatorError } from '../../../src/application/errors/operator-error.ts';
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

test('two changes to one tenant at the same moment are both kept', async () => {
  const tenant = newTenant();
  await tenants().add(tenant);
  await Promise.all([
    tenants().set(tenant.edb, { name: 'Renamed' }),
    tenants().set(tenant.edb, { outboundEnabled: false }),
  ]);
  assert.deepEqual(await tenants().find(tenant.edb), { ...tenant, name: 'Renamed', outboundEnabled: false });
});

test('the environment stays as it is while the authority may have a document whose answer is not known', async () => {
  const tenant = newTenant();
  await tenants().add(tenant);
  const { docUid } = await database.storage.transaction((tx) =>
    addOutboundIn(tx, tenant.edb, 30, newOutbound(), MORNING),
  );
  const move = () => tenants().set(tenant.edb, { environment: 'production' });
  await assert.rejects(move(), refusal('refused', /1 document .*status 30/u));
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
