import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemTimers } from '../../../src/adapters/platform/timers.ts';
import { createThreadPool, TaskTimeout, type ThreadPool } from '../../../src/adapters/threads/thread-pool.ts';
import type { Timers } from '../../../src/application/ports/platform.ts';
import { type Order, openGate, type Report, standStill } from './obedient-thread.ts';

/** How often the moment at which a thread dies is met. */
const ROUNDS = process.env['TEST_LONG'] === '1' ? 10 : 5;

const MODULE = new URL('./obedient-thread.ts', import.meta.url);

async function withPool(
  options: { readonly threads: number; readonly timeoutMs?: number; readonly timers?: Timers },
  work: (pool: ThreadPool<Order, Report>) => Promise<void>,
): Promise<void> {
  const pool = createThreadPool<Order, Report>({ module: MODULE, timers: systemTimers, timeoutMs: 20_000, ...options });
  try {
    await work(pool);
  } finally {
    await pool.close();
  }
}

function outcomes(tasks: readonly Promise<Report>[]): Promise<readonly string[]> {
  return Promise.all(
    tasks.map((task) =>
      task.then(
        ({ name }) => `${name} done`,
        (error: Error) => error.message,
      ),
    ),
  );
}

test('tasks are answered in the order they came, each with its own answer', () =>
  withPool({ threads: 1 }, async (pool) => {
    const finished: string[] = [];
    const names = Array.from({ length: 20 }, (_, index) => `task ${index}`);
    await Promise.all(
      names.map(async (name) => {
        const report = await pool.run('owner', { name }, []);
        assert.equal(report.name, name);
        finished.push(name);
      }),
    );
    assert.deepEqual(finished, names);
  }));

test('a thread that dies fails the task it worked on alone: those that lay ready behind it are done by another thread', () =>
  withPool({ threads: 1 }, async (pool) => {
    const first = await pool.run('owner', { name: 'first' }, []);
    const orders: Order[] = [{ name: 'a' }, { name: 'b', ends: 'badly' }, { name: 'c' }, { name: 'd' }, { name: 'e' }];
    assert.deepEqual(await outcomes(orders.map((order) => pool.run('owner', order, []))), [
      'a done',
      'b ended badly',
      'c done',
      'd done',
      'e done',
    ]);
    assert.notEqual((await pool.run('owner', { name: 'last' }, [])).threadId, first.threadId);
  }));

test('a task that takes too long is given up, and those behind it are done', () =>
  withPool({ threads: 1, timeoutMs: 300 }, async (pool) => {
    await pool.run('owner', { name: 'ready' }, []);
    const endless = pool.run('owner', { name: 'endless', ends: 'never' }, []);
    const behind = pool.run('owner', { name: 'behind' }, []);
    await assert.rejects(endless, TaskTimeout);
    assert.equal((await behind).name, 'behind');
  }));

/** What happens meanwhile is heard of all at once, and first of times that are over. */
async function hearNothing(ms: number): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  standStill(ms);
}

const [LIMIT_MS, LOOK_EVERY_MS, LOOKS] = [100, 10, 100];

/** Timers by which a task is looked at when the test says so. */
function heldLooks() {
  let next: (() => void) | null = null;
  const timers: Timers = {
    ...systemTimers,
    after(ms, run, options) {
      if (ms !== LOOK_EVERY_MS) return systemTimers.after(ms, run, options);
      next = run;
      return { cancel: () => undefined };
    },
  };
  return { timers, look: () => next?.() };
}

test('only work counts: a task that waits for the processor nearly ten times as long as it may work is answered', () => {
  const { timers, look } = heldLooks();
  return withPool({ threads: 1, timeoutMs: LIMIT_MS, timers }, async (pool) => {
    await pool.run('owner', { name: 'ready' }, []);
    for (const name of ['slow', 'another']) {
      const { done, release } = holdLarge(pool, 'owner', name);
      for (let looks = 1; looks < LOOKS; looks += 1) look();
      release();
      assert.equal((await done).name, name);
    }
  });
});

