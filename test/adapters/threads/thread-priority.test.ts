import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { test } from 'node:test';
import { lowerLibuvPriority } from '../../../src/adapters/threads/thread-priority.ts';

const skip = process.platform === 'linux' ? false : 'only Linux knows priorities of threads';

test('the threads of the platform give way, the thread that answers does not', { skip }, async () => {
  const mine = getPriority();
  await lowerLibuvPriority();
  const platform = readdirSync('/proc/self/task').filter(
    (thread) => readFileSync(`/proc/self/task/${thread}/comm`, 'utf8') === 'libuv-worker\n',
  );
  assert.ok(platform.length > 0, 'the platform has threads');
  for (const thread of platform) assert.equal(getPriority(Number(thread)), 19);
  assert.equal(getPriority(), mine);
});
