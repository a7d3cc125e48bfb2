import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { startProgram } from '../support/process.ts';
import { runHistory } from './history.ts';
import { withTemplate } from './run-seeds.ts';

const IS_LONG = process.env['TEST_LONG'] === '1';
/** In long mode the new seeds go on until this time is over. */
const LONG_MINUTES = Number(process.env['SIMULATION_MINUTES'] ?? 10);
const FIXED_SEEDS = 50;
const NEW_SEEDS = 50;
const MOST_SEEDS = 1_000_000;
/** New seeds begin anywhere, so that the runs of a week look at thousands of histories. */
const FIRST_NEW_SEED = Number(process.env['SIMULATION_SEED'] ?? randomInt(1_000, 100_000_000));
/** Far more than fifty histories take on the busiest machine. */
const DEADLINE_MS = 800_000;
const SUMMARY = /^(\d+) histories, (\d+) documents, (\d+) registrations, .* 0 broken$/mu;

/**
 * In a process of their own: node:test follows every promise from its making to its end, and histories make so many that this would
 * take a third of their time.
 */
async function simulate(t: TestContext, options: readonly string[], deadlineMs = DEADLINE_MS): Promise<number> {
  const args = ['--disable-warning=ExperimentalWarning', 'scripts/simulate.ts', ...options];
  const { exitCode, stdout, stderr } = await startProgram(t, process.execPath, args, {}).finished(deadlineMs);
  assert.equal(exitCode, 0, `${stdout}\n${stderr}`);
  const lastLine = stdout.trimEnd().split('\n').at(-1) ?? '';
  const [histories = 0, documents = 0, registrations = 0] = (SUMMARY.exec(lastLine) ?? []).slice(1).map(Number);
  assert.ok(documents >= histories, lastLine);
  assert.ok(registrations >= histories, lastLine);
  return histories;
}

test(`every promise holds in ${FIXED_SEEDS} fixed histories`, async (t) => {
  assert.equal(await simulate(t, ['--seeds', String(FIXED_SEEDS)]), FIXED_SEEDS);
});

test(`every promise holds in new histories, from seed ${FIRST_NEW_SEED} on`, async (t) => {
  const from = ['--from', String(FIRST_NEW_SEED)];
  if (!IS_LONG) return assert.equal(await simulate(t, ['--seeds', String(NEW_SEEDS), ...from]), NEW_SEEDS);
  const options = ['--seeds', String(MOST_SEEDS), '--minutes', String(LONG_MINUTES), ...from];
  assert.ok((await simulate(t, options, LONG_MINUTES * 60_000 + DEADLINE_MS)) > 0);
});

test('the same seed gives the same trace, byte by byte', () =>
  withTemplate(async (template) => {
    for (const seed of [3, 8, 21]) {
      const first = await runHistory(template, seed, { keepsTrace: true });
      const second = await runHistory(template, seed, { keepsTrace: true });
      assert.ok(first.trace.length > 50, `${first.trace.length} lines`);
      assert.deepEqual(second.trace, first.trace);
      assert.equal(second.digest, first.digest);
      const other = await runHistory(template, seed + 1);
      assert.notEqual(other.digest, first.digest);
    }
  }));
