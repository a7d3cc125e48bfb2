import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemRandom } from '../../src/adapters/platform/platform.ts';
import { systemTimers } from '../../src/adapters/platform/timers.ts';
import type { Timers } from '../../src/application/ports/platform.ts';
import { toHex } from '../../src/domain/values/hex.ts';
import { as, startTestService, WITH_BACKGROUND } from '../support/service.ts';

/** The system's, counting how often each is asked. */
function countedTimers() {
  const counts = { elapsedMs: 0, after: 0, every: 0, pause: 0, nextTurn: 0 };
  const counted = <Name extends keyof Timers>(name: Name) =>
    ((...given: never[]) => {
      counts[name] += 1;
      return (systemTimers[name] as (...given: never[]) => unknown)(...given);
    }) as Timers[Name];
  const timers: Timers = {
    elapsedMs: counted('elapsedMs'),
    after: counted('after'),
    every: counted('every'),
    pause: counted('pause'),
    nextTurn: counted('nextTurn'),
  };
  return { timers, counts };
}

test('a service uses the timers and random bytes that its foundation was given', async (t) => {
  const { timers, counts } = countedTimers();
  const drawn = new Set<string>();
  const random = {
    bytes(count: number) {
      const bytes = systemRandom.bytes(count);
      drawn.add(toHex(bytes));
      return bytes;
    },
  };
  const service = await startTestService({ timers, random, variables: WITH_BACKGROUND });
  t.after(service.stop);
  const before = { ...counts };
  const answer = await fetch(`${service.api}/ping`, { headers: as('demo-alfa') });
  assert.equal(answer.status, 200);
  // All but the bits of version and variant are those of sixteen bytes that were drawn.
  const id = answer.headers.get('x-request-id')?.replaceAll('-', '') ?? '';
  const random122 = (hex: string) => `${hex.slice(0, 12)} ${hex.slice(13, 16)} ${hex.slice(17)}`;
  assert.ok([...drawn].map(random122).includes(random122(id)), id);
  assert.ok(counts.elapsedMs > before.elapsedMs && counts.after > before.after, 'the answer was measured and limited');
  assert.ok(counts.every >= 6, `${counts.every} jobs, lease renewal and audit buffer`);
  assert.ok(counts.nextTurn > 0, 'group commit yields');
});
