import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createKeySecrets } from '../../../src/adapters/credentials/key-secrets.ts';
import { systemRandom } from '../../../src/adapters/platform/platform.ts';
import { manageKeys } from '../../../src/application/accounts/manage-keys.ts';
import { OperatorError } from '../../../src/application/errors/operator-error.ts';
import type { Tenant } from '../../../src/domain/accounts/tenant.ts';
import { MORNING, newEdb, newTenant, recordTest } from '../../engines/samples.ts';
import { createTestDatabase, type TestDatabase } from '../../support/engines.ts';
import { clockAt } from '../../support/test-clock.ts';

const HOUR_MS = 3_600_000;

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.close());

const secrets = createKeySecrets({ random: systemRandom, demoKeys: false });

async function operator() {
  const { storage } = database;
  const clock = clockAt();
  const tenant: Tenant = newTenant();
  await storage.transaction((tx) => tx.tenants.add(tenant, MORNING));
  const keys = manageKeys({
    storage,
    secrets,
    random: systemRandom,
    clock,
    record: recordTest,
  });
  const found = async (secret: string) => (await storage.keys.findBySecret(secrets.hash(secret)))?.key;
  return { keys, clock, tenant, found };
}

function refusal(kind: OperatorError['kind'], message: RegExp) {
  return (error: unknown) => error instanceof OperatorError && error.kind === kind && message.test(error.message);
}

test('an issued key works by its secret and carries the usual rights', async () => {
  const { keys, tenant, found } = await operator();
  const { key, secret } = await keys.issue({ tenant: tenant.edb, software: 'ledger' });
  assert.ok(secrets.isWellFormed(secret));
  assert.match(key.keyId, /^key-[0-9a-f]{16}$/);
  assert.deepEqual(await found(secret), key);
  assert.deepEqual(
    [key.scopes, key.expiresAt, key.revokedAt, key.allowedAddresses, key.callsPerMinute, key.createdAt],
    [['IntegrationApi'], null, null, [], 600, MORNING],
  );
});

test('what was ordered is what is issued', async () => {
  const { keys, tenant } = await operator();
  const order = {
    tenant: tenant.edb,
    software: 'shop',
    scopes: ['IntegrationApi', 'Reporting'],
    expiresAt: MORNING + HOUR_MS,
    allowedAddresses: ['192.0.2.0/24', '2001:db8::1'],
    callsPerMinute: 5,
  };
  const { key } = await keys.issue(order);
  const { keyId, createdAt, revokedAt, lastUsedAt: _, ...given } = key;
  assert.deepEqual(given, order);
  assert.deepEqual([createdAt, revokedAt, (await keys.list(tenant.edb))[0]?.keyId], [MORNING, null, keyId]);
});

test('the secret is nowhere in the database', async () => {
  const { keys, tenant } = await operator();
  const { secret } = await keys.issue({ tenant: tenant.edb, software: 'ledger' });
  const rows = await database.engine.all<Record<string, unknown>>('select * from api_key where tenant = $1', [
    tenant.edb,
  ]);
  const texts = rows.flatMap((row) => Object.values(row)).map((value) => Buffer.from(String(value)).toString('latin1'));
  assert.ok(rows.length === 1 && texts.every((text) => !text.includes(secret.slice(8, 24))));
});

test('a key for a tenant that does not exist is not issued', async () => {
  const { keys } = await operator();
  const nobody = newEdb();
  await assert.rejects(keys.issue({ tenant: nobody, software: 'x' }), refusal('not-found', new RegExp(nobody)));
  assert.deepEqual(await keys.list(nobody), []);
});

test('what is no address or range is refused by name, and nothing is changed', async () => {
  const { keys, tenant } = await operator();
  const wrong = ['10.0.0.1', 'office', '10.0.0.0/99'];
  const named = refusal('refused', /office, 10\.0\.0\.0\/99/);
  await assert.rejects(keys.issue({ tenant: tenant.edb, software: 'x', allowedAddresses: wrong }), named);
  assert.deepEqual(await keys.list(tenant.edb), []);
  const { key } = await keys.issue({ tenant: tenant.edb, software: 'x', allowedAddresses: ['10.0.0.1'] });
  await assert.rejects(async () => keys.allow(key.keyId, wrong), named);
  assert.deepEqual((await keys.list(tenant.edb))[0]?.allowedAddresses, ['10.0.0.1']);
});

test('allowed addresses replace the earlier ones; none means any', async () => {
  const { keys, tenant, found } = await operator();
  const { key, secret } = await keys.issue({ tenant: tenant.edb, software: 'x', allowedAddresses: ['10.0.0.1'] });
  await keys.allow(key.keyId, ['192.0.2.0/24', '::1']);
  assert.deepEqual((await found(secret))?.allowedAddresses, ['192.0.2.0/24', '::1']);
  assert.deepEqual((await keys.allow(key.keyId, [])).allowedAddresses, []);
  assert.deepEqual((await found(secret))?.allowedAddresses, []);
});

test('a revoked key is revoked from now on; revoking again does not move the time', async () => {
  const { keys, tenant, clock, found } = await operator();
  const { key, secret } = await keys.issue({ tenant: tenant.edb, software: 'x' });
  assert.equal((await keys.revoke(key.keyId)).revokedAt, MORNING);
  clock.advance(HOUR_MS);
  assert.equal((await keys.revoke(key.keyId)).revokedAt, MORNING);
  assert.equal((await found(secret))?.revokedAt, MORNING);
});

