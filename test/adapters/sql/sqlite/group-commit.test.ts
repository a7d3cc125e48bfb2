import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemTimers } from '../../../../src/adapters/platform/timers.ts';
import type { Sql } from '../../../../src/adapters/sql/engine.ts';
import { createGroupCommit } from '../../../../src/adapters/sql/sqlite/group-commit.ts';
import { createSemaphore } from '../../../../src/adapters/threads/semaphore.ts';
import { ServiceUnavailable } from '../../../../src/application/errors/service-unavailable.ts';
import type { Timers } from '../../../../src/application/ports/platform.ts';

const SQL: Sql = {
  all: () => Promise.resolve([]),
  get: () => Promise.resolve(null),
  run: () => Promise.resolve(0),
  snapshot: (work) => work(SQL),
  lock: () => undefined,
  tryLocks: async (names) => new Set(names),
  takesLists: false,
};

type Faults = { readonly [command: string]: Error | undefined };

/** A group commit over a connection that writes down what it is told, and fails where the test says. */
function recorded(timers: Timers = systemTimers) {
  const commands: string[] = [];
  const committed: number[] = [];
  let faults: Faults = {};
  function execute(text: string): void {
    commands.push(text);
    const fault = faults[text];
    if (fault !== undefined) throw fault;
  }
  const groupCommit = createGroupCommit({
    timers,
    sql: SQL,
    writeLock: createSemaphore(1),
    begin: async () => execute('begin'),
    execute,
    committed: (transactions) => committed.push(transactions),
  });
  return {
    ...groupCommit,
    commands,
    committed,
    count: (text: string) => commands.filter((command) => command === text).length,
    failOn: (next: Faults) => {
      faults = next;
    },
  };
}

type Recorded = ReturnType<typeof recorded>;

function together(group: Recorded, size: number): Promise<readonly PromiseSettledResult<number>[]> {
  return Promise.allSettled(Array.from({ length: size }, (_, index) => group.transaction(async () => index)));
}

function reasons(results: readonly PromiseSettledResult<unknown>[]): readonly unknown[] {
  return results.map((result) => (result.status === 'rejected' ? result.reason : result.value));
}

test('transactions that arrive together share one commit', async () => {
  const group = recorded();
  assert.deepEqual(
    reasons(await together(group, 100)),
    Array.from({ length: 100 }, (_, index) => index),
  );
  assert.equal(group.count('begin'), 1);
  assert.equal(group.count('commit'), 1);
  assert.deepEqual(group.committed, [100]);
});

test('behind a transaction that does not end nobody waits for ever: those that have not begun are refused', async () => {
  let passedMs = 0;
  const group = recorded({ ...systemTimers, elapsedMs: () => systemTimers.elapsedMs() + passedMs });
  const hanging = Promise.withResolvers<string>();
  const begun = Promise.withResolvers<void>();
  const first = group.transaction(() => {
    begun.resolve();
    return hanging.promise;
  });
  await begun.promise;
  const waiting = [];
  for (passedMs = 0; passedMs <= 61_000; passedMs += 10_000) waiting.push(group.transaction(async () => 'waiting'));
  const last = group.transaction(async () => 'last');
  for (const reason of reasons(await Promise.allSettled(waiting))) assert.ok(reason instanceof ServiceUnavailable);
  hanging.resolve('first');
  assert.equal(await first, 'first');
  await assert.rejects(last, ServiceUnavailable);
  await systemTimers.nextTurn();
  assert.equal(await group.transaction(async () => 'next'), 'next', 'as soon as it has ended');
  assert.equal(group.count('commit'), 2);
});

test('those that wait are not refused because the whole process stood still', async () => {
  let passedMs = 0;
  const group = recorded({ ...systemTimers, elapsedMs: () => systemTimers.elapsedMs() + passedMs });
  const begun = Promise.withResolvers<void>();
  const goingOn = Promise.withResolvers<string>();
  const first = group.transaction(() => {
    begun.resolve();
    return goingOn.promise;
  });
  await begun.promise;
  const second = group.transaction(async () => 'second');
  passedMs = 3_600_000;
  const third = group.transaction(async () => 'third');
  goingOn.resolve('first');
  assert.deepEqual(await Promise.all([first, second, third]), ['first', 'second', 'third']);
});

test('one that arrives while others are committed goes with the next commit', async () => {
  const group = recorded();
  const late: Promise<string>[] = [];
  await group.transaction(async () => {
    late.push(...['a', 'b', 'c'].map((name) => group.transaction(async () => name)));
  });
  assert.deepEqual(await Promise.all(late), ['a', 'b', 'c']);
  assert.equal(group.count('commit'), 2);
});

test('a crowd is split, so that the first does not wait for the last: many, but far fewer commits than transactions', async () => {
  const group = recorded();
  await together(group, 1_000);
  assert.ok(group.count('commit') > 1 && group.count('commit') <= 10, `${group.count('commit')} commits`);
});

