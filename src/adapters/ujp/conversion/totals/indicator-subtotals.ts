import { isSameTotal, TOTAL_DECIMALS } from '../../../../domain/invoices/stated-totals.ts';
import { message } from '../../../../domain/messages/message.ts';
import { compare, round, sum, ZERO } from '../../../../domain/values/decimal.ts';
import { netOf, type TaxedLine } from '../lines/priced-line.ts';
import { categoryKey, namedCategory } from '../vat/vat-category.ts';
import { groupsOfIndicators } from './line-vat.ts';
import { shownAmount, shownSum, totalsMismatch } from './totals-mismatch.ts';
import { isExplainedPart, type VatGroup } from './vat-adjustment.ts';
import { type DividedCategories, type StatedVat, taxableParts } from './vat-subtotals.ts';

/**
 * A document may divide a category into subtotals with different codes. Each becomes a VAT row of its own, so each must be what
 * the lines of its indicator add up to, or the row that the VAT of the category would be divided into if it were stated once: what
 * was registered so comes back from UBL.
 */
export function checkIndicatorSubtotals(divided: DividedCategories, lines: readonly TaxedLine[]): void {
  const linesByCategory = Map.groupBy(lines, ({ category }) => categoryKey(category));
  for (const [key, indicators] of divided) {
    const lines = linesByCategory.get(key) ?? [];
    const whole = round(sum([...indicators.values()].map(({ vat }) => vat)), TOTAL_DECIMALS);
    const rows = Map.groupBy(groupsOfIndicators({ lines, vat: whole }), (row) => row.lines[0]?.treatment.indicator);
    for (const [indicator, stated] of indicators) {
      const [row] = rows.get(indicator) ?? [];
      checkIndicator(stated, row ?? NO_ROW, { ...namedCategory(stated.category), indicator });
    }
  }
}

const NO_ROW: VatGroup = { lines: [], vat: ZERO };

type Named = ReturnType<typeof namedCategory> & { readonly indicator: string };

function checkIndicator({ path, taxable, vat, parts }: StatedVat, { lines, vat: part }: VatGroup, named: Named): void {
  const net = sum(lines.map(netOf));
  if (taxable !== null && !isSameTotal(taxable, net)) {
    const figures = {
      stated: shownSum(taxableParts(parts)),
      computed: shownAmount(round(net, TOTAL_DECIMALS)),
    };
    totalsMismatch(message('taxable-of-indicator-differs', { ...named, ...figures }), `${path}/cbc:TaxableAmount`);
  }
  const rounded = round(vat, TOTAL_DECIMALS);
  if (isExplainedPart(lines, rounded) || compare(rounded, part) === 0) return;
  const charged = round(sum(lines.map((line) => line.vat)), TOTAL_DECIMALS);
  const figures = { stated: shownSum(parts.map((one) => one.vat)), computed: shownAmount(charged) };
  totalsMismatch(message('vat-of-indicator-differs', { ...named, ...figures }), `${path}/cbc:TaxAmount`);
}
