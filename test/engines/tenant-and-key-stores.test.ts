import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemHasher } from '../../src/adapters/platform/platform.ts';
import type { ApiKey } from '../../src/domain/accounts/api-key.ts';
import type { Edb } from '../../src/domain/accounts/edb.ts';
import type { QueueState } from '../../src/domain/accounts/queue-state.ts';
import type { Tenant } from '../../src/domain/accounts/tenant.ts';
import { firstDocUidAt } from '../../src/domain/documents/doc-uid.ts';
import { onEveryEngine } from '../support/engines.ts';
import { MORNING, newEdb, newKey, newTenant } from './samples.ts';

onEveryEngine('tenants', (database) => {
  const add = (tenant: Tenant) => database().storage.transaction((tx) => tx.tenants.add(tenant, MORNING));

  test('an added tenant is found with every setting', async () => {
    const tenant = newTenant({
      name: 'Алфа ДООЕЛ',
      environment: 'production',
      outboundEnabled: false,
      eujpId: 'person-7',
      reverseChargeRate: 5,
      foreignCurrency: true,
    });
    assert.equal(await add(tenant), true);
    assert.deepEqual(await database().storage.tenants.find(tenant.edb), tenant);
    assert.equal(await database().storage.tenants.find(newEdb()), null);
  });

  test('a tenant that is added without them has the defaults of conversion', async () => {
    const { reverseChargeRate: _, foreignCurrency: __, ...bare } = newTenant();
    await database().storage.transaction((tx) => tx.tenants.add(bare, MORNING));
    const found = await database().storage.tenants.find(bare.edb);
    assert.deepEqual([found?.reverseChargeRate, found?.foreignCurrency], [18, false]);
  });

  test('a tenant that exists is not added again, nor changed by the attempt', async () => {
    const tenant = newTenant();
    await add(tenant);
    assert.equal(await add({ ...tenant, name: 'Impostor' }), false);
    assert.deepEqual(await database().storage.tenants.find(tenant.edb), tenant);
  });

  test('a change reaches one tenant and no other', async () => {
    const { storage } = database();
    const [tenant, neighbour] = [newTenant(), newTenant()];
    await add(tenant);
    await add(neighbour);
    const account = { name: 'New', environment: 'production', outboundEnabled: false, eujpId: 'x' } as const;
    const changed: Tenant = { ...tenant, ...account, reverseChargeRate: 10, foreignCurrency: true };
    assert.equal(await storage.transaction((tx) => tx.tenants.update(changed)), true);
    assert.deepEqual(await storage.tenants.find(tenant.edb), changed);
    assert.deepEqual(await storage.tenants.find(neighbour.edb), neighbour);
    assert.equal(await storage.transaction((tx) => tx.tenants.update(newTenant())), false);
  });

  test('tenants are listed by their EDB', async () => {
    const { storage } = database();
    await add(newTenant());
    const listed = (await storage.tenants.list()).map(({ edb }) => edb);
    assert.ok(listed.length > 1);
    assert.deepEqual(listed, listed.toSorted());
  });
});