test('a renewed key has the same rights; the old one works until the overlap is over', async () => {
  const { keys, tenant, clock, found } = await operator();
  const order = {
    tenant: tenant.edb,
    software: 'shop',
    scopes: ['IntegrationApi', 'Reporting'],
    allowedAddresses: ['192.0.2.1'],
    callsPerMinute: 7,
  };
  const old = await keys.issue(order);
  clock.advance(HOUR_MS);
  const renewed = await keys.renew(old.key.keyId, 24 * HOUR_MS, null);
  assert.notEqual(renewed.secret, old.secret);
  assert.notEqual(renewed.key.keyId, old.key.keyId);
  const { tenant: edb, software, scopes, allowedAddresses, callsPerMinute } = renewed.key;
  assert.deepEqual({ tenant: edb, software, scopes, allowedAddresses, callsPerMinute }, order);
  assert.deepEqual([renewed.key.expiresAt, renewed.key.createdAt], [null, MORNING + HOUR_MS]);
  assert.equal((await found(old.secret))?.expiresAt, MORNING + 25 * HOUR_MS);
  assert.equal((await found(renewed.secret))?.keyId, renewed.key.keyId);
});

test('renewing does not lengthen the life of the old key, and the new one may have an end of its own', async () => {
  const { keys, tenant, found } = await operator();
  const old = await keys.issue({ tenant: tenant.edb, software: 'x', expiresAt: MORNING + HOUR_MS });
  const renewed = await keys.renew(old.key.keyId, 24 * HOUR_MS, MORNING + 100 * HOUR_MS);
  assert.equal((await found(old.secret))?.expiresAt, MORNING + HOUR_MS);
  assert.equal(renewed.key.expiresAt, MORNING + 100 * HOUR_MS);
});

test('a renewed key keeps the expiry of the old one unless another is given', async () => {
  const { keys, tenant, clock } = await operator();
  const end = MORNING + 1_000 * HOUR_MS;
  const old = await keys.issue({ tenant: tenant.edb, software: 'x', expiresAt: end });
  assert.equal((await keys.renew(old.key.keyId, HOUR_MS)).key.expiresAt, end);
  const another = await keys.issue({ tenant: tenant.edb, software: 'x', expiresAt: end });
  assert.equal((await keys.renew(another.key.keyId, HOUR_MS, null)).key.expiresAt, null);
  const unlimited = await keys.issue({ tenant: tenant.edb, software: 'x' });
  assert.equal((await keys.renew(unlimited.key.keyId, HOUR_MS)).key.expiresAt, null);
  const expired = await keys.issue({ tenant: tenant.edb, software: 'x', expiresAt: MORNING + HOUR_MS });
  clock.advance(HOUR_MS);
  await assert.rejects(keys.renew(expired.key.keyId, HOUR_MS), refusal('refused', /would have expired already/));
  assert.equal((await keys.renew(expired.key.keyId, HOUR_MS, end)).key.expiresAt, end);
});

test('a revoked key is not renewed: what was withdrawn is not handed out again', async () => {
  const { keys, tenant } = await operator();
  const { key } = await keys.issue({ tenant: tenant.edb, software: 'x' });
  await keys.revoke(key.keyId);
  await assert.rejects(keys.renew(key.keyId, HOUR_MS, null), refusal('refused', /revoked/));
  assert.equal((await keys.list(tenant.edb)).length, 1);
});

test('a key that does not exist can be neither revoked, renewed nor changed', async () => {
  const { keys } = await operator();
  const missing = refusal('not-found', /key-unknown/);
  await assert.rejects(keys.revoke('key-unknown'), missing);
  await assert.rejects(keys.renew('key-unknown', HOUR_MS, null), missing);
  await assert.rejects(async () => keys.allow('key-unknown', []), missing);
});

test('two changes to one key at the same moment are both kept', async () => {
  const { keys, tenant } = await operator();
  const { key } = await keys.issue({ tenant: tenant.edb, software: 'x' });
  await Promise.all([keys.revoke(key.keyId), keys.allow(key.keyId, ['10.0.0.1'])]);
  const [changed] = await keys.list(tenant.edb);
  assert.deepEqual([changed?.revokedAt, changed?.allowedAddresses], [MORNING, ['10.0.0.1']]);
});

test('blank scopes and ranges that mean more than they say are refused', async () => {
  const { keys, tenant } = await operator();
  const order = { tenant: tenant.edb, software: 'ledger' };
  for (const scopes of [[''], ['IntegrationApi', ' ']]) {
    await assert.rejects(keys.issue({ ...order, scopes }), refusal('refused', /A scope must not be blank/u));
  }
  for (const range of ['10.0.0.0/0', '192.0.2.1/24', '2001:db8::1/64', '::1/0']) {
    await assert.rejects(
      keys.issue({ ...order, allowedAddresses: [range] }),
      refusal('refused', /would allow all of/u),
    );
  }
  const { key } = await keys.issue({ ...order, allowedAddresses: ['0.0.0.0/0', '::/0'] });
  assert.deepEqual(key.allowedAddresses, ['0.0.0.0/0', '::/0'], 'said expressly');
});

test('a key with a range that would be refused today can still be renewed', async () => {
  const { keys, tenant } = await operator();
  const { key } = await keys.issue({ tenant: tenant.edb, software: 'ledger' });
  await database.storage.transaction((tx) => tx.keys.update({ ...key, allowedAddresses: ['10.1.2.3/8'] }));
  const renewed = await keys.renew(key.keyId, HOUR_MS);
  assert.deepEqual(renewed.key.allowedAddresses, ['10.1.2.3/8']);
});
