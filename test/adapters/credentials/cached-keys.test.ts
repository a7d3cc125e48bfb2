import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { cacheKeys } from '../../../src/adapters/credentials/cached-keys.ts';
import { systemHasher } from '../../../src/adapters/platform/platform.ts';
import type { KeyStore } from '../../../src/application/ports/storage/key-store.ts';
import { MORNING, newKey, newTenant } from '../../engines/samples.ts';
import { createTestDatabase, type TestDatabase } from '../../support/engines.ts';

const TWO_SECONDS_MS = 2_000;

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.close());

async function issuedKey(secret: string) {
  const tenant = newTenant();
  const key = newKey(tenant.edb);
  await database.storage.transaction(async (tx) => {
    await tx.tenants.add(tenant, MORNING);
    await tx.keys.add(key, systemHasher.sha256(secret));
  });
  return { tenant, key, hash: systemHasher.sha256(secret) };
}

/** The cache over the real store, with a clock the test moves and a count of the look-ups that went through. */
function cached() {
  let now = MORNING;
  let lookUps = 0;
  const counting: Pick<KeyStore, 'findBySecret'> = {
    findBySecret(hash) {
      lookUps += 1;
      return database.storage.keys.findBySecret(hash);
    },
  };
  return {
    ...cacheKeys(counting, { now: () => now }),
    lookUps: () => lookUps,
    advance: (ms: number) => {
      now += ms;
    },
  };
}

test('a recognised key is looked up once for many calls', async () => {
  const { hash, key, tenant } = await issuedKey('often');
  const keys = cached();
  for (let call = 0; call < 100; call += 1) assert.deepEqual(await keys.findBySecret(hash), { key, tenant });
  assert.equal(keys.lookUps(), 1);
});

test('a change to the key or to its tenant is effective within two seconds', async () => {
  const { hash, key, tenant } = await issuedKey('changing');
  const keys = cached();
  await keys.findBySecret(hash);
  await database.storage.transaction(async (tx) => {
    await tx.keys.update({ ...key, revokedAt: MORNING });
    await tx.tenants.update({ ...tenant, outboundEnabled: false });
  });
  keys.advance(TWO_SECONDS_MS);
  const found = await keys.findBySecret(hash);
  assert.deepEqual([found?.key.revokedAt, found?.tenant.outboundEnabled], [MORNING, false]);
});

test('a key that is used all the time is looked up again all the same', async () => {
  const { hash, key } = await issuedKey('busy');
  const keys = cached();
  await keys.findBySecret(hash);
  await database.storage.transaction((tx) => tx.keys.update({ ...key, revokedAt: MORNING }));
  let revokedAfterMs = 0;
  while ((await keys.findBySecret(hash))?.key.revokedAt === null) {
    keys.advance(10);
    revokedAfterMs += 10;
    assert.ok(revokedAfterMs <= TWO_SECONDS_MS);
  }
});

test('an unknown key is not kept: it works from the moment it is issued', async () => {
  const keys = cached();
  const hash = systemHasher.sha256('yet to come');
  assert.equal(await keys.findBySecret(hash), null);
  assert.equal(await keys.findBySecret(hash), null);
  assert.equal(keys.lookUps(), 2);
  const { key } = await issuedKey('yet to come');
  assert.equal((await keys.findBySecret(hash))?.key.keyId, key.keyId);
});

test('a clock that steps back does not keep an old answer alive', async () => {
  const { hash, key } = await issuedKey('backwards');
  const keys = cached();
  await keys.findBySecret(hash);
  await database.storage.transaction((tx) => tx.keys.update({ ...key, revokedAt: MORNING }));
  keys.advance(-3_600_000);
  keys.advance(TWO_SECONDS_MS);
  assert.equal((await keys.findBySecret(hash))?.key.revokedAt, MORNING);
});

test('a look-up that fails is not remembered', async () => {
  const { hash, key, tenant } = await issuedKey('failing');
  let isDown = true;
  const flaky: Pick<KeyStore, 'findBySecret'> = {
    findBySecret: (secret) =>
      isDown ? Promise.reject(new Error('the database is away')) : database.storage.keys.findBySecret(secret),
  };
  const keys = cacheKeys(flaky, { now: () => MORNING });
  await assert.rejects(keys.findBySecret(hash), /away/);
  isDown = false;
  assert.deepEqual(await keys.findBySecret(hash), { key, tenant });
});