test('the work of one task does not count for the next', () =>
  withPool({ threads: 1, timeoutMs: 400 }, async (pool) => {
    await pool.run('owner', { name: 'ready' }, []);
    const tasks = ['a', 'b', 'c', 'd'].map((name) => pool.run('owner', { name, worksMs: 200 }, []));
    assert.deepEqual(await outcomes(tasks), ['a done', 'b done', 'c done', 'd done']);
  }));

test('a thread that neither works nor answers is given up in the end', () =>
  withPool({ threads: 1, timeoutMs: 50 }, async (pool) => {
    await pool.run('owner', { name: 'ready' }, []);
    const still = pool.run('owner', { name: 'still', takesMs: 3_600_000 }, []);
    const behind = pool.run('owner', { name: 'behind' }, []);
    await assert.rejects(still, TaskTimeout);
    assert.equal((await behind).name, 'behind');
  }));

test('what a thread answered before it died is answered, however late that is heard', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    await withPool({ threads: 1 }, async (pool) => {
      await pool.run('owner', { name: 'ready' }, []);
      const orders: Order[] = [{ name: 'a' }, { name: 'b', ends: 'badly' }, { name: 'c' }];
      const all = outcomes(orders.map((order) => pool.run('owner', order, [])));
      await hearNothing(50);
      assert.deepEqual(await all, ['a done', 'b ended badly', 'c done']);
    });
  }
});

test('what is moved arrives whole and has left this thread; what is not moved stays', () =>
  withPool({ threads: 1 }, async (pool) => {
    const moved = new Uint8Array(1_000);
    const kept = new Uint8Array(1_000);
    assert.equal((await pool.run('owner', { name: 'moved', bytes: moved }, [moved.buffer])).bytes, 1_000);
    assert.equal((await pool.run('owner', { name: 'kept', bytes: kept }, [])).bytes, 1_000);
    assert.deepEqual([moved.length, kept.length], [0, 1_000]);
  }));

test('nothing lies ready behind a task that moved something: with another thread free, it does not wait', () =>
  withPool({ threads: 2 }, async (pool) => {
    await Promise.all([pool.run('owner', { name: 'one' }, []), pool.run('owner', { name: 'two' }, [])]);
    const { done, release } = holdLarge(pool, 'owner');
    const small = await Promise.all(
      Array.from({ length: 10 }, (_, index) => pool.run('owner', { name: `${index}` }, [])),
    );
    assert.equal(small.length, 10);
    release();
    await done;
  }));

/** A large task that lasts until it is released. */
function holdLarge(pool: ThreadPool<Order, Report>, owner: string, name = 'large') {
  const gate = new Int32Array(new SharedArrayBuffer(4));
  const bytes = new Uint8Array(10);
  return { done: pool.run(owner, { name, gate, bytes }, [bytes.buffer]), release: () => openGate(gate) };
}

test('closing finishes what was begun, and nothing is taken on afterwards', async () => {
  const pool = createThreadPool<Order, Report>({ module: MODULE, timers: systemTimers, threads: 2, timeoutMs: 20_000 });
  const tasks = Array.from({ length: 9 }, (_, index) => pool.run('owner', { name: `${index}` }, []));
  await pool.close();
  assert.equal((await Promise.all(tasks)).length, 9);
  await assert.rejects(pool.run('owner', { name: 'late' }, []), /closed/u);
  await pool.close();
});

