import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { after, before, test } from 'node:test';
import { describeFailure } from './describe-history.ts';
import { type History, runHistory } from './history.ts';
import { runSeeds } from './run-seeds.ts';
import { createTemplate, type Template } from './world/template.ts';

const IS_LONG = process.env['TEST_LONG'] === '1';
/** In long mode the new seeds go on until this time is over. */
const LONG_MINUTES = Number(process.env['SIMULATION_MINUTES'] ?? 10);
const FIXED_SEEDS = 50;
const NEW_SEEDS = 50;
/** New seeds begin anywhere, so that the runs of a week look at thousands of histories. */
const FIRST_NEW_SEED = Number(process.env['SIMULATION_SEED'] ?? randomInt(1_000, 100_000_000));
/** Each differs from the one after it, and is the same when it is run again. */
const REPEATED_SEEDS = [3, 8, 21];

/** Fixed histories with their traces. */
const fixed = new Map<number, History>();
let template: Template;
before(async () => {
  template = await createTemplate();
});
after(() => template.remove());

async function assertKept(seeds: Iterable<number>, onHistory?: (history: History) => void): Promise<number> {
  const { broken, histories, documents, registrations } = await runSeeds(template, seeds, {
    ...(onHistory === undefined ? {} : { keepsTrace: true, onHistory }),
  });
  assert.deepEqual(
    broken.map((history) => describeFailure(history)),
    [],
  );
  assert.ok(documents >= histories, `${documents} documents in ${histories} histories`);
  assert.ok(registrations >= histories, `${registrations} registrations in ${histories} histories`);
  return histories;
}

test(`every promise holds in ${FIXED_SEEDS} fixed histories`, async () => {
  const seeds = Array.from({ length: FIXED_SEEDS }, (_, index) => index + 1);
  assert.equal(await assertKept(seeds, (history) => fixed.set(history.seed, history)), FIXED_SEEDS);
});

test(`every promise holds in new histories, from seed ${FIRST_NEW_SEED} on`, async () => {
  const until = performance.now() + LONG_MINUTES * 60_000;
  function* seeds() {
    const isOver = (count: number) => (IS_LONG ? performance.now() >= until : count >= NEW_SEEDS);
    for (let count = 0; !isOver(count); count += 1) yield FIRST_NEW_SEED + count;
  }
  const histories = await assertKept(seeds());
  assert.ok(IS_LONG ? histories > 0 : histories === NEW_SEEDS, `${histories} histories`);
});

test('the same seed gives the same trace, byte by byte', async () => {
  const withTrace = (seed: number) => runHistory(template, seed, { keepsTrace: true });
  for (const seed of REPEATED_SEEDS) {
    const first = fixed.get(seed) ?? (await withTrace(seed));
    const second = await withTrace(seed);
    assert.ok(first.trace.length > 50, `${first.trace.length} lines`);
    assert.deepEqual(second.trace, first.trace);
    assert.equal(second.digest, first.digest);
    const other = fixed.get(seed + 1) ?? (await withTrace(seed + 1));
    assert.notEqual(other.digest, first.digest);
  }
});
