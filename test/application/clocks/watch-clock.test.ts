import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { type ClockProblem, type ClockReference, watchClock } from '../../../src/application/clocks/watch-clock.ts';
import { MORNING } from '../../engines/samples.ts';
import { clockAt } from '../../support/test-clock.ts';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const LIMITS = { authority: 300 * SECOND, database: 30 * SECOND };

/** Our clock, and others that are ahead of the right time by so much; null for one that does not answer. */
function clocks(...others: readonly (readonly [group: ClockReference['group'], aheadMs: number | null])[]) {
  const clock = clockAt();
  const ahead = others.map(([, aheadMs]) => aheadMs);
  const changes: (ClockProblem | null)[] = [];
  const references = others.map(
    ([group], index): ClockReference => ({
      name: `${group}-${index}`,
      group,
      limitMs: LIMITS[group],
      clock,
      async time() {
        const aheadMs = ahead[index] ?? null;
        if (aheadMs === null) throw new Error('no answer');
        return MORNING + aheadMs;
      },
    }),
  );
  return { clock, ahead, changes, watch: watchClock({ references, onChange: (change) => changes.push(change) }) };
}

test('nothing is delivered before the first comparison, nor by a clock that is wrong; it goes on by itself', async () => {
  const { clock, changes, watch } = clocks(['authority', 0]);
  assert.equal(watch.isTrusted(), false);
  assert.deepEqual([await watch.check(), watch.isTrusted()], ['right', true]);
  clock.advance(HOUR);
  assert.deepEqual([await watch.check(), watch.isTrusted()], ['wrong', false]);
  assert.deepEqual(watch.problem(), { reference: 'authority-0', offsetMs: HOUR, limitMs: LIMITS.authority });
  await watch.check();
  clock.advance(-HOUR);
  assert.deepEqual([await watch.check(), watch.isTrusted(), watch.problem()], ['right', true, null]);
  assert.deepEqual(
    changes.map((change) => change?.offsetMs ?? null),
    [HOUR, null],
    'said once each',
  );
});

test('before the first answer of the authority nothing is delivered by a clock that the database alone has confirmed, or the other way round', async () => {
  for (const [quick, slow] of [
    ['database', 'authority'],
    ['authority', 'database'],
  ] as const) {
    const { promise: late, resolve: answerLate } = Promise.withResolvers<void>();
    const clock = clockAt();
    const reference = (
      group: ClockReference['group'],
      wait: Promise<void> | null,
      aheadMs: number,
    ): ClockReference => ({
      ...{ name: group, group, limitMs: LIMITS[group], clock },
      async time() {
        await wait;
        return MORNING - aheadMs;
      },
    });
    const references = [reference(quick, null, 0), reference(slow, late, HOUR)];
    const watch = watchClock({ references, onChange: () => undefined });
    const first = watch.check();
    await watchUntil(() => watch.offsetsMs().has(quick));
    await setImmediate();
    assert.equal(watch.isTrusted(), false, `of the ${slow} nothing is known`);
    answerLate();
    assert.deepEqual([await first, watch.isTrusted()], ['wrong', false]);
  }
});

for (const [group, limitMs] of Object.entries(LIMITS) as ['authority' | 'database', number][]) {
  test(`a difference to the ${group} up to the limit is harmless, in either direction, and one beyond it is not`, async () => {
    for (const direction of [1, -1]) {
      const { ahead, watch } = clocks([group, direction * limitMs]);
      await watch.check();
      assert.equal(watch.isTrusted(), true);
      ahead[0] = direction * (limitMs + 1);
      assert.equal(await watch.check(), 'wrong');
      assert.deepEqual([...watch.offsetsMs().values()], [-direction * (limitMs + 1)]);
    }
  });
}

test('without an answer of the authority nothing is known, and work goes on', async () => {
  const { watch } = clocks(['authority', null], ['database', 0]);
  assert.deepEqual([await watch.check(), watch.isTrusted()], ['unknown', true]);
});

