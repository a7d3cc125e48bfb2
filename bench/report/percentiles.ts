/** Shares of requests that were answered at least as fast as a percentile says. */
export type Percentiles = {
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  readonly p999Ms: number;
};

/** By nearest rank: the smallest of the durations that so large a share of them does not exceed. Always one that was measured. */
export function percentile(sorted: ArrayLike<number>, share: number): number {
  if (sorted.length === 0) throw new RangeError('There are no percentiles of nothing.');
  // Rounding makes 0.07 × 100 a little more than 7, which would be the next rank.
  const rank = Math.ceil(Number((sorted.length * share).toPrecision(12)));
  return sorted[Math.max(rank, 1) - 1] ?? Number.NaN;
}

export function percentilesOf(durations: readonly number[]): Percentiles {
  const sorted = Float64Array.from(durations).sort();
  return {
    p50Ms: percentile(sorted, 0.5),
    p95Ms: percentile(sorted, 0.95),
    p99Ms: percentile(sorted, 0.99),
    p999Ms: percentile(sorted, 0.999),
  };
}
