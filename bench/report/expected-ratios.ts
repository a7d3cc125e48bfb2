import { type Compared, type Ratios, type Row, ratiosOf } from './figures.ts';

/** Ratios of one kind of run: by scenario, by baseline. */
export type ExpectedRatios = Readonly<Record<string, Readonly<Record<string, Ratios>>>>;

/** A ratio that is larger than it may be. */
export type Deviation = {
  readonly scenario: string;
  readonly baseline: string;
  readonly of: Compared | 'processor';
  readonly expected: number;
  readonly found: number;
  /** How many times the expected ratio is allowed. */
  readonly tolerance: number;
};

/**
 * How many times its expected ratio a scenario may reach. Both sides are measured in the same run, but not at the same moment: what
 * else the machine does falls on one of them. Processor time suffers least from that, the slowest per cent of answers most.
 */
export const TOLERANCES: Readonly<Record<Deviation['of'], number>> = {
  processor: 2,
  residentMiB: 1.5,
  peakMiB: 1.5,
  perSecond: 2.5,
  p50Ms: 2.5,
  p99Ms: 6,
};

/** Ratios that were written down; the third digit is noise. */
export function ratiosToExpect(rows: readonly Row[]): ExpectedRatios {
  const rounded = (ratio: number | null) => (ratio === null ? null : Number(ratio.toPrecision(3)));
  return Object.fromEntries(
    rows.map((row) => [
      row.name,
      Object.fromEntries(
        row.baselines.map((baseline) => {
          const { cost, processor } = ratiosOf(row, baseline);
          return [baseline.name, { cost: rounded(cost), processor: rounded(processor) }];
        }),
      ),
    ]),
  );
}

/** Only what got worse: a scenario that is better than expected has no need of anybody. */
export function deviations(rows: readonly Row[], expected: ExpectedRatios): readonly Deviation[] {
  return rows.flatMap((row) =>
    row.baselines.flatMap((baseline) => {
      const wanted = expected[row.name]?.[baseline.name];
      if (wanted === undefined) return [];
      const found = ratiosOf(row, baseline);
      const place = { scenario: row.name, baseline: baseline.name };
      return [
        ...exceeding({ ...place, of: row.compared }, wanted.cost, found.cost),
        ...exceeding({ ...place, of: 'processor' }, wanted.processor, found.processor),
      ];
    }),
  );
}

function exceeding(
  place: Pick<Deviation, 'scenario' | 'baseline' | 'of'>,
  expected: number | null,
  found: number | null,
): readonly Deviation[] {
  const tolerance = TOLERANCES[place.of];
  if (expected === null || found === null || found <= expected * tolerance) return [];
  return [{ ...place, expected, found, tolerance }];
}

/** Scenarios that nothing is expected of yet. */
export function unexpected(rows: readonly Row[], expected: ExpectedRatios): readonly string[] {
  return rows
    .filter(({ name, baselines }) => baselines.length > 0 && expected[name] === undefined)
    .map(({ name }) => name);
}

const WHAT: Readonly<Record<Deviation['of'], string>> = {
  processor: 'processor time',
  residentMiB: 'resident memory',
  peakMiB: 'peak memory',
  perSecond: 'time',
  p50Ms: 'p50',
  p99Ms: 'p99',
};

export function describeDeviation({ scenario, baseline, of, expected, found, tolerance }: Deviation): string {
  const times = (found / expected).toFixed(1);
  return (
    `${scenario}: ${WHAT[of]} is ${found.toFixed(2)} times "${baseline}", expected ${expected.toFixed(2)}: ` +
    `${times} times as much, at most ${tolerance} is allowed`
  );
}
