import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeDeviation, deviations, ratiosToExpect, unexpected } from '../../bench/report/expected-ratios.ts';
import { type Figures, NO_FIGURES, type Row, ratiosOf } from '../../bench/report/figures.ts';
import { percentile, percentilesOf } from '../../bench/report/percentiles.ts';
import { withTable } from '../../bench/report/performance-page.ts';
import { markdownTable, textTable } from '../../bench/report/table.ts';
import { fc } from '../support/seeds.ts';

const BARE = 'bare HTTP server';

function row(figures: Partial<Figures>, its: Partial<Figures>, compared: Row['compared'] = 'perSecond'): Row {
  const baselines = [{ name: BARE, figures: { ...NO_FIGURES, ...its } }];
  return { name: 'submit 9 kB', compared, figures: { ...NO_FIGURES, ...figures }, baselines };
}

const USUAL = row({ perSecond: 500, processorMs: 2 }, { perSecond: 2_000, processorMs: 0.25 });

test('a percentile is the smallest duration that so large a share of all does not exceed', () => {
  const thousandths = fc.integer({ min: 1, max: 1_000 });
  fc.assert(
    fc.property(fc.array(fc.nat(50), { minLength: 1, maxLength: 3_000 }), thousandths, (durations, share) => {
      const found = percentile(
        durations.toSorted((a, b) => a - b),
        share / 1_000,
      );
      const upTo = (limit: number) => durations.filter((duration) => duration <= limit).length * 1_000;
      const below = durations.filter((duration) => duration < found).length * 1_000;
      assert.ok(durations.includes(found));
      assert.ok(upTo(found) >= share * durations.length, 'too small');
      assert.ok(below < share * durations.length, 'too large');
    }),
  );
});

test('a share that has no exact number in binary does not take the next rank', () => {
  const sorted = Array.from({ length: 100 }, (_, index) => index + 1);
  assert.equal(percentile(sorted, 0.07), 7);
});

test('percentiles do not depend on the order in which answers came', () => {
  const durations = Array.from({ length: 1_000 }, (_, index) => ((index * 7) % 1_000) + 1);
  assert.deepEqual(percentilesOf(durations), { p50Ms: 500, p95Ms: 950, p99Ms: 990, p999Ms: 999 });
});

test('a ratio is how many times as long or as much, whatever is compared', () => {
  const ratio = (one: Row) => one.baselines.map((baseline) => ratiosOf(one, baseline))[0];
  assert.deepEqual(ratio(USUAL), { cost: 4, processor: 8 });
  assert.deepEqual(ratio(row({ p99Ms: 6 }, { p99Ms: 2 }, 'p99Ms')), { cost: 3, processor: null });
  assert.deepEqual(ratio(row({ peakMiB: 300 }, { peakMiB: 100 }, 'peakMiB')), { cost: 3, processor: null });
  assert.deepEqual(ratio(row({ perSecond: 500 }, { note: 'absent' })), { cost: null, processor: null });
});

test('a baseline stands below its scenario, with the ratios and the notes', () => {
  const noted = row({ perSecond: 1_234.5, p99Ms: 12.34, peakMiB: 99.6 }, { perSecond: 2_469, note: 'says why' });
  const lines = textTable([noted]).split('\n');
  assert.match(lines[1] ?? '', /^submit 9 kB +1,23[45] +12\.3 ms +100 MiB$/u);
  assert.match(lines[2] ?? '', /^ {2}÷ bare HTTP server +2,469 +2\.00 +says why$/u);
  const page = withTable('before\n<!-- figures: x -->\nold\n<!-- end of figures -->\nafter', {
    at: '2026-11-16T21:00:00.000Z',
    mode: 'full',
    machine: 'a machine',
    rows: [noted],
  });
  assert.match(page, /^before\n<!-- figures: x -->\n\nMeasured on 2026-11-16 \(full\): a machine\.\n/u);
  assert.ok(page.includes(markdownTable([noted])));
  assert.ok(page.endsWith('\n\n<!-- end of figures -->\nafter'));
  assert.ok(!page.includes('old'));
});

test('a scenario that became slower than its range is told, with by how much', () => {
  const expected = ratiosToExpect([USUAL]);
  const slow = row({ perSecond: 160, processorMs: 2 }, { perSecond: 2_000, processorMs: 0.25 });
  const found = deviations([slow], expected);
  assert.deepEqual(found.map(describeDeviation), [
    `submit 9 kB: time is 12.50 times "${BARE}", expected 4.00: 3.1 times as much, at most 2.5 is allowed`,
  ]);
  const wasteful = row({ perSecond: 500, processorMs: 5 }, { perSecond: 2_000, processorMs: 0.25 });
  assert.deepEqual(
    deviations([wasteful], expected).map(({ of, expected: was, found: is }) => ({ of, was, is })),
    [{ of: 'processor', was: 8, is: 20 }],
  );
});

test('a slow machine, noise and a scenario that became faster are no deviations', () => {
  const expected = ratiosToExpect([USUAL]);
  const slowMachine = row({ perSecond: 50, processorMs: 20 }, { perSecond: 200, processorMs: 2.5 });
  const noise = row({ perSecond: 250, processorMs: 3 }, { perSecond: 2_000, processorMs: 0.25 });
  const faster = row({ perSecond: 1_900, processorMs: 0.3 }, { perSecond: 2_000, processorMs: 0.25 });
  assert.deepEqual(deviations([USUAL, slowMachine, noise, faster], expected), []);
});

test('a scenario that nothing is expected of is named, and a missing figure is no deviation', () => {
  assert.deepEqual(unexpected([USUAL], {}), ['submit 9 kB']);
  assert.deepEqual(deviations([USUAL], {}), []);
  assert.deepEqual(deviations([row({ perSecond: 1 }, {})], ratiosToExpect([USUAL])), []);
});
