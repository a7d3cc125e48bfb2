import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { newTenant, type TestTenant } from '../contract/support/tenant.ts';
import { until } from '../support/process.ts';
import { startTestService } from '../support/service.ts';
import { attackerOn, attackersOn, head, MIB } from './attack-client.ts';

const service = await startTestService();
after(() => service.stop());

/** More than a connection takes that nobody reads. Five of them fill what one tenant may have, half of 256 MiB. */
const FILE_BYTES = 24 * MIB;
const FITTING = 5;

async function tenantWithFile(): Promise<TestTenant & { readonly path: string }> {
  const tenant = await newTenant(service);
  const { docUid } = await service.operator.importInbound(tenant.edb, null, new Uint8Array(FILE_BYTES));
  return { ...tenant, path: `/inbound/${docUid}/file` };
}

suite('answers that nobody reads', () => {
  test('take a limited share of memory: 503 beyond it, while others are served, and all of it is given back', async (t) => {
    const [attacked, other] = [await tenantWithFile(), await tenantWithFile()];
    const attackers = await attackersOn(t, service, FITTING, { reads: false });
    for (const { send } of attackers) await send(head('GET', attacked.path, attacked.headers));
    const refused = await until('the share used up', async () => {
      const answer = await attacked.get(attacked.path);
      return answer.status === 503 ? answer : null;
    });
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
    assert.equal((JSON.parse(refused.text) as { readonly code: unknown }).code, null);
    for (const name of ['etag', 'repr-digest', 'content-disposition']) assert.equal(refused.headers.get(name), null);
    assert.equal(refused.headers.get('cache-control'), 'no-store');
    assert.ok(refused.headers.get('ratelimit') !== null);
    assert.equal((await attacked.get('/ping')).status, 200, 'small answers are not refused');
    assert.equal((await other.get(other.path)).bytes.length, FILE_BYTES);
    for (const { socket } of attackers) socket.destroy();
    await until('room again', async () => (await attacked.get(attacked.path)).status === 200);
  });

  test('on one connection hold one file, however many were asked for', async (t) => {
    const tenant = await tenantWithFile();
    const attacker = await attackerOn(t, service, { reads: false });
    await attacker.send(head('GET', tenant.path, tenant.headers).repeat(200));
    await until('the first answer begun', () => attacker.socket.bytesRead > 0);
    const more = await attackersOn(t, service, FITTING - 2, { reads: false });
    for (const { send } of more) await send(head('GET', tenant.path, tenant.headers));
    await until('their answers begun', () => more.every(({ socket }) => socket.bytesRead > 0));
    assert.equal((await tenant.get(tenant.path)).status, 200, 'one place is left');
  });

  test('that are large and not read yet are read a few at a time: 503 beyond that, and room again afterwards', async () => {
    const tenant = await newTenant(service);
    const item = `{"a":"${'b'.repeat(90)}"},`;
    const file = new TextEncoder().encode(`{"document":[${item.repeat(80_000)}{}]}`);
    const { docUid } = await service.operator.importInbound(tenant.edb, null, file);
    const path = `/inbound/${docUid}/file`;
    const answers = await Promise.all(Array.from({ length: 12 }, () => tenant.get(path)));
    const statuses = Map.groupBy(answers, ({ status }) => status);
    assert.deepEqual(new Set(statuses.keys()), new Set([200, 503]));
    for (const { headers } of statuses.get(503) ?? []) assert.ok(Number(headers.get('retry-after')) > 0);

    assert.equal((await tenant.get(path)).status, 200);
  });
});
