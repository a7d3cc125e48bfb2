import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { startTestService } from '../support/service.ts';
import { bytesOf } from '../support/ubl-samples.ts';
import { json, request } from './support/client.ts';
import { ACKNOWLEDGEMENT, INBOUND_DOCUMENT, INBOUND_ITEM, readFields, readPage } from './support/fields.ts';
import { fixedClock } from './support/fixed-clock.ts';
import { assertPlainProblem, assertProblem } from './support/problem.ts';
import { newTenant, type TestTenant } from './support/tenant.ts';

const clock = fixedClock('2026-11-02T08:00:00Z');
const service = await startTestService({ clock });
after(() => service.stop());

let arrivals = 0;
const arrive = async ({ edb }: TestTenant) => {
  arrivals += 1;
  return (await service.operator.importInbound(edb, null, bytesOf(`arrival ${arrivals}`))).docUid;
};

const acknowledge = async ({ post }: TestTenant, docUid: string) => {
  const answer = await post(`/inbound/${docUid}/ack`);
  assert.equal(answer.status, 200, answer.text);
  return readFields(ACKNOWLEDGEMENT, json(answer));
};

const open = async ({ get }: TestTenant) =>
  readPage(INBOUND_ITEM, json(await get('/inbound?onlyNotImported=true'))).items.map((item) => item.docUid);

suite('POST /inbound/{docUid}/ack', () => {
  test('sets ackedAt, and the document no longer appears with onlyNotImported=true', async () => {
    const tenant = await newTenant(service);
    const [first, second] = [await arrive(tenant), await arrive(tenant)];
    assert.deepEqual(await open(tenant), [second, first]);
    clock.set('2026-11-02T09:00:00.001Z');
    assert.deepEqual(await acknowledge(tenant, first), { docUid: first, ackedAt: '2026-11-02T09:00:00.001Z' });
    assert.deepEqual(await open(tenant), [second]);
    assert.equal(readPage(INBOUND_ITEM, json(await tenant.get('/inbound'))).totalCount, 2);
  });

  test('a repeat is not an error and never moves the first ackedAt', async () => {
    const tenant = await newTenant(service);
    const docUid = await arrive(tenant);
    const first = await acknowledge(tenant, docUid);
    clock.advance(86_400_000);
    assert.deepEqual(await acknowledge(tenant, docUid), first);
    const { ackedAt } = readFields(INBOUND_DOCUMENT, json(await tenant.get(`/inbound/${docUid}`)));
    assert.equal(ackedAt, first.ackedAt);
  });

  test('30 at the same moment agree on one ackedAt', async () => {
    const tenant = await newTenant(service);
    const docUid = await arrive(tenant);
    const ticking = Array.from({ length: 30 }, () => {
      clock.advance(1);
      return acknowledge(tenant, docUid);
    });
    assert.equal(new Set((await Promise.all(ticking)).map(({ ackedAt }) => ackedAt)).size, 1);
    assert.deepEqual(await open(tenant), []);
  });

  test('an acknowledgement cannot be withdrawn, and importing the file again does not bring it back', async () => {
    const tenant = await newTenant(service);
    const { docUid } = await service.operator.importInbound(tenant.edb, null, bytesOf('again'));
    await acknowledge(tenant, docUid);
    const withdrawal = { method: 'DELETE', headers: tenant.headers };
    assertPlainProblem(await request(`${service.api}/inbound/${docUid}/ack`, withdrawal), 405);
    await service.operator.importInbound(tenant.edb, null, bytesOf('again'));
    assert.deepEqual(await open(tenant), []);
  });

  for (const body of ['{"tenant":1}', '<ack tenant-code="7"/>', 'TENANT_ID=7']) {
    test(`a body that names a tenant is ERR-1007, and nothing is acknowledged: ${body}`, async () => {
      const tenant = await newTenant(service);
      const docUid = await arrive(tenant);
      assertProblem(await tenant.post(`/inbound/${docUid}/ack`, body), 'ERR-1007');
      assert.deepEqual(await open(tenant), [docUid]);
    });
  }

  test('a harmless body is ignored', async () => {
    const tenant = await newTenant(service);
    for (const body of ['{"imported":true}', '<ack/>', 'ok']) {
      assert.equal((await tenant.post(`/inbound/${await arrive(tenant)}/ack`, body)).status, 200);
    }
  });
});
