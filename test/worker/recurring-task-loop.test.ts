import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import { CHANGED_ACCOUNT_PAUSE_MS } from '../../src/application/delivery/account-change.ts';
import { ServiceUnavailable } from '../../src/application/errors/service-unavailable.ts';
import type { Storage } from '../../src/application/ports/storage/storage.ts';
import type { Edb } from '../../src/domain/accounts/edb.ts';
import type { Tenant } from '../../src/domain/accounts/tenant.ts';
import { type Polling, pollingPauseMs } from '../../src/worker/polling-interval.ts';
import { type RecurringTask, type RunResult, recurringTaskJob } from '../../src/worker/recurring-task-loop.ts';
import { MORNING, newTenant } from '../engines/samples.ts';
import { createTestDatabase, type TestDatabase } from '../support/engines.ts';
import { until } from '../support/process.ts';
import { clockAt } from '../support/test-clock.ts';

const EVERY_MS = 10_000;
const LEASE_MS = 120_000;

type Row = {
  readonly due_at: number;
  readonly lease: string | null;
  readonly note: string | null;
  readonly failures: number;
  readonly failure: string | null;
};

describe('recurring tasks', () => {
  let database: TestDatabase;
  let tenant: Edb;
  let reports: unknown[] = [];
  before(async () => {
    database = await createTestDatabase();
  });
  beforeEach(async () => {
    reports = [];
    const settings = newTenant();
    tenant = settings.edb;
    await database.engine.transaction(async (sql) => void (await sql.run('delete from recurring_task', [])));
    await database.storage.transaction(async (tx) => {
      await tx.tenants.add(settings, MORNING);
      await tx.recurringTasks.schedule(tenant, ['collect'], MORNING);
    });
  });
  after(() => database.close());

  async function row(): Promise<Row> {
    const text = 'select due_at, lease, note, failures, failure from recurring_task where tenant = $1';
    return (await database.engine.get<Row>(text, [tenant])) ?? assert.fail('no recurring task');
  }

  type Settings = { readonly storage?: Storage };

  type Run = (tenant: Tenant, checkpoint: string | null) => Promise<string | null>;

  /** Tasks that bring something new each time. */
  function jobOf(run: Run, settings: Settings = {}) {
    const polling = { everyMs: EVERY_MS, quietMs: EVERY_MS, perTenantMs: 0 };
    const withNews: RecurringTask['run'] = async (...of) => ({
      checkpoint: await run(...of),
      hasNews: true,
      dueAt: null,
    });
    return jobOfTask({ polling, run: withNews }, settings);
  }

  function jobOfTask(task: RecurringTask, { storage = database.storage }: Settings = {}) {
    const clock = clockAt();
    const job = recurringTaskJob({
      storage,
      clock,
      newToken: randomUUID,
      recurringTasks: { collect: task, follow: task, lists: task },
      leaseMs: LEASE_MS,
      onFailure: (_, error) => reports.push(error),
    });
    return {
      clock,
      run: job.run,
      underWay: () => job.underWay?.(),
      stop: async () => job.finish?.(),
      async finish() {
        await job.run();
        await job.finish?.();
      },
    };
  }

  test('are run when they are due, with the checkpoint of the last run, and not before', async () => {
    const checkpoints: (string | null)[] = [];
    const { clock, finish } = jobOf(async ({ edb }, checkpoint) => {
      assert.equal(edb, tenant);
      checkpoints.push(checkpoint);
      return String(checkpoints.length);
    });
    await finish();
    await finish();
    assert.deepEqual(checkpoints, [null]);
    const { due_at, lease, note } = await row();
    assert.deepEqual([due_at, lease, note], [MORNING + EVERY_MS, null, '1']);
    clock.advance(EVERY_MS);
    await finish();
    assert.deepEqual(checkpoints, [null, '1']);
  });

  test('are looked for without a transaction, which would take the write lock four times a second', async () => {
    let transactions = 0;
    const counting: Storage = {
      ...database.storage,
      transaction(work) {
        transactions += 1;
        return database.storage.transaction(work);
      },
    };
    const { clock, finish } = jobOf(async () => null, { storage: counting });
    await finish();
    // One claims it, one ends its run.
    assert.equal(transactions, 2);
    clock.advance(EVERY_MS - 1);
    await finish();
    assert.equal(transactions, 2);
    clock.advance(1);
    await finish();
    assert.equal(transactions, 4);
  });

  test('that fail are retried at longer intervals, up to sixteen times the usual one, and keep their checkpoint', async () => {
    let isBroken = true;
    const { clock, finish } = jobOf(async (_, checkpoint) => {
      if (isBroken) throw new Error('out of order');
      return `${checkpoint}, again`;
    });
    await database.engine.transaction(
      async (sql) => void (await sql.run("update recurring_task set note = 'kept'", [])),
    );
    const pauses: number[] = [];
    for (let time = 0; time < 6; time += 1) {
      await finish();
      const { due_at, note, failure } = await row();
      assert.deepEqual([note, failure], ['kept', 'out of order']);
      pauses.push((due_at - clock.now()) / EVERY_MS);
      clock.advance(due_at - clock.now());
    }
    assert.deepEqual(pauses, [2, 4, 8, 16, 16, 16]);
    assert.equal(reports.length, 6);
    isBroken = false;
    await finish();
    const { due_at, note, failures, failure } = await row();
    assert.deepEqual([note, failures, failure, due_at], ['kept, again', 0, null, clock.now() + EVERY_MS]);
  });

  test('that fail while their account is mended are soon run again, and the failure does not count', async () => {
    const { storage } = database;
    for (const mend of [
      async (tx: Storage) =>
        tx.tenants.update({ ...((await tx.tenants.find(tenant)) ?? assert.fail()), eujpId: 'new' }),
      (tx: Storage) => tx.tenants.resume(tenant, MORNING),
    ]) {
      await storage.transaction((tx) => tx.tenants.stop(tenant, 'E1003', MORNING - 86_400_000));
      await database.engine.transaction((sql) =>
        sql.run('update recurring_task set due_at = $1, failures = 9', [MORNING]),
      );
      let runs = 0;
      const { clock, finish } = jobOf(async () => {
        runs += 1;
        if (runs === 1) await storage.transaction(mend);
        throw new Error('not with the former account');
      });
      await finish();
      const { due_at, failures } = await row();
      assert.deepEqual([due_at, failures], [MORNING + CHANGED_ACCOUNT_PAUSE_MS, 9]);
      clock.advance(CHANGED_ACCOUNT_PAUSE_MS);
      await finish();
      assert.equal((await row()).failures, 10, 'with the new account it counts');
    }
  });

  test('survive a database that fails for a moment: it is reported, nothing is thrown where nobody listens', async () => {
    const runs: Edb[] = [];
    let times = 0;
    const find: Storage['tenants']['find'] = async (edb) => {
      times += 1;
      if (times === 1) throw new Error('database is locked');
      return database.storage.tenants.find(edb);
    };
    const storage = { ...database.storage, tenants: { ...database.storage.tenants, find } };
    const { clock, finish } = jobOf(
      async ({ edb }) => {
        runs.push(edb);
        return null;
      },
      { storage },
    );
    await finish();
    assert.deepEqual(
      reports.map((error) => (error as Error).message),
      ['database is locked'],
    );
    assert.deepEqual(runs, []);
    clock.advance(LEASE_MS);
    await finish();
    assert.deepEqual(runs, [tenant]);
  });

  test('that take longer than their lease are not started a second time while they run, and are rescheduled at the end', async () => {
    const release = Promise.withResolvers<void>();
    let runs = 0;
    const { clock, run, finish } = jobOf(async () => {
      runs += 1;
      await release.promise;
      return 'done';
    });
    await run();
    await until('a run', () => runs === 1);
    for (let leases = 0; leases < 3; leases += 1) {
      clock.advance(LEASE_MS);
      await run();
    }
    assert.equal(runs, 1);
    release.resolve();
    await finish();
    const { due_at, lease, note } = await row();
    assert.deepEqual([due_at, lease, note], [clock.now() + EVERY_MS, null, 'done']);
  });

  test('that are to begin elsewhere while they run do so when that run has ended', async () => {
    const release = Promise.withResolvers<void>();
    const checkpoints: (string | null)[] = [];
    const { clock, run, finish } = jobOf(async (_, checkpoint) => {
      checkpoints.push(checkpoint);
      if (checkpoints.length === 1) await release.promise;
      return '2026-11-17';
    });
    await database.storage.transaction((tx) => tx.recurringTasks.schedule(tenant, ['follow'], MORNING));
    await database.engine.transaction((sql) => sql.run("delete from recurring_task where name = 'collect'", []));
    await run();
    await until('a run', () => checkpoints.length === 1);
    await database.storage.transaction((tx) => tx.recurringTasks.followFrom(tenant, '2026-11-02', clock.now()));
    await run();
    release.resolve();
    await finish();
    clock.advance(LEASE_MS);
    await finish();
    assert.deepEqual(checkpoints, [null, '2026-11-02']);
    assert.equal((await row()).note, '2026-11-17');
  });

  test('that run while the environment is changed are run in the new one too, from the same checkpoint on', async () => {
    const release = Promise.withResolvers<void>();
    const runs: string[] = [];
    const { clock, run, finish } = jobOf(async ({ environment }, checkpoint) => {
      runs.push(`${environment} ${checkpoint}`);
      if (runs.length === 1) await release.promise;
      return '2026-11-17';
    });
    const goTo = (environment: Tenant['environment']) =>
      database.storage.transaction(async (tx) => {
        const settings = (await tx.tenants.find(tenant)) ?? assert.fail();
        await tx.tenants.update({ ...settings, eujpId: 'person', environment });
        await tx.recurringTasks.followFrom(tenant, '', clock.now());
      });
    await database.storage.transaction((tx) => tx.recurringTasks.schedule(tenant, ['follow'], MORNING));
    await database.engine.transaction((sql) => sql.run("delete from recurring_task where name = 'collect'", []));
    await goTo('test');
    await run();
    await until('a run', () => runs.length === 1);
    await goTo('production');
    await run();
    release.resolve();
    await finish();
    clock.advance(LEASE_MS);
    await finish();
    assert.deepEqual(runs, ['test ', 'production ']);
    assert.equal((await row()).note, '2026-11-17');
  });

  test('of a user whose line is free begin while the tasks of many others are due for longer', async () => {
    const busy = Array.from({ length: 16 }, (_, user) => [1, 2, 3].map(() => newTenant({ eujpId: `busy ${user}` })));
    const idle = newTenant({ eujpId: 'idle' });
    await database.storage.transaction(async (tx) => {
      await tx.recurringTasks.remove(tenant);
      for (const settings of [...busy.flat(), idle]) {
        await tx.tenants.add(settings, MORNING);
        await tx.recurringTasks.schedule(settings.edb, ['collect'], settings === idle ? MORNING : MORNING - 1);
      }
    });
    const begun: (string | null)[] = [];
    const ends: (() => void)[] = [];
    const { run, finish } = jobOf(async ({ eujpId }) => {
      begun.push(eujpId);
      await new Promise<void>((resolve) => ends.push(resolve));
      return null;
    });
    await run();
    await until('the first runs', () => begun.length === 16);
    while (begun.length < 48) {
      await until('a run', () => ends.length > 0);
      const count = begun.length;
      ends.shift()?.();
      await until('the next run', async () => {
        await run();
        return begun.length > count;
      });
    }
    assert.equal(begun.indexOf('idle'), 16, 'when each of the others has had one run');
    for (const end of ends) end();
    await until('the last run', async () => {
      await run();
      for (const end of ends.splice(0)) end();
      return begun.length === 49;
    });
    await finish();
  });

  test('of two hundred users begin before any of ninety others has a second run, however many of theirs are due for longer', async () => {
    const accountants = Array.from({ length: 180 }, (_, own) => newTenant({ eujpId: `accountant ${own % 90}` }));
    const single = Array.from({ length: 200 }, (_, user) => newTenant({ eujpId: `single ${user}` }));
    await database.storage.transaction(async (tx) => {
      await tx.recurringTasks.remove(tenant);
      for (const settings of [...accountants, ...single]) await tx.tenants.add(settings, MORNING);
      for (const { edb } of accountants) {
        await tx.recurringTasks.schedule(edb, ['collect', 'follow', 'lists'], MORNING - 1);
      }
      for (const { edb } of single) await tx.recurringTasks.schedule(edb, ['collect'], MORNING);
    });
    const begun: string[] = [];
    const { finish } = jobOf(async ({ eujpId }) => {
      begun.push(eujpId ?? '');
      return null;
    });
    while (begun.length < 180 * 3 + 200) await finish();
    const firstRound = begun.slice(0, 90 * 3 + 200);
    assert.equal(new Set(firstRound.filter((user) => user.startsWith('single'))).size, 200);
  });

  test('of a user with many taxpayers go on while those of other users come due again and again', async () => {
    await addTenants(4, 'accountant', MORNING - 9);
    const others = Array.from({ length: 40 }, (_, user) => addTenants(1, `other ${user}`, MORNING - 9));
    await Promise.all(others);
    const begun: string[] = [];
    const { clock, run, finish } = jobOf(async ({ eujpId }) => {
      begun.push(eujpId ?? '');
      // Nobody is ever done: with each run the next one of somebody is due.
      clock.advance(EVERY_MS / 8);
      return null;
    });
    const ofAccountant = () => begun.filter((user) => user === 'accountant').length;
    while (begun.length < 600) await run();
    assert.ok(ofAccountant() >= 16, `${ofAccountant()} runs`);
    await finish();
  });

  /** The pauses after runs that bring what is given. */
  async function pausesAfter(
    results: readonly (Partial<RunResult> | Error)[],
    polling: Partial<Polling> = {},
  ): Promise<readonly number[]> {
    let next: Partial<RunResult> | Error = {};
    const { clock, finish } = jobOfTask({
      polling: { everyMs: EVERY_MS, quietMs: 9 * EVERY_MS, perTenantMs: 0, ...polling },
      async run() {
        if (next instanceof Error) throw next;
        const dueAt = next.dueAt === undefined || next.dueAt === null ? null : clock.now() + next.dueAt;
        return { checkpoint: null, hasNews: next.hasNews === true, dueAt };
      },
    });
    const pauses: number[] = [];
    for (const result of results) {
      next = result;
      await finish();
      const { due_at } = await row();
      pauses.push((due_at - clock.now()) / EVERY_MS);
      clock.advance(due_at - clock.now());
    }
    return pauses;
  }

  const NOTHING = { hasNews: false };
  const NEWS = { hasNews: true };

  test('that bring nothing are run less and less often, up to a bound, and after something new as often as before', async () => {
    const results = [NEWS, NOTHING, NOTHING, NOTHING, NOTHING, NOTHING, NEWS, NEWS, NOTHING];
    assert.deepEqual(await pausesAfter(results), [1, 2, 4, 8, 9, 9, 1, 1, 2]);
  });

  test('that fail in a quiet time come no more often than before, and are as quiet as before afterwards', async () => {
    const failure = new Error('out of order');
    const results = [NOTHING, NOTHING, NOTHING, failure, failure, failure, failure, NOTHING];
    assert.deepEqual(await pausesAfter(results), [2, 4, 8, 8, 8, 8, 16, 9]);
  });

  test('that have something to repeat do not wait longer for it, nor come more often than after something new', async () => {
    const repeat = (dueAt: number) => ({ hasNews: false, dueAt: dueAt * EVERY_MS });
    assert.deepEqual(await pausesAfter([NOTHING, NOTHING, repeat(3), repeat(100), repeat(0.1)]), [2, 4, 3, 9, 1]);
  });

  test('of many tenants of one user are so far apart that all of them together take their share of its line', async () => {
    const eujpId = `crowd of ${tenant}`;
    await addTenants(29, eujpId, MORNING + 900 * EVERY_MS);
    await database.engine.transaction((sql) =>
      sql.run('update tenant set eujp_id = $1 where edb = $2', [eujpId, tenant]),
    );
    // Two requests a second long, a third of the line: 30 tenants need three minutes.
    const polling = { perTenantMs: (2 * 1_000) / (1 / 3) };
    const pauses = await pausesAfter([NEWS, NOTHING, NOTHING, NOTHING, new Error('no')], polling);
    assert.deepEqual(pauses, [18, 18, 18, 18, 18]);
    const seldom = { ...polling, everyMs: 60 * EVERY_MS, quietMs: 0 };
    assert.equal(pollingPauseMs(seldom, { quietRuns: 0, failures: 0, tenantsOfUser: 30 }), 60 * EVERY_MS);
  });

  async function addTenants(count: number, eujpId: string, dueAt: number): Promise<readonly Edb[]> {
    const settings = Array.from({ length: count }, () => newTenant({ eujpId }));
    await database.storage.transaction(async (tx) => {
      for (const one of settings) {
        await tx.tenants.add(one, MORNING);
        await tx.recurringTasks.schedule(one.edb, ['collect', 'follow'], dueAt);
      }
    });
    return settings.map(({ edb }) => edb);
  }

  test('of an accountant whose requests wait do not keep those of other users from running', async () => {
    const accountant = new Set(await addTenants(20, 'accountant', MORNING - 9));
    const others = await addTenants(3, 'another', MORNING - 1);
    const release = Promise.withResolvers<void>();
    const runs: Edb[] = [];
    const { run, finish } = jobOf(async ({ edb }) => {
      runs.push(edb);
      if (accountant.has(edb)) await release.promise;
      return null;
    });
    const ofAccountant = () => runs.filter((edb) => accountant.has(edb)).length;
    await run();
    await until('the tasks of everybody else', async () => {
      await run();
      return runs.includes(tenant) && others.every((edb) => runs.filter((one) => one === edb).length === 2);
    });
    assert.equal(ofAccountant(), 2, 'no more than its share');
    release.resolve();
    await until('the tasks of the accountant', async () => {
      await finish();
      return ofAccountant() === 40;
    });
    assert.equal(new Set(runs).size, 24);
  });

  for (const [when, look] of [
    ['with the next look for due ones', ({ run }: ReturnType<typeof jobOf>) => run()],
    ['by a stop', ({ stop }: ReturnType<typeof jobOf>) => stop()],
  ] as const) {
    test(`that end while the database is away are given back when it is there again, ${when}`, async () => {
      let isAway = false;
      const storage: Storage = {
        ...database.storage,
        transaction: (work) =>
          isAway ? Promise.reject(new ServiceUnavailable('no database')) : database.storage.transaction(work),
      };
      const job = jobOf(
        async () => {
          isAway = true;
          return null;
        },
        { storage },
      );
      await job.finish();
      await job.run();
      assert.deepEqual([(await row()).due_at, (await row()).lease === null], [MORNING + LEASE_MS, false]);
      isAway = false;
      await look(job);
      const { due_at, lease, failures } = await row();
      assert.deepEqual([due_at < MORNING + LEASE_MS, lease, failures], [true, null, 1]);
    });
  }

  test('that take longer than their lease are not run by another process, also while the share of their user is full', async () => {
    await addTenants(2, 'slow', MORNING - 1);
    const release = Promise.withResolvers<void>();
    const runs: Edb[] = [];
    const slow = async ({ edb }: { readonly edb: Edb }) => {
      runs.push(edb);
      await release.promise;
      return null;
    };
    const [one, other] = [jobOf(slow), jobOf(slow)];
    await one.run();
    await until('runs', () => runs.length === 3);
    await other.run();
    await until('runs of the other process', () => runs.length === 5);
    for (let steps = 0; steps < 9; steps += 1) {
      for (const job of [one, other]) {
        job.clock.advance(LEASE_MS / 3);
        await job.run();
      }
    }
    release.resolve();
    await Promise.all([one.finish(), other.finish()]);
    assert.equal(runs.length, 5);
    assert.deepEqual(reports, []);
  });

  type Renew = Storage['recurringTasks']['renew'];

  /** Three tasks that run until they are released, over a database that tells of each transaction how leases are renewed in it. */
  async function threeUnderWay(renewIn: () => (renew: Renew) => Renew) {
    await database.storage.transaction((tx) => tx.recurringTasks.schedule(tenant, ['follow', 'lists'], MORNING));
    const storage: Storage = {
      ...database.storage,
      transaction: (work) => {
        const renewed = renewIn();
        return database.storage.transaction((tx) =>
          work({ ...tx, recurringTasks: { ...tx.recurringTasks, renew: renewed(tx.recurringTasks.renew) } }),
        );
      },
    };
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    let runs = 0;
    const slow = async () => {
      runs += 1;
      await released;
      return null;
    };
    const job = jobOf(slow, { storage });
    await job.run();
    await until('runs', () => runs === 3);
    job.clock.advance(LEASE_MS / 2);
    return { ...job, release };
  }

  // With the rows of several in one transaction it would wait in a circle with whoever removes the tasks of a tenant.
  test('have their leases renewed in a transaction each', async () => {
    const renewed: string[][] = [];
    const { run, release, finish, underWay } = await threeUnderWay(() => {
      const names: string[] = [];
      renewed.push(names);
      return (renew) => (task, lease) => {
        names.push(task.name);
        return renew(task, lease);
      };
    });
    await run();
    assert.equal(underWay(), 3, 'a stop waits for so many');
    release();
    await finish();
    assert.equal(underWay(), 0);
    const together = renewed.filter((names) => names.length > 0);
    assert.deepEqual(together.toSorted(), [['collect'], ['follow'], ['lists']]);
  });

  test('have their leases renewed, also where that of one of them fails', async () => {
    const renewed: string[] = [];
    let isLocked = true;
    const { run, release, finish } = await threeUnderWay(() => (renew) => async (task, lease) => {
      if (task.name === 'collect' && isLocked) throw new Error('canceling statement due to lock timeout');
      renewed.push(task.name);
      return renew(task, lease);
    });
    await assert.rejects(run(), /lock timeout/u);
    await until('renewals', () => renewed.length === 2);
    assert.deepEqual(renewed.toSorted(), ['follow', 'lists']);
    isLocked = false;
    release();
    await finish();
  });
});
