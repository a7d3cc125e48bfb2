import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemTimers } from '../../../src/adapters/platform/timers.ts';
import { createThreadPool, NoThread, type ThreadPool } from '../../../src/adapters/threads/thread-pool.ts';
import { type Order, openGate, type Report } from './obedient-thread.ts';

const MODULE = new URL('./obedient-thread.ts', import.meta.url);
/** Starting it throws, as it does where the system has no more threads for the process. */
const NO_THREAD = new URL('https://threads.example/none.js');
/** It starts, and ends before it is ready. */
const NO_MODULE = new URL('./missing-thread.ts', import.meta.url);

type Options = { readonly threads: number; readonly failsWithoutThread?: boolean; readonly onStart?: () => void };

/** Each start takes the next of the modules, and the last one for ever. */
function poolOf(modules: readonly [URL, ...URL[]], options: Options): ThreadPool<Order, Report> {
  const starts = [...modules];
  return createThreadPool({
    timers: systemTimers,
    timeoutMs: 20_000,
    ...options,
    get module() {
      return (starts.length > 1 ? starts.shift() : starts[0]) ?? NO_THREAD;
    },
  });
}

for (const [how, module] of [
  ['cannot be started', NO_THREAD],
  ['ends before it is ready', NO_MODULE],
] as const) {
  test(`where every thread ${how} tasks wait; a close fails them, and ends`, async () => {
    let failures = 0;
    const pool = poolOf([module], { threads: 1, onStart: () => (failures += 1) });
    const task = assert.rejects(pool.run('owner', { name: 'never run' }, []), NoThread);
    await pool.close();
    await task;
    assert.ok(failures > 0);
  });

  test(`where every thread ${how} tasks fail that are not to wait`, async () => {
    const pool = poolOf([module], { threads: 1, failsWithoutThread: true });
    await assert.rejects(pool.run('owner', { name: 'one' }, []), NoThread);
    // Until another start is tried, at once: nobody waits for that.
    const { promise: nextTurn, resolve } = Promise.withResolvers<string>();
    setImmediate(resolve, 'waits');
    const another = pool.run('owner', { name: 'another' }, []).catch((error: Error) => error.name);
    assert.equal(await Promise.race([another, nextTurn]), 'NoThread');
    await pool.close();
  });

  test(`a thread whose successor ${how} leaves those behind it to the one after that`, async () => {
    const pool = poolOf([MODULE, module, MODULE], { threads: 1 });
    const dying = assert.rejects(pool.run('owner', { name: 'one', ends: 'badly' }, []), /one ended badly/u);
    const behind = pool.run('owner', { name: 'behind' }, []);
    await dying;
    assert.equal((await behind).name, 'behind');
    await pool.close();
  });

  test(`where the second thread ${how} the first one does all`, async () => {
    const pool = poolOf([MODULE, module], { threads: 2, failsWithoutThread: true });
    await pool.run('owner', { name: 'ready' }, []);
    const gate = new Int32Array(new SharedArrayBuffer(4));
    const bytes = new Uint8Array(10);
    const large = pool.run('owner', { name: 'large', gate, bytes }, [bytes.buffer]);
    const small = pool.run('owner', { name: 'small' }, []);
    openGate(gate);
    assert.deepEqual([(await large).name, (await small).name], ['large', 'small']);
    await pool.close();
  });
}

test('what cannot be sent to a thread fails by itself', async () => {
  const pool = poolOf([MODULE], { threads: 1 });
  const bytes = new Uint8Array(10);
  await pool.run('owner', { name: 'first', bytes }, [bytes.buffer]);
  await assert.rejects(pool.run('owner', { name: 'gone', bytes }, [bytes.buffer]), { name: 'DataCloneError' });
  assert.equal((await pool.run('owner', { name: 'next' }, [])).name, 'next');
  await pool.close();
});
