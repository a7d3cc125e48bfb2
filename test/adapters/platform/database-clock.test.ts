import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDatabaseClock } from '../../../src/adapters/platform/database-clock.ts';
import { systemTimers } from '../../../src/adapters/platform/timers.ts';
import { MORNING } from '../../engines/samples.ts';
import { until } from '../../support/process.ts';

const HOUR = 3_600_000;

/** A database whose clock is set by the test, and an even time beside it. */
async function start(context: { readonly after: (work: () => void) => void }) {
  const state = { elapsedMs: 0, databaseMs: MORNING, answers: 0, isDown: false };
  const clock = await createDatabaseClock({
    async databaseTime() {
      state.answers += 1;
      if (state.isDown) throw new Error('no connection');
      return state.databaseMs;
    },
    timers: { ...systemTimers, elapsedMs: () => state.elapsedMs },
    everyMs: 1,
  });
  context.after(clock.stop);
  const compared = async () => {
    const { answers } = state;
    await until('a comparison', () => state.answers > answers + 1);
  };
  return { state, clock, compared };
}

test('the time is that of the database, and goes on evenly while it does not answer', async (t) => {
  const { state, clock, compared } = await start(t);
  assert.equal(clock.now(), MORNING);
  state.isDown = true;
  await compared();
  state.elapsedMs += HOUR;
  await compared();
  assert.equal(clock.now(), MORNING + HOUR);
});

test('a small difference of a measurement changes nothing, a step of the database’s clock is followed', async (t) => {
  const { state, clock, compared } = await start(t);
  for (const inaccurate of [20, -20]) {
    state.databaseMs = MORNING + inaccurate;
    await compared();
    assert.equal(clock.now(), MORNING);
  }
  for (const step of [HOUR, -HOUR]) {
    state.databaseMs = MORNING + step;
    await compared();
    assert.equal(clock.now(), MORNING + step);
  }
});

test('the first question, for which a connection is opened, is no measurement', async (t) => {
  const timers = { ...systemTimers, elapsedMs: () => elapsedMs };
  let elapsedMs = 0;
  let isConnected = false;
  const clock = await createDatabaseClock({
    async databaseTime() {
      if (!isConnected) elapsedMs += 400;
      isConnected = true;
      return MORNING + elapsedMs;
    },
    timers,
  });
  t.after(clock.stop);
  assert.equal(clock.now(), MORNING + elapsedMs);
});
