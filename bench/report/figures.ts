/** What was measured of a scenario or of a baseline; null where it has no such figure. */
export type Figures = {
  readonly perSecond: number | null;
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  readonly p99Ms: number | null;
  readonly p999Ms: number | null;
  /** For one request, of all threads of the process. */
  readonly processorMs: number | null;
  /** At the end, and at most. */
  readonly residentMiB: number | null;
  readonly peakMiB: number | null;
  /** What a reader must know to take the figures for what they are. */
  readonly note: string | null;
};

/** Which figure a scenario is compared with its baselines by. */
export type Compared = 'perSecond' | 'p50Ms' | 'p99Ms' | 'residentMiB' | 'peakMiB';

export type Baseline = { readonly name: string; readonly figures: Figures };

export type Row = {
  readonly name: string;
  readonly compared: Compared;
  readonly figures: Figures;
  readonly baselines: readonly Baseline[];
};

/** Times the baseline: one is as good, two is twice as long or twice as much. Null where either has no such figure. */
export type Ratios = { readonly cost: number | null; readonly processor: number | null };

export const NO_FIGURES: Figures = {
  perSecond: null,
  p50Ms: null,
  p95Ms: null,
  p99Ms: null,
  p999Ms: null,
  processorMs: null,
  residentMiB: null,
  peakMiB: null,
  note: null,
};

export function ratiosOf({ compared, figures }: Row, baseline: Baseline): Ratios {
  const [mine, its] = [figures[compared], baseline.figures[compared]];
  return {
    cost: compared === 'perSecond' ? quotient(its, mine) : quotient(mine, its),
    processor: quotient(figures.processorMs, baseline.figures.processorMs),
  };
}

function quotient(dividend: number | null, divisor: number | null): number | null {
  return dividend === null || divisor === null || divisor <= 0 || dividend <= 0 ? null : dividend / divisor;
}
