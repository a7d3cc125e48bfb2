import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemTimers } from '../../../src/adapters/platform/timers.ts';
import { withDeadline } from '../../../src/adapters/threads/deadline.ts';
import { createSemaphore } from '../../../src/adapters/threads/semaphore.ts';
import { ServiceUnavailable } from '../../../src/application/errors/service-unavailable.ts';

test('whoever waits too long for its turn or for a result is told so; what hangs keeps its permit until it ends', async () => {
  const reads = createSemaphore(1);
  const run = (work: () => Promise<string>) =>
    withDeadline(systemTimers, { of: 'It', timeoutMs: 20 }, (signal) => reads.run('tenant', work, signal));
  const hanging = Promise.withResolvers<string>();
  const [first, second] = [run(() => hanging.promise), run(async () => 'second')];
  await assert.rejects(first, ServiceUnavailable);
  await assert.rejects(second, ServiceUnavailable);
  await assert.rejects(
    run(async () => 'third'),
    ServiceUnavailable,
  );
  hanging.resolve('late');
  await hanging.promise;
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(await run(async () => 'fourth'), 'fourth');
});
