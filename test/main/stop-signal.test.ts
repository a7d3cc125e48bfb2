import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemTimers } from '../../src/adapters/platform/timers.ts';
import { stopSignal } from '../../src/main/stop-signal.ts';

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

for (const signal of SIGNALS) {
  test(`${signal} asks for a stop in order`, (t) => {
    const before = new Set(SIGNALS.flatMap((one) => process.listeners(one)));
    const added = (one: NodeJS.Signals) => process.listeners(one).filter((listener) => !before.has(listener));
    const stopAsked = stopSignal(systemTimers);
    t.after(() => {
      for (const one of SIGNALS) for (const listener of added(one)) process.off(one, listener);
    });
    const [listener, ...more] = added(signal);
    assert.deepEqual([more.length, stopAsked.aborted], [0, false]);
    assert.ok(listener, 'without one Node ends the process there and then');
    listener(signal);
    assert.ok(stopAsked.aborted);
  });
}
