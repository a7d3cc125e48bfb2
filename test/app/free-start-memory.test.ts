import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemTimers } from '../../src/adapters/platform/timers.ts';
import { freeStartMemory } from '../../src/app/jobs/free-start-memory.ts';
import type { Timers } from '../../src/application/ports/platform.ts';

test('what a start left is collected once, and not while something is under way', () => {
  const looks: (() => void)[] = [];
  const timers: Timers = {
    ...systemTimers,
    every(_ms, run) {
      looks.push(run);
      return { cancel: () => void looks.pop() };
    },
  };
  const collected: string[] = [];
  let isIdle = false;
  freeStartMemory(
    timers,
    () => isIdle,
    () => collected.push('all'),
  );
  looks[0]?.();
  assert.deepEqual([collected.length, looks.length], [0, 1]);
  isIdle = true;
  looks[0]?.();
  assert.deepEqual([collected.length, looks.length], [1, 0]);
});
