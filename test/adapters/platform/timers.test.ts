import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { systemTimers } from '../../../src/adapters/platform/timers.ts';

const { after, every, pause, nextTurn, elapsedMs } = systemTimers;

test('elapsed time never goes back', async () => {
  const times: number[] = [];
  for (let look = 0; look < 100; look += 1) {
    times.push(elapsedMs());
    await nextTurn();
  }
  assert.deepEqual(
    times,
    times.toSorted((one, other) => one - other),
  );
});

test('what is to run after a time runs once, and not before', async () => {
  let runs = 0;
  const started = elapsedMs();
  await new Promise<void>((resolve) => {
    after(20, () => {
      runs += 1;
      resolve();
    });
  });
  // Timers count whole milliseconds.
  assert.ok(elapsedMs() - started >= 19);
  await pause(50);
  assert.equal(runs, 1);
});

test('what is to run at intervals runs until it is cancelled', async () => {
  let runs = 0;
  await new Promise<void>((resolve) => {
    const timer = every(1, () => {
      runs += 1;
      if (runs < 3) return;
      timer.cancel();
      resolve();
    });
  });
  await pause(20);
  assert.equal(runs, 3);
});

test('a cancelled timer does not run', async () => {
  const timer = after(1, () => assert.fail('it ran'));
  timer.cancel();
  timer.cancel();
  await pause(20);
});

test('a pause ends with the reason of its signal, also when that was aborted before', async () => {
  const reason = new Error('enough');
  const controller = new AbortController();
  const interrupted = pause(3_600_000, controller.signal);
  controller.abort(reason);
  await assert.rejects(interrupted, reason);
  await assert.rejects(pause(3_600_000, AbortSignal.abort(reason)), reason);
  await pause(1, new AbortController().signal);
});

test('only what keeps the process alive is waited for', () => {
  const program = `
    import { systemTimers } from '${new URL('../../../src/adapters/platform/timers.ts', import.meta.url).href}';
    const { after, every } = systemTimers;
    after(3_600_000, () => undefined, { keepsProcess: false });
    every(3_600_000, () => undefined, { keepsProcess: false });
    after(1, () => process.stdout.write('waited for'), { keepsProcess: true });
  `;
  const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
    timeout: 120_000,
  });
  assert.deepEqual({ stdout, status }, { stdout: 'waited for', status: 0 });
});
