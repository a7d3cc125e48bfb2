import { notExpressible } from '../../../../src/adapters/ujp/conversion/conversion-failure.ts';
import { netOf, type PricedLine } from '../../../../src/adapters/ujp/conversion/lines/priced-line.ts';
import { proRata } from '../../../../src/adapters/ujp/conversion/lines/pro-rata.ts';
import { ITEM_DECIMALS, WORKING_DECIMALS } from '../../../../src/adapters/ujp/conversion/totals/money.ts';
import { categoryKey } from '../../../../src/adapters/ujp/conversion/vat/vat-category.ts';
import type { TaxCategory } from '../../../../src/domain/documents/invoice-content.ts';
import { add, compare, type Decimal, isNegative, isZero, sum, ZERO } from '../../../../src/domain/values/decimal.ts';

export type NaiveAllowance = { readonly amount: Decimal; readonly category: TaxCategory };

/** Allowances as anybody would write them down: one after the other, each over what the last one left of every line. */
export function naiveAllowances(
  lines: readonly PricedLine[],
  allowances: readonly NaiveAllowance[],
): readonly PricedLine[] {
  return allowances.reduce((reduced, allowance) => distribute(reduced, allowance), lines);
}

function distribute(lines: readonly PricedLine[], { amount: stated, category }: NaiveAllowance): readonly PricedLine[] {
  const sameCategory = lines.filter(
    (line) => categoryKey(line.category) === categoryKey(category) && !isNegative(line.quantity),
  );
  const sameIndicator = sameCategory.filter(({ treatment }) => treatment.indicator === category.exemptionReasonCode);
  const reduced = sameIndicator.length > 0 ? sameIndicator : sameCategory;
  const nets = reduced.map(netOf);
  const total = sum(nets);
  if (isZero(total)) notExpressible('nothing to reduce', '/');
  if (compare(stated, add(total, { units: BigInt(nets.length), scale: 2 })) > 0) notExpressible('too much', '/');
  const amount = compare(stated, total) <= 0 ? stated : total;
  const rounded = proRata(amount, nets, ITEM_DECIMALS);
  const fits = nets.every((net, index) => compare(rounded[index] ?? ZERO, net) <= 0);
  const parts = fits ? rounded : proRata(amount, nets, WORKING_DECIMALS);
  const partOf = new Map(reduced.map((line, index) => [line, parts[index] ?? ZERO]));
  return lines.map((line) => ({ ...line, discount: add(line.discount, partOf.get(line) ?? ZERO) }));
}
