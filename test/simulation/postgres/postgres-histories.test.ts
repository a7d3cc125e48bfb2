import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { after, before, test } from 'node:test';
import { describeFailure } from '../describe-history.ts';
import { type History, runHistory } from '../history.ts';
import { runSeeds } from '../run-seeds.ts';
import { createTemplate, type Template } from '../world/template.ts';
import { postgresSource } from './postgres-database.ts';

const IS_LONG = process.env['TEST_LONG'] === '1';
/** In long mode the new seeds go on until this time is over. */
const LONG_MINUTES = Number(process.env['SIMULATION_MINUTES'] ?? 10);
/** A history takes a server four times as long as the embedded database. */
const FIXED_SEEDS = 3;
const NEW_SEEDS = 3;
const MOST_TRIED = 20;
const FIRST_NEW_SEED = Number(process.env['SIMULATION_SEED'] ?? randomInt(1_000, 100_000_000));

/** The fixed histories, with their traces. */
const fixed = new Map<number, History>();
let template: Template;
before(async () => {
  template = await createTemplate(await postgresSource());
});
after(() => template.remove());

async function assertKept(seeds: Iterable<number>, onHistory?: (history: History) => void): Promise<number> {
  // To shrink a plan takes minutes here; the command that the failure names does so.
  const { broken, histories, documents } = await runSeeds(template, seeds, {
    shrinks: IS_LONG,
    ...(onHistory === undefined ? {} : { keepsTrace: true, onHistory }),
  });
  assert.deepEqual(
    broken.map((history) => describeFailure(history, 'postgres')),
    [],
  );
  assert.ok(documents >= histories, `${documents} documents in ${histories} histories`);
  return histories;
}

test(`every promise holds in ${FIXED_SEEDS} fixed histories on PostgreSQL`, async () => {
  const seeds = Array.from({ length: FIXED_SEEDS }, (_, index) => index + 1);
  await assertKept(seeds, (history) => fixed.set(history.seed, history));
});

test(`every promise holds in new histories on PostgreSQL, from seed ${FIRST_NEW_SEED} on`, async () => {
  const until = performance.now() + LONG_MINUTES * 60_000;
  function* seeds() {
    const isOver = (count: number) => (IS_LONG ? performance.now() >= until : count >= NEW_SEEDS);
    for (let count = 0; !isOver(count); count += 1) yield FIRST_NEW_SEED + count;
  }
  assert.ok((await assertKept(seeds())) > 0);
});

test('the same seed gives the same trace on PostgreSQL, with lock waits and lost connections in it', async () => {
  const first = await historyWithWaits();
  const second = await runHistory(template, first.seed, { keepsTrace: true });
  assert.deepEqual(second.trace, first.trace);
  assert.equal(second.digest, first.digest);
});

/** Which seeds have both changes with the program; nearly every second one does. What was run already is not run again. */
async function historyWithWaits(): Promise<History> {
  for (let seed = 1; seed <= MOST_TRIED; seed += 1) {
    const history = fixed.get(seed) ?? (await runHistory(template, seed, { keepsTrace: true }));
    const has = (text: string) => history.trace.some((line) => line.includes(text));
    if (has('waits for a lock') && has('loses a connection')) return history;
  }
  assert.fail('No history has both.');
}
