import assert from 'node:assert/strict';
import { systemTimers } from '../../src/adapters/platform/timers.ts';
import { readConfig } from '../../src/config.ts';
import { serve } from '../../src/main/serve.ts';
import { stopSignal } from '../../src/main/stop-signal.ts';

/** Far below what production allows: the simulated authority carries out no request that late. */
const OUTCOME_WINDOW_SECONDS = 3;
const LOOK_EVERY_MS = 5;

/**
 * Tells, when it is asked by SIGUSR2, how much processor time the longest turn of the event loop took since it was asked before; it begins to
 * look when it is asked first. Unlike the time on a clock, that does not depend on what else the machine does.
 */
function watchTurns(): void {
  let [longest, answers] = [0, 0];
  let last = process.threadCpuUsage();
  function look(): void {
    const now = process.threadCpuUsage();
    longest = Math.max(longest, now.user + now.system - last.user - last.system);
    last = now;
  }
  // The one collection after a start is made while nobody waits for an answer: it is part of no turn.
  const collect = globalThis.gc;
  assert.ok(collect !== undefined);
  Object.assign(globalThis, {
    gc(options: NodeJS.GCOptions) {
      look();
      collect(options);
      last = process.threadCpuUsage();
    },
  });
  process.once('SIGUSR2', () => {
    last = process.threadCpuUsage();
    setInterval(look, LOOK_EVERY_MS).unref();
  });
  process.on('SIGUSR2', () => {
    answers += 1;
    process.stdout.write(`longest turn ${answers}: ${Math.round(longest / 1_000)} ms\n`);
    longest = 0;
  });
}

watchTurns();
/** The service as the program runs it, but for the time after which a lost answer counts as not registered. */
process.exitCode = await serve(
  {
    out: (text) => void process.stdout.write(`${text}\n`),
    error: (text) => void process.stderr.write(`${text}\n`),
  },
  stopSignal(systemTimers),
  { config: { ...readConfig(), outcomeWindowSeconds: OUTCOME_WINDOW_SECONDS } },
);