onEveryEngine('stops of delivery', (database) => {
  const MINUTE_MS = 60_000;
  const stop = (edb: Edb, reason: string, now: number) =>
    database().storage.transaction((tx) => tx.tenants.stop(edb, reason, now));

  async function addTenant(): Promise<Tenant> {
    const tenant = newTenant();
    await database().storage.transaction((tx) => tx.tenants.add(tenant, MORNING));
    return tenant;
  }

  test('a stop is found with its tenant and with its keys, and reaches no other tenant', async () => {
    const { storage } = database();
    const [tenant, neighbour] = [await addTenant(), await addTenant()];
    await storage.transaction((tx) => tx.keys.add(newKey(tenant.edb), systemHasher.sha256('of a stopped tenant')));
    const until = await stop(tenant.edb, 'E1003 No such certificate', MORNING);
    const stopped = { until, since: MORNING, reason: 'E1003 No such certificate', cause: 'account' } as const;
    assert.equal(until, MORNING + MINUTE_MS);
    assert.deepEqual(await storage.tenants.find(tenant.edb), { ...tenant, stopped });
    assert.ok((await storage.tenants.list()).some((listed) => listed.stopped?.reason === stopped.reason));
    const found = await storage.keys.findBySecret(systemHasher.sha256('of a stopped tenant'));
    assert.deepEqual(found?.tenant, { ...tenant, stopped });
    assert.deepEqual(await storage.tenants.find(neighbour.edb), neighbour);
  });

  test('each stop in a row lasts twice as long, up to a quarter of an hour, and is one stop since the first', async () => {
    const { edb } = await addTenant();
    const pauses: number[] = [];
    for (let time = 0, now = MORNING; time < 7; time += 1) {
      const until = await stop(edb, `reason ${time}`, now);
      pauses.push((until - now) / MINUTE_MS);
      assert.equal(await stop(edb, 'while it is stopped', until - 1), until);
      now = until;
    }
    assert.deepEqual(pauses, [1, 2, 4, 8, 15, 15, 15]);
    const found = await database().storage.tenants.find(edb);
    assert.deepEqual([found?.stopped?.since, found?.stopped?.reason], [MORNING, 'reason 6']);
  });

  test('a tenant that is resumed has nothing left of its stops', async () => {
    const { storage } = database();
    const tenant = await addTenant();
    await stop(tenant.edb, 'once', MORNING);
    await stop(tenant.edb, 'twice', MORNING + MINUTE_MS);
    await storage.transaction((tx) => tx.tenants.resume(tenant.edb, MORNING));
    assert.deepEqual(await storage.tenants.find(tenant.edb), tenant);
    const later = MORNING + 5;
    assert.equal(await stop(tenant.edb, 'again', later), later + MINUTE_MS);
    assert.equal((await storage.tenants.find(tenant.edb))?.stopped?.since, later);
  });

  const CLEAR: QueueState = {
    stopped: null,
    timesStopped: 0,
    refusalsInARow: 0,
    refusedDocument: null,
    resumedAt: null,
  };
  const REFUSED: QueueState = {
    stopped: { until: MORNING + 5 * MINUTE_MS, since: MORNING, reason: 'E7777', cause: 'refused-requests' },
    timesStopped: 1,
    refusalsInARow: 2,
    refusedDocument: firstDocUidAt(MORNING),
    resumedAt: null,
  };
  const stateOf = (edb: Edb) => database().storage.tenants.queueState(edb);

  test('the first stop because of the account lasts a minute, also after refused requests', async () => {
    const { storage } = database();
    const over = MORNING + 5 * MINUTE_MS;
    for (const isResumed of [false, true]) {
      const { edb } = await addTenant();
      await storage.transaction((tx) => tx.tenants.saveQueueState(edb, { ...REFUSED, timesStopped: 3 }));
      if (isResumed) await storage.transaction((tx) => tx.tenants.resume(edb, MORNING));
      assert.equal(await stop(edb, 'E1012', over), over + MINUTE_MS);
      assert.equal(await stop(edb, 'E1012', over + MINUTE_MS), over + 3 * MINUTE_MS);
    }
  });
  const save = (edb: Edb, state: QueueState) =>
    database().storage.transaction((tx) => tx.tenants.saveQueueState(edb, state));

  test('the state of a queue is kept as it is saved, and counted by cause', async () => {
    const { storage } = database();
    const [tenant, neighbour] = [await addTenant(), await addTenant()];
    assert.deepEqual(await stateOf(tenant.edb), CLEAR);
    const before = (await storage.tenants.countStopped()).get('refused-requests') ?? 0;
    await save(tenant.edb, REFUSED);
    assert.deepEqual(await stateOf(tenant.edb), REFUSED);
    assert.deepEqual((await storage.tenants.find(tenant.edb))?.stopped, REFUSED.stopped);
    assert.deepEqual(await stateOf(neighbour.edb), CLEAR);
    assert.equal((await storage.tenants.countStopped()).get('refused-requests'), before + 1);
  });

  test('after refused requests a resumed tenant has one document go first, and the next stop is a longer one', async () => {
    const { storage } = database();
    const { edb } = await addTenant();
    await save(edb, REFUSED);
    assert.equal(await storage.transaction((tx) => tx.tenants.resume(edb, MORNING)), true);
    const resumed = { stopped: null, timesStopped: 1, refusalsInARow: 1, refusedDocument: null, resumedAt: MORNING };
    assert.deepEqual(await stateOf(edb), resumed);
    assert.equal(await storage.transaction((tx) => tx.tenants.resume(edb, MORNING)), false);
  });

  test('a document that the authority took ends a stop and all that was counted', async () => {
    const { storage } = database();
    const { edb } = await addTenant();
    const taken = () => storage.transaction((tx) => tx.tenants.recordTaken(edb, MORNING));
    assert.equal(await taken(), false);
    await save(edb, REFUSED);
    assert.equal(await taken(), true);
    assert.deepEqual(await stateOf(edb), { ...CLEAR, resumedAt: MORNING });
    await save(edb, { ...CLEAR, refusalsInARow: 1, refusedDocument: firstDocUidAt(MORNING) });
    assert.equal(await taken(), false, 'it was not stopped');
    assert.deepEqual(await stateOf(edb), { ...CLEAR, resumedAt: MORNING });
    await stop(edb, 'E1003', MORNING);
    assert.equal(await taken(), true);
    assert.deepEqual(await stateOf(edb), { ...CLEAR, resumedAt: MORNING });
  });

  test('an account that is not accepted is the cause of a running stop from then on', async () => {
    const { edb } = await addTenant();
    await save(edb, REFUSED);
    assert.equal(await stop(edb, 'E1012', MORNING + 1), REFUSED.stopped?.until);
    const { stopped } = await stateOf(edb);
    assert.deepEqual([stopped?.cause, stopped?.reason, stopped?.since], ['account', 'E1012', MORNING]);
  });

  test('a change of settings leaves a stop as it is', async () => {
    const { storage } = database();
    const tenant = await addTenant();
    const until = await stop(tenant.edb, 'why', MORNING);
    await storage.transaction((tx) => tx.tenants.update({ ...tenant, name: 'Renamed' }));
    const stopped = { until, since: MORNING, reason: 'why', cause: 'account' } as const;
    assert.deepEqual(await storage.tenants.find(tenant.edb), { ...tenant, name: 'Renamed', stopped });
  });

  test('who does not exist cannot be stopped', () => assert.rejects(stop(newEdb(), 'why', MORNING)));
});

