import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Delivery } from '../../src/application/delivery/delivery.ts';
import { CommitUnknown } from '../../src/application/errors/commit-unknown.ts';
import { ServiceStopping, ServiceUnavailable } from '../../src/application/errors/service-unavailable.ts';
import type { Clock, Timers } from '../../src/application/ports/platform.ts';
import type { Storage } from '../../src/application/ports/storage/storage.ts';
import type { Edb } from '../../src/domain/accounts/edb.ts';
import { type DeliveryLoopNeeds, startDelivery } from '../../src/worker/delivery-loop.ts';
import type { Worker } from '../../src/worker/worker.ts';
import { addOutboundIn, MORNING, newOutbound, newTenant } from '../engines/samples.ts';
import { createTestDatabase, type TestDatabase } from '../support/engines.ts';
import { until } from '../support/process.ts';
import { steadyTimers } from '../support/steady-time.ts';
import { clockAt } from '../support/test-clock.ts';

const SETTINGS = { leaseMs: 60_000, pollMs: 5, maxInProgress: 4, maxPerUser: 2, stopMs: 60_000 };

type Order = Partial<DeliveryLoopNeeds['settings']> & {
  readonly deliver?: (delivery: Delivery) => Promise<void>;
  readonly clock?: Clock;
  readonly storage?: Storage;
} & Pick<DeliveryLoopNeeds, 'maySend' | 'mayServe'>;

const ALL = { created: { from: null, to: null }, statuses: null, partnerEdb: null };

const STANDING: Clock = { now: () => MORNING };

