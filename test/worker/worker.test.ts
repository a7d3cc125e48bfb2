import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, mock, test } from 'node:test';
import { systemTimers } from '../../src/adapters/platform/timers.ts';
import { type Job, startWorker } from '../../src/worker/worker.ts';

describe('a worker', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setInterval'] }));
  afterEach(() => mock.timers.reset());

  function unexpected(_: Job, error: unknown): never {
    throw error;
  }

  /** Lets everything that is ready run. */
  const settle = () => new Promise((resolve) => setImmediate(resolve));

  test('each job runs at its own pace', async () => {
    const runs: string[] = [];
    const job = (name: string, everyMs: number): Job => ({ name, everyMs, run: async () => void runs.push(name) });
    const worker = startWorker(systemTimers, [job('often', 100), job('seldom', 1_000)], unexpected);
    for (let tick = 0; tick < 20; tick += 1) {
      mock.timers.tick(100);
      await settle();
    }
    await worker.stop();
    assert.equal(runs.filter((name) => name === 'often').length, 20);
    assert.equal(runs.filter((name) => name === 'seldom').length, 2);
  });

  test('a stop waits for what other jobs have begun where the end of one fails, which is reported', async () => {
    const failures: string[] = [];
    let hasEnded = false;
    const run = async () => undefined;
    const failing: Job = { name: 'failing', everyMs: 10, run, finish: () => Promise.reject(new Error('broken')) };
    const other: Job = {
      name: 'other',
      everyMs: 10,
      run,
      async finish() {
        await settle();
        hasEnded = true;
      },
    };
    const report = ({ name }: Job, error: unknown) => failures.push(`${name}: ${String(error)}`);
    await startWorker(systemTimers, [failing, other], report).stop();
    assert.deepEqual(failures, ['failing: Error: broken']);
    assert.ok(hasEnded);
  });

  test('a job that takes longer than its pace never runs twice at a time', async () => {
    let running = 0;
    let runs = 0;
    const finishers: (() => void)[] = [];
    const slow: Job = {
      name: 'slow',
      everyMs: 10,
      async run() {
        running += 1;
        runs += 1;
        assert.equal(running, 1);
        await new Promise<void>((resolve) => finishers.push(resolve));
        running -= 1;
      },
    };
    const worker = startWorker(systemTimers, [slow], unexpected);
    mock.timers.tick(100);
    await settle();
    assert.equal(runs, 1);
    finishers.pop()?.();
    await settle();
    mock.timers.tick(10);
    await settle();
    assert.equal(runs, 2);
    finishers.pop()?.();
    await worker.stop();
  });

  test('a failure is reported with its job, and the job comes round again; others are not disturbed', async () => {
    const failures: string[] = [];
    const goodRuns: string[] = [];
    const bad: Job = { name: 'bad', everyMs: 10, run: () => Promise.reject(new Error('no luck')) };
    const good: Job = { name: 'good', everyMs: 10, run: async () => void goodRuns.push('run') };
    const worker = startWorker(systemTimers, [bad, good], (job, error) =>
      failures.push(`${job.name}: ${(error as Error).message}`),
    );
    for (let tick = 0; tick < 3; tick += 1) {
      mock.timers.tick(10);
      await settle();
    }
    await worker.stop();
    assert.deepEqual(failures, ['bad: no luck', 'bad: no luck', 'bad: no luck']);
    assert.equal(goodRuns.length, 3);
  });

  test('stopping waits for what runs and starts nothing more', async () => {
    const order: string[] = [];
    const finishers: (() => void)[] = [];
    const job: Job = {
      name: 'job',
      everyMs: 10,
      async run() {
        order.push('began');
        await new Promise<void>((resolve) => finishers.push(resolve));
        order.push('ended');
      },
    };
    const worker = startWorker(systemTimers, [job], unexpected);
    mock.timers.tick(10);
    await settle();
    const stopped = worker.stop().then(() => order.push('stopped'));
    mock.timers.tick(100);
    await settle();
    finishers.pop()?.();
    await stopped;
    mock.timers.tick(100);
    await settle();
    assert.deepEqual(order, ['began', 'ended', 'stopped']);
  });

  for (const [what, job] of [
    ['a run that hangs', { run: () => new Promise<never>(() => undefined) }],
    [
      'work that a run has begun and that hangs',
      { run: async () => undefined, finish: () => new Promise<never>(() => undefined) },
    ],
  ] as const) {
    test(`stopping does not wait without end for ${what}`, async () => {
      mock.timers.reset();
      mock.timers.enable({ apis: ['setInterval', 'setTimeout'] });
      const worker = startWorker(systemTimers, [{ name: 'hangs', everyMs: 10, ...job }], unexpected);
      mock.timers.tick(10);
      await settle();
      let isStopped = false;
      const stopped = worker.stop().then(() => {
        isStopped = true;
      });
      mock.timers.tick(14_999);
      await settle();
      assert.equal(isStopped, false);
      mock.timers.tick(1);
      await stopped;
    });
  }
});