onEveryEngine('keys', (database) => {
  const add = (key: ApiKey, secret: string) =>
    database().storage.transaction((tx) => tx.keys.add(key, systemHasher.sha256(secret)));

  async function addTenant(): Promise<Tenant> {
    const tenant = newTenant();
    await database().storage.transaction((tx) => tx.tenants.add(tenant, MORNING));
    return tenant;
  }

  test('a key is found by the hash of its secret, together with its tenant, and by its id', async () => {
    const { keys } = database().storage;
    const tenant = await addTenant();
    const key = newKey(tenant.edb, {
      scopes: ['IntegrationApi', 'Reporting'],
      expiresAt: MORNING + 1,
      revokedAt: MORNING + 2,
      allowedAddresses: ['10.0.0.0/8', '2001:db8::1'],
      callsPerMinute: 5,
    });
    await add(key, 'secret');
    assert.deepEqual(await keys.findBySecret(systemHasher.sha256('secret')), { key, tenant });
    assert.deepEqual(await keys.find(key.keyId), key);
    assert.equal(await keys.findBySecret(systemHasher.sha256('other')), null);
    assert.equal(await keys.find('key-unknown'), null);
  });

  test('two keys cannot share an id or a secret, and a key needs a tenant', async () => {
    const tenant = await addTenant();
    const key = newKey(tenant.edb);
    await add(key, 'taken');
    await assert.rejects(add(newKey(tenant.edb), 'taken'));
    await assert.rejects(add(key, 'free'));
    await assert.rejects(add(newKey(newEdb()), 'also free'));
  });

  test('a change of expiry, revocation and addresses is kept; what a key was issued for cannot change', async () => {
    const { storage } = database();
    const tenant = await addTenant();
    const [key, neighbour] = [newKey(tenant.edb), newKey(tenant.edb)];
    await add(key, 'changing');
    await add(neighbour, 'neighbour');
    const changes = { expiresAt: MORNING + 5, revokedAt: MORNING, allowedAddresses: ['192.0.2.1'] };
    await storage.transaction((tx) =>
      tx.keys.update({ ...key, ...changes, software: 'other', scopes: [], callsPerMinute: 1 }),
    );
    assert.deepEqual(await storage.keys.find(key.keyId), { ...key, ...changes });
    assert.deepEqual(await storage.keys.find(neighbour.keyId), neighbour);
  });

  test('the last use of a key is kept to the hour, whoever writes it, and a change leaves it as it is', async () => {
    const { storage } = database();
    const { edb } = await addTenant();
    const [key, neighbour] = [newKey(edb), newKey(edb)];
    await add(key, 'in use');
    await add(neighbour, 'not in use');
    const hour = 3_600_000;
    const ahead = MORNING + 30 * hour;
    for (const [at, kept] of [
      [MORNING, MORNING],
      [MORNING + hour - 1, MORNING],
      [MORNING + hour, MORNING + hour],
      [MORNING + 1, MORNING + hour],
      [ahead, ahead],
      [MORNING + 2 * hour, MORNING + 2 * hour],
    ] as const) {
      await storage.transaction((tx) => tx.keys.recordUse(edb, key.keyId, at));
      assert.equal((await storage.keys.find(key.keyId))?.lastUsedAt, kept, `${(at - MORNING) / hour} h`);
    }
    await storage.transaction((tx) => tx.keys.update({ ...key, revokedAt: MORNING }));
    const found = await storage.keys.findBySecret(systemHasher.sha256('in use'));
    assert.deepEqual(found?.key, { ...key, revokedAt: MORNING, lastUsedAt: MORNING + 2 * hour });
    assert.equal((await storage.keys.find(neighbour.keyId))?.lastUsedAt, null);
  });

  test('a list holds the keys of one tenant, oldest first, or those of all', async () => {
    const { keys } = database().storage;
    const [one, two] = [await addTenant(), await addTenant()];
    const late = newKey(one.edb, { createdAt: MORNING + 10 });
    const early = newKey(one.edb, { createdAt: MORNING });
    const foreign = newKey(two.edb);
    for (const key of [late, early, foreign]) await add(key, `secret of ${key.keyId}`);
    assert.deepEqual(await keys.list(one.edb), [early, late]);
    const ofAll = (await keys.list(null)).filter(({ tenant }) => tenant === one.edb || tenant === two.edb);
    assert.deepEqual(ofAll, [early, late, foreign]);
  });
});