test('nobody is told of success before the commit', async () => {
  const group = recorded();
  const committedWhenTold: boolean[] = [];
  await Promise.all(
    Array.from({ length: 5 }, () =>
      group.transaction(async () => undefined).then(() => committedWhenTold.push(group.commands.includes('commit'))),
    ),
  );
  assert.deepEqual(committedWhenTold, [true, true, true, true, true]);
});

test('works run one after the other in the order they came', async () => {
  const group = recorded();
  const order: string[] = [];
  const work = (name: string) => async () => {
    order.push(`${name} begins`);
    await new Promise((resolve) => setImmediate(resolve));
    order.push(`${name} ends`);
  };
  await Promise.all([group.transaction(work('first')), group.transaction(work('second'))]);
  assert.deepEqual(order, ['first begins', 'first ends', 'second begins', 'second ends']);
  assert.deepEqual(group.commands, ['begin', 'commit']);
});

test('where one work fails, all are run anew behind savepoints; it alone is undone, and the others are committed', async () => {
  const group = recorded();
  const failure = new Error('of this work');
  let runs = 0;
  const results = await Promise.allSettled([
    group.transaction(async () => {
      runs += 1;
      return runs;
    }),
    group.transaction(() => Promise.reject(failure)),
    group.transaction(async () => 'after'),
  ]);
  assert.deepEqual(reasons(results), [2, failure, 'after']);
  const savepoint = ['savepoint one', 'release one'];
  const undone = ['savepoint one', 'rollback to one', 'release one'];
  assert.deepEqual(group.commands, ['begin', 'rollback', 'begin', ...savepoint, ...undone, ...savepoint, 'commit']);
});

test('a work that fails with nobody beside it is not run anew', async () => {
  const group = recorded();
  const failure = new Error('of this work');
  let runs = 0;
  const result = group.transaction(async () => {
    runs += 1;
    throw failure;
  });
  await assert.rejects(result, failure);
  assert.equal(runs, 1);
  assert.deepEqual(group.commands, ['begin', 'rollback']);
});

test('a work that throws before its first step fails alone, too', async () => {
  const group = recorded();
  const failure = new Error('at once');
  const results = await Promise.allSettled([
    group.transaction(() => {
      throw failure;
    }),
    group.transaction(async () => 'fine'),
  ]);
  assert.deepEqual(reasons(results), [failure, 'fine']);
});

for (const command of ['begin', 'commit']) {
  test(`when ${command} fails the whole group fails with its reason, and the next group works`, async () => {
    const group = recorded();
    const failure = new Error('disk I/O error');
    group.failOn({ [command]: failure });
    assert.deepEqual(reasons(await together(group, 3)), [failure, failure, failure]);
    assert.equal(group.count('rollback'), 1);
    group.failOn({});
    assert.deepEqual(reasons(await together(group, 2)), [0, 1]);
  });

  test(`when ${command} fails and the engine has rolled back by itself, the reason is still the first failure`, async () => {
    const group = recorded();
    const failure = new Error('database or disk is full');
    group.failOn({ [command]: failure, rollback: new Error('cannot rollback - no transaction is active') });
    assert.deepEqual(reasons(await together(group, 2)), [failure, failure]);
    group.failOn({});
    assert.deepEqual(reasons(await together(group, 1)), [0]);
  });
}

test('when even the rollback fails everybody is told, and the next group works', async () => {
  const group = recorded();
  const failure = new Error('disk I/O error');
  group.failOn({ commit: failure, rollback: new Error('disk I/O error again') });
  assert.deepEqual(reasons(await together(group, 2)), [failure, failure]);
  group.failOn({});
  assert.deepEqual(reasons(await together(group, 1)), [0]);
});

test('a work that fails because the engine gave up the whole transaction keeps its own reason', async () => {
  const group = recorded();
  const full = new Error('database or disk is full');
  group.failOn({
    'rollback to one': new Error('no such savepoint: one'),
    rollback: new Error('cannot rollback - no transaction is active'),
  });
  const results = await Promise.allSettled([
    group.transaction(async () => 'before'),
    group.transaction(() => Promise.reject(full)),
    group.transaction(async () => 'after'),
  ]);
  assert.ok(results.every(({ status }) => status === 'rejected'));
  const told = reasons(results).map((reason) => `${reason} ${(reason as Error).cause ?? ''}`);
  assert.match(told[1] ?? '', /disk is full/);
});

test('idle waits until nothing is waiting or running', async () => {
  const group = recorded();
  const done: string[] = [];
  void group.transaction(async () => {
    void group.transaction(async () => void done.push('second'));
    done.push('first');
  });
  await group.idle();
  assert.deepEqual(done, ['first', 'second']);
  await group.idle();
});
