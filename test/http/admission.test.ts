import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readEdb } from '../../src/application/accounts/manage-tenants.ts';
import { type Admission, createAdmission } from '../../src/http/admission.ts';

const [ALFA, BETA] = [readEdb('4030026000018'), readEdb('4080026000023')];
const MAX_WAIT_MS = 1_000;
const STEP_MS = 10;

type Machine = {
  readonly admission: Admission;
  readonly underWay: () => number;
  readonly limit: () => number;
  readonly refused: () => number;
  /** So many submissions arrive in every step for a time, and the machine carries out so many; returns the longest wait. */
  readonly run: (forMs: number, perStep: { readonly arrive: number; readonly carriedOut: number }) => number;
};

/** A machine that carries out submissions in the order of their arrival, on a clock of its own. */
function machine(): Machine {
  const told = { underWay: 0, limit: 0, refused: 0 };
  let now = 0;
  const admission = createAdmission({
    maxWaitMs: MAX_WAIT_MS,
    timers: { elapsedMs: () => now },
    observer: {
      changed: (underWay, limit) => Object.assign(told, { underWay, limit }),
      refused() {
        told.refused += 1;
      },
    },
  });
  const queue: { readonly since: number; readonly leave: () => void }[] = [];

  function arrive(): void {
    const leave = admission.hasRoom(ALFA, 0) ? admission.enter(ALFA, 0) : null;
    if (leave !== null) queue.push({ since: now, leave });
  }

  return {
    admission,
    underWay: () => told.underWay,
    limit: () => told.limit,
    refused: () => told.refused,
    run(forMs, perStep) {
      let longest = 0;
      for (const end = now + forMs; now < end; now += STEP_MS) {
        for (let count = 0; count < perStep.arrive; count += 1) arrive();
        for (const { since, leave } of queue.splice(0, perStep.carriedOut)) {
          longest = Math.max(longest, now - since);
          leave();
        }
      }
      return longest;
    },
  };
}

test('within its capacity nothing is refused, not even a burst of a whole address', () => {
  const { run, refused } = machine();
  run(60_000, { arrive: 3, carriedOut: 3 });
  run(STEP_MS, { arrive: 250, carriedOut: 3 });
  run(10_000, { arrive: 2, carriedOut: 3 });
  assert.equal(refused(), 0);
});

test('at twenty times the capacity whatever is taken is answered within the longest wait, and the machine stays busy', () => {
  for (const carriedOut of [2, 5, 40]) {
    const { run, refused, underWay } = machine();
    run(3_000, { arrive: 20 * carriedOut, carriedOut });
    const longest = run(5_000, { arrive: 20 * carriedOut, carriedOut });
    assert.ok(longest <= MAX_WAIT_MS, `${longest} ms`);
    assert.ok(underWay() > carriedOut, 'there is always a next one');
    assert.ok(refused() > 0);
  }
});

test('the limit follows a machine that becomes slower, and one that is fast again', () => {
  const { run, limit } = machine();
  run(5_000, { arrive: 40, carriedOut: 10 });
  const usual = limit();
  run(10_000, { arrive: 20, carriedOut: 2 });
  assert.ok(run(5_000, { arrive: 20, carriedOut: 2 }) <= MAX_WAIT_MS);
  run(5_000, { arrive: 40, carriedOut: 10 });
  assert.ok(Math.abs(limit() - usual) <= usual / 10, `${limit()} instead of ${usual}`);
});

test('a machine that stands still takes next to nothing, and recovers in a second', () => {
  const { run, underWay, refused } = machine();
  run(1_000, { arrive: 20, carriedOut: 5 });
  run(10_000, { arrive: 20, carriedOut: 0 });
  const stuck = underWay();
  run(10_000, { arrive: 20, carriedOut: 0 });
  assert.equal(underWay(), stuck, 'nothing is added to what stands still');
  run(2_000, { arrive: 20, carriedOut: 50 });
  const before = refused();
  run(1_000, { arrive: 20, carriedOut: 50 });
  assert.equal(refused(), before);
});

test('a pause without submissions says nothing of the capacity', () => {
  const { run, refused } = machine();
  run(1_000, { arrive: 3, carriedOut: 5 });
  run(600_000, { arrive: 0, carriedOut: 5 });
  run(STEP_MS, { arrive: 250, carriedOut: 5 });
  run(10_000, { arrive: 3, carriedOut: 5 });
  assert.equal(refused(), 0);
});

test('while one tenant sends far more than its share, another one is still let in', () => {
  const { run, admission } = machine();
  run(2_000, { arrive: 100, carriedOut: 10 });
  for (let isIn = true; isIn; isIn = admission.enter(ALFA, 0) !== null);
  for (let count = 0; count < 50; count += 1) assert.notEqual(admission.enter(BETA, 0), null);
});

test('who has waited too long before it began is refused, but for a tenant that sends less than others', () => {
  const { admission } = machine();
  const late = MAX_WAIT_MS + 1;
  for (let count = 0; count < 40; count += 1) admission.enter(ALFA, 0)?.();
  assert.notEqual(admission.enter(ALFA, MAX_WAIT_MS), null);
  assert.equal(admission.enter(ALFA, late), null);
  assert.equal(admission.hasRoom(ALFA, late), false);
  for (let count = 0; count < 10; count += 1) assert.notEqual(admission.enter(BETA, late), null);
});
