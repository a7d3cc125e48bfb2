import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemTimers } from '../../src/adapters/platform/timers.ts';
import type { UnderWay } from '../../src/app/service.ts';
import { announceStop, stopText } from '../../src/main/announce-stop.ts';

const NOTHING: UnderWay = { requests: 0, deliveries: 0, containers: 0, voids: 0, tasks: 0 };

test('the terminal says what a stop waits for, in words', () => {
  const texts: readonly (readonly [Partial<UnderWay>, string])[] = [
    [{ requests: 1 }, '1 request'],
    [{ deliveries: 3 }, '3 deliveries'],
    [{ requests: 2, deliveries: 1 }, '2 requests and 1 delivery'],
    [{ deliveries: 1, containers: 2, voids: 1 }, '1 delivery, 2 containers and 1 void'],
    [{ containers: 1, tasks: 1 }, '1 container and 1 recurring task'],
    [{ voids: 2, tasks: 16 }, '2 voids and 16 recurring tasks'],
  ];
  assert.equal(stopText(NOTHING), 'Stopping.');
  for (const [some, words] of texts) {
    const text = `Stopping: waiting for ${words}. Another Ctrl-C ends it at once.`;
    assert.equal(stopText({ ...NOTHING, ...some }), text);
  }
});

test('it says so again when that has changed, and not when it has not', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  let underWay: UnderWay = { ...NOTHING, requests: 2 };
  const said: string[] = [];
  announceStop(
    systemTimers,
    () => underWay,
    (text) => said.push(text),
  );
  t.mock.timers.tick(2_000);
  underWay = { ...NOTHING, requests: 1 };
  t.mock.timers.tick(2_000);
  underWay = NOTHING;
  t.mock.timers.tick(2_000);
  assert.deepEqual(
    said,
    [2, 1, 0].map((requests) => stopText({ ...NOTHING, requests })),
  );
});