test('owners take turns: a hundred tasks of one delay the only task of another by the work under way alone', () =>
  withPool({ threads: 1 }, async (pool) => {
    const finished: string[] = [];
    const run = async (owner: string, name: string) => {
      const bytes = new Uint8Array(1);
      await pool.run(owner, { name, bytes }, [bytes.buffer]);
      finished.push(name);
    };
    const flood = Array.from({ length: 100 }, (_, index) => run('greedy', `greedy ${index}`));
    await Promise.all([...flood, run('modest', 'modest'), run('other', 'other')]);
    assert.deepEqual(finished.slice(0, 5), ['greedy 0', 'modest', 'other', 'greedy 1', 'greedy 2']);
    assert.deepEqual(
      finished.filter((name) => name.startsWith('greedy')),
      Array.from({ length: 100 }, (_, index) => `greedy ${index}`),
    );
  }));

test('large tasks leave a thread to the small ones, of the same owner too', () =>
  withPool({ threads: 2 }, async (pool) => {
    await Promise.all([pool.run('greedy', { name: 'one' }, []), pool.run('greedy', { name: 'two' }, [])]);
    const held = Array.from({ length: 2 }, () => holdLarge(pool, 'greedy'));
    for (const owner of ['modest', 'greedy'])
      assert.equal((await pool.run(owner, { name: 'small' }, [])).name, 'small');
    for (const { release } of held) release();
    for (const { done } of held) await done;
  }));

/** As clients that each send the next small document as soon as the last one was read, until the work is over. */
async function amidSmallTasks(pool: ThreadPool<Order, Report>, clients: number, work: () => Promise<void>) {
  let smallTasks = 0;
  let isOver = false;
  const client = async (owner: string) => {
    while (!isOver && smallTasks < SMALL_TASKS_AT_MOST) {
      await pool.run(owner, { name: 'small' }, []);
      smallTasks += 1;
    }
  };
  const all = Array.from({ length: clients }, (_, index) => client(`client ${index}`));
  await pool.run('first', { name: 'ready' }, []);
  await work();
  isOver = true;
  assert.ok(smallTasks < SMALL_TASKS_AT_MOST, 'over before the small tasks were');
  await Promise.all(all);
  return smallTasks;
}

/** Far more than are done while a thread starts on a busy machine: where the work never ends, the test does. */
const SMALL_TASKS_AT_MOST = 2_000_000;

function runLarge(pool: ThreadPool<Order, Report>, owner: string): Promise<Report> {
  const bytes = new Uint8Array(10);
  return pool.run(owner, { name: `large ${owner}`, bytes }, [bytes.buffer]);
}

for (const threads of [1, 2]) {
  test(`large tasks have their turns among small ones that never stop, on ${threads} threads`, () =>
    withPool({ threads }, async (pool) => {
      await amidSmallTasks(pool, 8, async () => {
        for (let round = 0; round < 3; round += 1) {
          await Promise.all(['client 0', 'another', 'another', 'third'].map((owner) => runLarge(pool, owner)));
        }
      });
    }));
}

test('on one thread a large task waits for the tasks posted before and one small task of each owner', () =>
  withPool({ threads: 1 }, async (pool) => {
    await pool.run('owner', { name: 'ready' }, []);
    const finished: string[] = [];
    const run = (owner: string, task: Promise<Report>) => task.then(() => void finished.push(owner));
    const small = (owner: string) => run(owner, pool.run(owner, { name: owner }, []));
    const flood = ['a', 'b'].flatMap((owner) => Array.from({ length: 20 }, () => small(owner)));
    const large = run('large', runLarge(pool, 'a'));
    await Promise.all([...flood, large]);
    assert.ok(finished.indexOf('large') <= 5, finished.join(' '));
  }));

test('a thread that dies while it is being emptied for a large task leaves that task to another one', () =>
  withPool({ threads: 2 }, async (pool) => {
    await amidSmallTasks(pool, 8, async () => {
      const dying = Array.from({ length: 4 }, (_, index) =>
        pool.run(`dying ${index}`, { name: 'one', ends: 'badly' }, []),
      );
      const large = ['one', 'two'].map((owner) => runLarge(pool, owner));
      for (const task of dying) await assert.rejects(task, /ended badly/u);
      assert.equal((await Promise.all(large)).length, 2);
    });
  }));
