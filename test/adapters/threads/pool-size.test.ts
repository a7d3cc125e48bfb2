import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setEnvironmentData } from 'node:worker_threads';
import { systemTimers } from '../../../src/adapters/platform/timers.ts';
import { createThreadPool, type ThreadPool } from '../../../src/adapters/threads/thread-pool.ts';
import type { Timers } from '../../../src/application/ports/platform.ts';
import { type Order, openGate, type Report } from './obedient-thread.ts';

const MODULE = new URL('./obedient-thread.ts', import.meta.url);
/** Starts only while it is allowed to, and answers each task by itself. */
const FAILING = new URL(`data:text/javascript,
  import { getEnvironmentData, parentPort } from 'node:worker_threads';
  if (getEnvironmentData('may start') !== true) throw new Error('no start');
  parentPort.on('message', (task) => parentPort.postMessage(task));
  parentPort.postMessage('ready');
`);
const [PATIENCE_MS, RESTART_PAUSE_MS, LONGEST_IDLE_MS] = [100, 1_000, 600_000];

/** Timers whose pauses end when the test says so, and a watch on tasks that never ends them. */
function heldTimers() {
  const held: { readonly ms: number; readonly dueMs: number; readonly run: () => void }[] = [];
  let elapsedMs = 0;
  const timers: Timers = {
    ...systemTimers,
    elapsedMs: () => elapsedMs,
    after(ms, run) {
      const one = { ms, dueMs: elapsedMs + ms, run };
      held.push(one);
      return { cancel: () => void (held.includes(one) && held.splice(held.indexOf(one), 1)) };
    },
  };
  return {
    timers,
    isHeld: (ms: number) => held.some((one) => one.ms === ms),
    /** Ends the pause of this length that began first. */
    end(ms: number) {
      const ended = held.find((one) => one.ms === ms);
      assert.ok(ended, `nothing waits for ${ms} ms`);
      held.splice(held.indexOf(ended), 1);
      elapsedMs = Math.max(elapsedMs, ended.dueMs);
      ended.run();
    },
  };
}

async function withPool(
  threads: number,
  work: (pool: ThreadPool<Order, Report>, held: ReturnType<typeof heldTimers>) => Promise<void>,
): Promise<void> {
  const held = heldTimers();
  const pool = createThreadPool<Order, Report>({ module: MODULE, timers: held.timers, threads, timeoutMs: 1e9 });
  try {
    await small(pool);
    await work(pool, held);
  } finally {
    for (const gate of gates.splice(0)) openGate(gate);
    await pool.close();
  }
}

const gates: Int32Array[] = [];

/** A task that lasts until it is released, on whatever thread gets it. */
function holdThread(pool: ThreadPool<Order, Report>, isLarge = false) {
  const gate = new Int32Array(new SharedArrayBuffer(4));
  const bytes = new Uint8Array(1);
  const done = pool.run('owner', { name: 'held', gate, bytes }, isLarge ? [bytes.buffer] : []);
  gates.push(gate);
  return { done, release: () => openGate(gate) };
}

const small = (pool: ThreadPool<Order, Report>) => pool.run('owner', { name: 'small' }, []);

test('a pool starts no thread before its first task, and closes without one', async () => {
  let started = 0;
  const count = () => {
    started += 1;
  };
  process.on('worker', count);
  try {
    const unused = createThreadPool<Order, Report>({
      module: MODULE,
      timers: systemTimers,
      threads: 2,
      timeoutMs: 1e9,
    });
    await unused.close();
    assert.equal(started, 0);
    await withPool(2, async () => assert.equal(started, 1));
  } finally {
    process.off('worker', count);
  }
});

test('tasks that do not wait start no second thread', () =>
  withPool(3, async (pool, held) => {
    const used = new Set<number>();
    for (let count = 0; count < 20; count += 1) used.add((await small(pool)).threadId);
    assert.equal(used.size, 1);
    assert.equal(held.isHeld(PATIENCE_MS), false);
  }));

test('tasks that wait for a while start another thread, as many as the pool may have', () =>
  withPool(2, async (pool, held) => {
    const first = holdThread(pool);
    // A task that lay ready behind the first stays there; those that come later go to whoever is free.
    const behind = [small(pool), small(pool)];
    const waiting = small(pool);
    held.end(PATIENCE_MS);
    const { threadId } = await waiting;
    const second = holdThread(pool);
    const more = Array.from({ length: 5 }, () => small(pool));
    assert.equal(held.isHeld(PATIENCE_MS), false, 'there are two already');
    first.release();
    second.release();
    assert.notEqual((await first.done).threadId, threadId);
    await Promise.all([...behind, ...more, second.done]);
  }));

test('a large task starts the thread that it leaves to the small ones, and a second large one starts none', () =>
  withPool(2, async (pool, held) => {
    const large = [holdThread(pool, true), holdThread(pool, true)];
    const { threadId } = await small(pool);
    assert.equal((await small(pool)).threadId, threadId);
    assert.equal(held.isHeld(PATIENCE_MS), false);
    for (const one of large) one.release();
    for (const { done } of large) await done;
  }));

test('a thread that has been idle for long ends, but never the last one', () =>
  withPool(2, async (pool, held) => {
    const large = holdThread(pool, true);
    const second = await small(pool);
    large.release();
    const first = await large.done;
    held.end(LONGEST_IDLE_MS);
    const { threadId } = await small(pool);
    assert.ok([first.threadId, second.threadId].includes(threadId));
    assert.equal(held.isHeld(LONGEST_IDLE_MS), false, 'one is left');
    const again = holdThread(pool, true);
    assert.ok((await small(pool)).threadId > Math.max(first.threadId, second.threadId), 'a new one');
    again.release();
    await again.done;
  }));

test('a thread that was used meanwhile does not end', () =>
  withPool(2, async (pool, held) => {
    const large = holdThread(pool, true);
    const second = await small(pool);
    held.timers.after(1, () => undefined);
    held.end(1);
    assert.equal((await small(pool)).threadId, second.threadId);
    held.end(LONGEST_IDLE_MS);
    assert.equal(held.isHeld(LONGEST_IDLE_MS), true, 'it is looked at again');
    assert.equal((await small(pool)).threadId, second.threadId);
    large.release();
    await large.done;
  }));

test('a thread that dies while it starts is replaced after a pause, not at once; its task waits, and the pool says so', async () => {
  const { timers, isHeld, end } = heldTimers();
  const heard: unknown[] = [];
  const onStart = (failure: unknown) => void heard.push(failure instanceof Error ? failure.message : failure);
  const pool = createThreadPool<Order, Order>({ module: FAILING, timers, threads: 2, timeoutMs: 1e9, onStart });
  const task = pool.run('owner', { name: 'patient' }, []);
  for (let round = 0; round < 2; round += 1) {
    while (!isHeld(RESTART_PAUSE_MS)) await systemTimers.pause(1);
    setEnvironmentData('may start', round === 1);
    end(RESTART_PAUSE_MS);
  }
  assert.equal((await task).name, 'patient');
  assert.deepEqual(heard, ['no start', 'no start', null]);
  await pool.close();
});
