import assert from 'node:assert/strict';
import { test } from 'node:test';
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

test('an authority that stops answering takes a wrong clock’s proof with it; the database’s stays', async () => {
  const { ahead, watch } = clocks(['authority', HOUR], ['database', HOUR]);
  assert.equal(await watch.check(), 'wrong');
  ahead[0] = null;
  assert.equal(await watch.check(), 'wrong');
  ahead[1] = null;
  assert.equal(await watch.check(), 'unknown');
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
