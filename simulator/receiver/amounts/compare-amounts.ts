import type { Finding } from '../../authority-error.ts';
import { type Decimal, isWithin, textOf } from './decimal.ts';

export type Comparison = {
  readonly parameter: string;
  readonly sent: Decimal;
  readonly computed: Decimal;
};

/** The words of the message are those that an integrator saw live (the authority's published reference, §3.9). */
export function compareAmounts(
  code: string,
  comparisons: readonly Comparison[],
  tolerance: Decimal,
): readonly Finding[] {
  return comparisons.flatMap(({ parameter, sent, computed }) => {
    if (isWithin(sent, computed, tolerance)) return [];
    const amounts = `${textOf(sent)} sent, ${textOf(computed)} computed`;
    return [{ code, message: `${parameter}: ${amounts}: the error is greater than the threshold`, parameter }];
  });
}