for (const group of ['authority', 'database'] as const) {
  test(`a clock that was found to be wrong by that of the ${group} stays so until one is compared and agrees`, async () => {
    const { clock, ahead, changes, watch } = clocks([group, -HOUR]);
    const known = { reference: `${group}-0`, offsetMs: HOUR, limitMs: LIMITS[group] };
    await watch.check();
    ahead[0] = null;
    assert.deepEqual([await watch.check(), watch.isTrusted(), watch.problem()], ['wrong', false, known]);
    assert.deepEqual([...watch.offsetsMs()], [[`${group}-0`, HOUR]], 'as it was last seen');
    clock.advance(-HOUR);
    assert.deepEqual(
      [await watch.check(), watch.problem()],
      ['wrong', known],
      'nobody has seen that it is right again',
    );
    ahead[0] = -HOUR;
    assert.equal(await watch.check(), group === 'authority' ? 'right' : 'unknown');
    assert.deepEqual([watch.isTrusted(), watch.problem(), changes], [true, null, [known, null]], 'said once each');
  });
}

test('of two references that found the clock wrong, one that agrees does not speak for the other', async () => {
  const { ahead, watch } = clocks(['authority', HOUR], ['database', HOUR]);
  await watch.check();
  [ahead[0], ahead[1]] = [null, 0];
  assert.deepEqual([await watch.check(), watch.problem()?.reference], ['wrong', 'authority-0']);
  [ahead[0], ahead[1]] = [0, null];
  assert.deepEqual([await watch.check(), watch.problem()], ['right', null]);
});

test('that a clock agreed is not remembered: what has answered since counts', async () => {
  const { clock, ahead, watch } = clocks(['authority', 0], ['authority', 0]);
  await watch.check();
  clock.advance(HOUR);
  ahead[1] = null;
  assert.equal(await watch.check(), 'wrong');
  [ahead[0], ahead[1]] = [null, HOUR];
  assert.equal(await watch.check(), 'right', 'another installation agrees now');
});

test('an answer that came too late to be compared ends no stop', async () => {
  const clock = clockAt();
  let isSlow = false;
  const slow: ClockReference = {
    ...{ name: 'authority', group: 'authority', limitMs: LIMITS.authority, clock },
    async time() {
      const time = clock.now() - HOUR;
      if (isSlow) clock.advance(HOUR);
      return time;
    },
  };
  const slowly = watchClock({ references: [slow], onChange: () => undefined });
  assert.equal(await slowly.check(), 'wrong');
  isSlow = true;
  assert.deepEqual([await slowly.check(), slowly.isTrusted()], ['wrong', false]);
});

test('one installation of the authority with a wrong clock of its own stops nothing while another agrees', async () => {
  const { ahead, watch } = clocks(['authority', HOUR], ['authority', 0]);
  assert.equal(await watch.check(), 'right');
  ahead[1] = null;
  assert.equal(await watch.check(), 'wrong');
});

test('a clock that is set during a comparison is compared again', async () => {
  const clock = clockAt();
  const reference: ClockReference = {
    ...{ name: 'authority', group: 'authority', limitMs: LIMITS.authority, clock },
    async time() {
      const time = clock.now();
      clock.advance(HOUR);
      return time;
    },
  };
  const watch = watchClock({ references: [reference], onChange: () => assert.fail('nothing is known') });
  assert.equal(await watch.check(), 'unknown');
});

test('whoever asks while a comparison is under way gets one that begins afterwards: the clock may have been set meanwhile', async () => {
  let ours = MORNING;
  const { promise: late, resolve: answerLate } = Promise.withResolvers<void>();
  const reference = (name: string, wait: Promise<void> | null): ClockReference => ({
    ...{ name, group: 'authority', limitMs: LIMITS.authority, clock: { now: () => ours } },
    async time() {
      await wait;
      return MORNING;
    },
  });
  const references = [reference('quick', null), reference('slow', late)];
  const watch = watchClock({ references, onChange: () => undefined });
  const first = watch.check();
  await watchUntil(() => watch.isTrusted());
  ours += HOUR;
  const [second, third] = [watch.check(), watch.check()];
  assert.equal(second, third, 'they share one');
  answerLate();
  assert.deepEqual([await first, await second, watch.isTrusted()], ['right', 'wrong', false]);
  ours -= HOUR;
  assert.equal(await watch.check(), 'right');
});

async function watchUntil(isSo: () => boolean): Promise<void> {
  while (!isSo()) await Promise.resolve();
}
