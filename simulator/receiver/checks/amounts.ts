import type { Finding } from '../../authority-error.ts';

/** Both amounts of a comparison may be rounded, each by half a unit of the second decimal. */
export const TOLERANCE = 0.01;
/** Prices are rounded to four decimals; multiplied by the quantity, the rounding error grows with it. */
export const TOLERANCE_PER_PIECE = 0.0001;
/** Amounts of items may be rounded to two decimals, so each may add half a unit of the second decimal to a sum. */
export const TOLERANCE_PER_ITEM = 0.005;

/** Smaller than any tolerance, greater than the errors of floating-point arithmetic. */
const FLOATING_POINT_ERROR = 1e-9;

export type Comparison = {
  readonly parameter: string;
  readonly sent: number;
  readonly computed: number;
  readonly tolerance?: number;
};

export function compareAmounts(code: string, comparisons: readonly Comparison[]): readonly Finding[] {
  return comparisons.flatMap(({ parameter, sent, computed, tolerance = TOLERANCE }) => {
    if (Math.abs(sent - computed) <= tolerance + FLOATING_POINT_ERROR) return [];
    const message = `${parameter}: ${sent} sent, ${Number(computed.toFixed(4))} computed: the error is greater than the threshold`;
    return [{ code, message, parameter }];
  });
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
