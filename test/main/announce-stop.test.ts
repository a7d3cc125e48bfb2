import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemTimers } from '../../src/adapters/platform/timers.ts';
import type { UnderWay } from '../../src/app/service.ts';
import { announceStop, stopText } from '../../src/main/announce-stop.ts';

test('the terminal says what a stop waits for, in words', () => {
  const texts: readonly (readonly [number, number, string])[] = [
    [0, 0, 'Stopping.'],
    [1, 0, 'Stopping: waiting for 1 request. Another Ctrl-C ends it at once.'],
    [0, 3, 'Stopping: waiting for 3 deliveries. Another Ctrl-C ends it at once.'],
    [2, 1, 'Stopping: waiting for 2 requests and 1 delivery. Another Ctrl-C ends it at once.'],
  ];
  for (const [requests, deliveries, text] of texts) assert.equal(stopText({ requests, deliveries }), text);
});

test('it says so again when that has changed, and not when it has not', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  let underWay: UnderWay = { requests: 2, deliveries: 0 };
  const said: string[] = [];
  announceStop(
    systemTimers,
    () => underWay,
    (text) => said.push(text),
  );
  t.mock.timers.tick(2_000);
  underWay = { requests: 1, deliveries: 0 };
  t.mock.timers.tick(2_000);
  underWay = { requests: 0, deliveries: 0 };
  t.mock.timers.tick(2_000);
  assert.deepEqual(
    said,
    [2, 1, 0].map((requests) => stopText({ requests, deliveries: 0 })),
  );
});
