import assert from 'node:assert/strict';
import { test } from 'node:test';
import { steadyElapsedMs, steadyTimers } from './steady-time.ts';

/** Longer than all that is waited for here. */
const STANDSTILL_MS = 1_000;

function standStill(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, STANDSTILL_MS);
}

test('time goes on, but for that in which the process stood still', async () => {
  const since = steadyElapsedMs();
  standStill();
  await steadyTimers.nextTurn();
  assert.ok(steadyElapsedMs() - since < STANDSTILL_MS / 2, 'neither before the next turn nor after it');
  const after = steadyElapsedMs();
  await steadyTimers.pause(STANDSTILL_MS);
  assert.ok(steadyElapsedMs() > after);
});

test('a limit is not reached while the process stands still: what came meanwhile is heard first', async () => {
  const events: string[] = [];
  const limit = Promise.withResolvers<void>();
  steadyTimers.after(STANDSTILL_MS / 2, () => limit.resolve(void events.push('limit')));
  // As what comes from a socket: after all timers whose time is over.
  setTimeout(() => setImmediate(() => events.push('came')), STANDSTILL_MS / 3);
  standStill();
  await limit.promise;
  assert.deepEqual(events, ['came', 'limit']);
});

test('a limit that was cancelled is never reached, also when it was put off', async () => {
  const { cancel } = steadyTimers.after(STANDSTILL_MS / 2, () => assert.fail('reached'));
  standStill();
  await steadyTimers.nextTurn();
  await steadyTimers.nextTurn();
  cancel();
  await steadyTimers.pause(STANDSTILL_MS);
});
