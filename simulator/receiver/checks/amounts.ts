import type { Finding } from '../../refusal.ts';

/** Half a unit of the second decimal on either side of a comparison. */
export const TOLERANCE = 0.01;
/** What rounding a price to its fourth decimal makes of a hundred pieces and of a million is not the same. */
export const TOLERANCE_PER_PIECE = 0.0001;
/** Amounts of items may come with two decimals, so every item may add half a unit of the second. */
export const TOLERANCE_PER_ITEM = 0.005;

/** Below any tolerance and above what binary fractions lose. */
const FRACTION_DUST = 1e-9;

export type Comparison = {
  readonly parameter: string;
  readonly sent: number;
  readonly computed: number;
  readonly tolerance?: number;
};

export function compareAmounts(code: string, comparisons: readonly Comparison[]): readonly Finding[] {
  return comparisons.flatMap(({ parameter, sent, computed, tolerance = TOLERANCE }) => {
    if (Math.abs(sent - computed) <= tolerance + FRACTION_DUST) return [];
    const message = `${parameter}: ${sent} sent, ${Number(computed.toFixed(4))} computed: the error is greater than the threshold`;
    return [{ code, message, parameter }];
  });
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