describe('the delivery loop', () => {
  let database: TestDatabase;
  const workers: Worker[] = [];
  const failures: { readonly error: unknown; readonly docUid: string | null }[] = [];
  before(async () => {
    database = await createTestDatabase();
  });
  afterEach(async () => {
    for (const worker of workers.splice(0)) await worker.stop();
    failures.length = 0;
    await database.engine.transaction(async (sql) => void (await sql.run('update outbound set due_at = null', [])));
  });
  after(() => database.close());

  /** Tenants with so many documents due each. */
  async function queue(tenants: number, documents: number, eujpId: string | null = null): Promise<readonly Edb[]> {
    const settings = Array.from({ length: tenants }, () => newTenant({ eujpId }));
    await database.storage.transaction(async (tx) => {
      for (const tenant of settings) {
        await tx.tenants.add(tenant, MORNING);
        for (let index = 0; index < documents; index += 1)
          await tx.outbound.add(tenant.edb, newOutbound({ holdMs: 0 }), MORNING);
      }
    });
    return settings.map(({ edb }) => edb);
  }

  /** Nothing is left to do for a document. */
  async function finish({ tenant, document, token }: Delivery): Promise<void> {
    await database.storage.transaction((tx) =>
      tx.deliveries.release(tenant.edb, document.docUid, token, { dueAt: null }),
    );
  }

  async function dueAt(delivery: Delivery | undefined): Promise<number | null> {
    if (delivery === undefined) return null;
    return database.storage.deliveries.dueAt(delivery.tenant.edb, delivery.document.docUid);
  }

  function start(order: Order = {}, timers: Timers = steadyTimers) {
    const { deliver = finish, clock = STANDING, storage = database.storage, maySend, mayServe, ...settings } = order;
    const taken: Delivery[] = [];
    const worker = startDelivery({
      timers,
      ...(maySend === undefined ? {} : { maySend }),
      ...(mayServe === undefined ? {} : { mayServe }),
      storage,
      deliver(delivery) {
        taken.push(delivery);
        return deliver(delivery);
      },
      clock,
      newToken: randomUUID,
      settings: { ...SETTINGS, ...settings },
      onFailure: (error, docUid) => failures.push({ error, docUid }),
    });
    workers.push(worker);
    return { taken, worker };
  }

  test('serves every tenant in turn when there are more than can be served at once', async () => {
    const tenants = await queue(6, 8);
    const { taken } = start();
    await until('all delivered', () => taken.length === 48);
    const early = new Set(taken.slice(0, 18).map(({ tenant }) => tenant.edb));
    assert.deepEqual([...early].toSorted(), [...tenants].toSorted());
    assert.equal(new Set(taken.map(({ document }) => document.docUid)).size, 48);
  });

  /** The queue of tenants, with a count of how often it is read. */
  function countedReads(): { readonly storage: Storage; readonly reads: () => number } {
    let reads = 0;
    const { deliveries } = database.storage;
    const tenantsDue: typeof deliveries.tenantsDue = (...order) => {
      reads += 1;
      return deliveries.tenantsDue(...order);
    };
    return { storage: { ...database.storage, deliveries: { ...deliveries, tenantsDue } }, reads: () => reads };
  }

  test('goes over thousands of tenants that it cannot serve without holding up anything else', async () => {
    await queue(200, 1);
    const { storage, reads } = countedReads();
    let turns = 0;
    const nextTurn = () => {
      turns += 1;
      return steadyTimers.nextTurn();
    };
    start({ storage, mayServe: async () => false }, { ...steadyTimers, nextTurn });
    await until('several passes', () => reads() > 12);
    assert.ok(turns > reads() / 2, `${turns} turns of others beside ${reads()} rounds`);
  });

  test('does not go over the tenants while nothing is due or delivery is held', async () => {
    await queue(3, 1);
    const { storage, reads } = countedReads();
    let looks = 0;
    const look = (answer: boolean) => async () => {
      looks += 1;
      return answer;
    };
    start({ storage, clock: clockAt(MORNING - 1), maySend: look(true) });
    start({ storage, maySend: look(false) });
    await until('both have looked often', () => looks > 20);
    assert.equal(reads(), 0);
  });

  test('serves every tenant of a user in turn: an accountant’s many companies share the user’s turns', async () => {
    const tenants = await queue(4, 6, 'accountant');
    const { taken } = start({ maxPerUser: 1 });
    await until('all delivered', () => taken.length === 24);
    for (let start = 0; start < 24; start += 4) {
      const round = new Set(taken.slice(start, start + 4).map(({ tenant }) => tenant.edb));
      assert.equal(round.size, tenants.length, `from ${start}`);
    }
  });

  const registered = { accepted: true, qrLink: null, registeredAt: null, statusCode: '01', statusName: null };

  /** Accepted documents of a tenant whose containers are due. */
  async function accept(tenant: Edb, documents: number): Promise<void> {
    await database.storage.transaction(async (tx) => {
      for (let index = 0; index < documents; index += 1) {
        const ujp = { ...registered, euid: randomUUID(), message: null, errors: [] };
        await addOutboundIn(tx, tenant, 40, newOutbound(), MORNING, { dueAt: MORNING - 1, ujp });
      }
    });
  }

  test('fetches a container before more documents are sent, of its own tenant and of all others', async () => {
    const [busy, done] = await queue(2, 20);
    assert.ok(busy !== undefined && done !== undefined);
    for (const tenant of [busy, done]) await accept(tenant, 1);
    const { taken } = start();
    await until('all taken', () => taken.length === 42);
    const early = taken.slice(0, SETTINGS.maxInProgress).filter(({ document }) => document.status === 40);
    assert.deepEqual(early.map(({ tenant }) => tenant.edb).toSorted(), [busy, done].toSorted());
  });

  test('sends documents beside any number of containers, of the same user too', async () => {
    const [tenant] = await queue(1, 10);
    assert.ok(tenant !== undefined);
    await accept(tenant, 40);
    const { taken } = start();
    await until('all taken', () => taken.length === 50);
    const statuses = taken.map(({ document }) => document.status);
    assert.ok(statuses.lastIndexOf(10) < 40, `${statuses}`);
  });

  test('says of how many documents it sends and of how many it fetches the container', async () => {
    const [tenant] = await queue(1, 2);
    assert.ok(tenant !== undefined);
    await accept(tenant, 1);
    const release = Promise.withResolvers<void>();
    const { taken, worker } = start({ deliver: (delivery) => release.promise.then(() => finish(delivery)) });
    await until('all taken', () => taken.length === 3);
    assert.deepEqual([worker.deliveries(), worker.containers()], [2, 1]);
    release.resolve();
  });

  test('serves tenants of which there are more than it looks at in one round', async () => {
    const tenants = await queue(70, 1);
    const { taken } = start();
    await until('all delivered', () => taken.length === tenants.length);
  });

  test('never has more under way than allowed, at once and per user, and none twice', async () => {
    await queue(3, 10);
    await queue(2, 10, 'accountant');
    const underWay: Delivery[] = [];
    let most = 0;
    const { taken } = start({
      async deliver(delivery) {
        underWay.push(delivery);
        most = Math.max(most, underWay.length);
        const users = Map.groupBy(underWay, ({ tenant }) => tenant.eujpId ?? tenant.edb);
        assert.ok([...users.values()].every(({ length }) => length <= SETTINGS.maxPerUser));
        await new Promise((resolve) => setImmediate(resolve));
        underWay.splice(underWay.indexOf(delivery), 1);
        await finish(delivery);
      },
    });
    await until('all delivered', () => taken.length === 50);
    assert.equal(most, SETTINGS.maxInProgress);
    assert.deepEqual(failures, []);
  });

  test('delivers where the tenant is when a document is claimed, also if it was read before its environment was changed', async () => {
    const [edb = assert.fail()] = await queue(1, 1);
    const { storage } = database;
    let isChanged = false;
    async function find(tenant: Edb) {
      const read = await storage.tenants.find(tenant);
      if (isChanged || read === null) return read;
      isChanged = true;
      await storage.transaction(async (tx) => {
        const [first = assert.fail()] = (await tx.outbound.list(edb, ALL, { page: 1, pageSize: 1 })).items;
        await tx.outbound.move(edb, first.docUid, 10, 'cancel', {
          at: MORNING,
          failureCode: null,
          failureMessage: null,
        });
        await tx.tenants.update({ ...read, environment: 'production' });
        await tx.outbound.add(edb, newOutbound({ holdMs: 0 }), MORNING);
      });
      return read;
    }
    const { taken } = start({ storage: { ...storage, tenants: { ...storage.tenants, find } } });
    await until('it is taken', () => taken.length > 0);
    assert.deepEqual(failures, []);
    assert.deepEqual(
      taken.map(({ tenant }) => tenant.environment),
      ['production'],
    );
  });

  test('reports a delivery that fails in an unforeseen way and goes on with the others', async () => {
    await queue(1, 5);
    const { taken } = start({
      async deliver(delivery) {
        if (delivery.document.docUid === taken[0]?.document.docUid) throw new Error('unforeseen');
        await finish(delivery);
      },
    });
    await until('all taken', () => taken.length === 5);
    await until('the report', () => failures.length > 0);
    assert.deepEqual(
      failures.map(({ error, docUid }) => [(error as Error).message, docUid]),
      [['unforeseen', taken[0]?.document.docUid]],
    );
  });

  for (const [what, error, pauseMs] of [
    ['at once where the process stops', new ServiceStopping(), 0],
    ['after seconds where the database could not serve', new ServiceUnavailable('no database'), 5_000],
    ['after seconds where nobody knows whether a commit was carried out', new CommitUnknown('cut'), 5_000],
    ['after minutes where nobody foresaw what happened', new Error('unforeseen'), 300_000],
  ] as const) {
    test(`gives back a document on which a delivery failed, to be taken up again ${what}`, async () => {
      const [tenant = assert.fail()] = await queue(1, 1);
      const { taken, worker } = start({ deliver: () => Promise.reject(error) });
      await until('the report', () => failures.length > 0);
      await worker.stop();
      assert.equal(await dueAt(taken[0]), MORNING + pauseMs);
      const lease = { token: 'another', until: 2 * MORNING };
      const claim = (now: number) =>
        database.storage.transaction((tx) => tx.deliveries.claim(tenant, 'delivery', lease, now, 1));
      assert.equal((await claim(MORNING + pauseMs - 1)).length, 0);
      assert.equal((await claim(MORNING + pauseMs)).length, 1);
    });
  }

  test('does not give back a document that another worker has claimed since', async () => {
    const lease = { token: 'another', until: MORNING + 2 * SETTINGS.leaseMs };
    await queue(1, 1);
    const { taken, worker } = start({
      async deliver({ tenant }) {
        const now = MORNING + SETTINGS.leaseMs;
        await database.storage.transaction((tx) => tx.deliveries.claim(tenant.edb, 'delivery', lease, now, 1));
        throw new ServiceUnavailable('no database');
      },
    });
    await until('the report', () => failures.length > 0);
    await worker.stop();
    assert.equal(await dueAt(taken[0]), lease.until);
  });

  test('gives back a document once the database is there again, not only when its lease ends', async () => {
    await queue(1, 1);
    const unsteady = awayDatabase();
    const clock = clockAt();
    const { taken, worker } = start({
      clock,
      storage: unsteady.storage,
      async deliver(delivery) {
        if (taken.length > 1) return finish(delivery);
        unsteady.leave();
        throw new ServiceUnavailable('no database');
      },
    });
    await until('a try to give it back, and another one', () => unsteady.refused() > 2);
    assert.equal(await dueAt(taken[0]), MORNING + SETTINGS.leaseMs);
    unsteady.comeBack();
    await until('it is given back', async () => (await dueAt(taken[0])) === MORNING + 5_000);
    clock.advance(5_000);
    await until('it is taken again', () => taken.length === 2);
    await worker.stop();
  });

  test('a stop gives back what could not be given back before', async () => {
    await queue(1, 1);
    const unsteady = awayDatabase();
    const { taken, worker } = start({
      pollMs: 3_600_000,
      storage: unsteady.storage,
      async deliver() {
        unsteady.leave();
        throw new ServiceUnavailable('no database');
      },
    });
    await until('a try to give it back', () => unsteady.refused() > 0 && worker.deliveries() === 0);
    unsteady.comeBack();
    await worker.stop();
    assert.equal(await dueAt(taken[0]), MORNING + 5_000);
  });

  /** The database of the test, which takes no transaction while it is away. */
  function awayDatabase() {
    let isAway = false;
    let refused = 0;
    const storage: Storage = {
      ...database.storage,
      transaction(work) {
        if (!isAway) return database.storage.transaction(work);
        refused += 1;
        return Promise.reject(new ServiceUnavailable('no database'));
      },
    };
    return {
      storage,
      refused: () => refused,
      leave() {
        isAway = true;
      },
      comeBack() {
        isAway = false;
      },
    };
  }

  /** Timers by which leases are renewed when the test has it so, and at no other time. */
  function renewingByHand() {
    let pauseMs = 0;
    let renew = (): void => assert.fail('not started');
    const every: Timers['every'] = (ms, run) => {
      pauseMs = ms;
      renew = run;
      return { cancel: () => undefined };
    };
    return { timers: { ...steadyTimers, every }, pauseMs: () => pauseMs, renew: () => renew() };
  }

  test('keeps what takes longer than the lease: the lease is renewed, and nobody else takes the document', async () => {
    const [tenant] = await queue(1, 1);
    const release = Promise.withResolvers<void>();
    const { leaseMs } = SETTINGS;
    const clock = clockAt();
    const { timers, pauseMs, renew } = renewingByHand();
    const order = {
      clock,
      async deliver(delivery: Delivery) {
        await release.promise;
        await finish(delivery);
      },
    };
    const { taken } = start(order, timers);
    assert.equal(pauseMs(), leaseMs / 3);
    await until('a document taken', () => taken.length > 0);
    for (let leases = 0; leases < 5; leases += 1) {
      clock.advance(leaseMs - 1);
      renew();
      await until('the lease renewed', async () => (await dueAt(taken[0])) === clock.now() + leaseMs);
    }
    const [first] = taken;
    assert.ok(first !== undefined && tenant !== undefined);
    assert.equal(taken.length, 1);
    const lease = { token: first.token, until: MORNING };
    assert.equal(
      await database.storage.transaction((tx) => tx.deliveries.renew(tenant, first.document.docUid, lease)),
      true,
    );
    release.resolve();
  });

  test('a document that is claimed again beside a delivery that lost its lease stays under way when that one ends', async () => {
    await queue(1, 1);
    const clock = clockAt();
    const ends = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const deliver = (delivery: Delivery) => ends[taken.indexOf(delivery)]?.promise ?? assert.fail();
    // As after a pause of the process: no renewal was due in it.
    const { taken, worker } = start({ clock, deliver }, renewingByHand().timers);
    await until('a document taken', () => taken.length === 1);
    clock.advance(SETTINGS.leaseMs);
    await until('it is taken again', () => taken.length === 2);
    assert.equal(worker.deliveries(), 2);
    ends[0]?.resolve();
    await until('the first ends', () => worker.deliveries() < 2);
    assert.equal(worker.deliveries(), 1, 'its lease is renewed, and a stop waits for it');
    ends[1]?.resolve();
  });

  test('stopping waits for what is under way, not longer than allowed, and takes nothing more', async () => {
    await queue(1, 5);
    const release = Promise.withResolvers<void>();
    const finished: Delivery[] = [];
    const { taken, worker } = start({
      async deliver(delivery) {
        await release.promise;
        await finish(delivery);
        finished.push(delivery);
      },
    });
    await until('some taken', () => taken.length === SETTINGS.maxPerUser);
    const stopped = worker.stop();
    release.resolve();
    await stopped;
    assert.equal(finished.length, SETTINGS.maxPerUser);
    assert.equal(taken.length, SETTINGS.maxPerUser);
    const stuck = start({ stopMs: 20, deliver: () => new Promise(() => undefined) });
    await until('some taken', () => stuck.taken.length === SETTINGS.maxPerUser);
    await stuck.worker.stop();
  });
});
