import { message } from '../../../../domain/messages/message.ts';
import { round, sum } from '../../../../domain/values/decimal.ts';
import { netOf, type TaxedLine } from '../lines/priced-line.ts';
import { categoryKey, namedCategory } from '../vat/vat-category.ts';
import { TOTAL_DECIMALS } from './money.ts';
import { isSameTotal, shownAmount, totalsMismatch } from './totals-mismatch.ts';
import { isExplainedPart } from './vat-adjustment.ts';
import type { DividedCategories, StatedVat } from './vat-subtotals.ts';

/**
 * A document may divide a category into subtotals with different codes. Each becomes a VAT row of its own, so each must be what
 * the lines of its indicator add up to.
 */
export function checkIndicatorSubtotals(divided: DividedCategories, lines: readonly TaxedLine[]): void {
  const linesByCategory = Map.groupBy(lines, ({ category }) => categoryKey(category));
  for (const [key, indicators] of divided) {
    const linesByIndicator = Map.groupBy(linesByCategory.get(key) ?? [], ({ treatment }) => treatment.indicator);
    for (const [indicator, stated] of indicators) {
      checkIndicator(stated, linesByIndicator.get(indicator) ?? [], { ...namedCategory(stated.category), indicator });
    }
  }
}

type Named = ReturnType<typeof namedCategory> & { readonly indicator: string };

function checkIndicator({ path, taxable, vat }: StatedVat, lines: readonly TaxedLine[], named: Named): void {
  const net = sum(lines.map(netOf));
  if (taxable !== null && !isSameTotal(taxable, net)) {
    const figures = { stated: shownAmount(taxable), computed: shownAmount(round(net, TOTAL_DECIMALS)) };
    totalsMismatch(message('taxable-of-indicator-differs', { ...named, ...figures }), `${path}/cbc:TaxableAmount`);
  }
  if (isExplainedPart(lines, round(vat, TOTAL_DECIMALS))) return;
  const charged = round(sum(lines.map((line) => line.vat)), TOTAL_DECIMALS);
  const figures = { stated: shownAmount(vat), computed: shownAmount(charged) };
  totalsMismatch(message('vat-of-indicator-differs', { ...named, ...figures }), `${path}/cbc:TaxAmount`);
}
