import { notExpressible } from '../../../../src/adapters/ujp/conversion/conversion-failure.ts';
import { netOf, type PricedLine } from '../../../../src/adapters/ujp/conversion/lines/priced-line.ts';
import { categoryKey } from '../../../../src/adapters/ujp/conversion/vat/vat-category.ts';
import type { TaxCategory } from '../../../../src/domain/documents/invoice-content.ts';
import { message } from '../../../../src/domain/messages/message.ts';
import {
  add,
  compare,
  type Decimal,
  isNegative,
  isZero,
  round,
  sum,
  ZERO,
} from '../../../../src/domain/values/decimal.ts';

export type NaiveAllowance = { readonly amount: Decimal; readonly category: TaxCategory };

/**
 * Allowances as anybody would write them down: one after the other, each over what the last one left of every line; those for one tax
 * indicator first.
 */
export function naiveAllowances(
  lines: readonly PricedLine[],
  allowances: readonly NaiveAllowance[],
): readonly PricedLine[] {
  const isForIndicator = ({ category }: NaiveAllowance) => linesFor(lines, category).sameIndicator.length > 0;
  const inOrder = [...allowances.filter(isForIndicator), ...allowances.filter((one) => !isForIndicator(one))];
  return inOrder.reduce((reduced, allowance) => distribute(reduced, allowance), lines);
}

function linesFor(lines: readonly PricedLine[], category: TaxCategory) {
  const sameCategory = lines.filter(
    (line) => categoryKey(line.category) === categoryKey(category) && !isNegative(line.quantity),
  );
  const sameIndicator = sameCategory.filter(({ treatment }) => treatment.indicator === category.exemptionReasonCode);
  return { sameCategory, sameIndicator };
}

function distribute(lines: readonly PricedLine[], { amount: stated, category }: NaiveAllowance): readonly PricedLine[] {
  const { sameCategory, sameIndicator } = linesFor(lines, category);
  // Of equal shares the first is rounded up: by the names of the indicators.
  const reduced = (sameIndicator.length > 0 ? sameIndicator : sameCategory).toSorted(
    ({ treatment: one }, { treatment: other }) => one.indicator.localeCompare(other.indicator, 'en'),
  );
  const nets = reduced.map(netOf);
  const total = sum(nets);
  if (isZero(total)) notExpressible(message('allowance-without-lines'), '/');
  if (compare(stated, total) > 0) notExpressible(message('amount-missing'), '/');
  const parts = inCents(stated, nets);
  const partOf = new Map(reduced.map((line, index) => [line, parts[index] ?? ZERO]));
  return lines.map((line) => ({ ...line, discount: add(line.discount, partOf.get(line) ?? ZERO) }));
}

/** Each part one cent after the other: always to the line that is farthest below its share. */
function inCents(amount: Decimal, nets: readonly Decimal[]): readonly Decimal[] {
  const cents = nets.map((net) => round(net, 2).units);
  const whole = cents.reduce((total, own) => total + own, 0n);
  const wanted = round(amount, 2).units;
  const parts = cents.map((own) => (wanted * own) / whole);
  for (let missing = wanted - parts.reduce((total, own) => total + own, 0n); missing > 0n; missing -= 1n) {
    const below = cents.map((own, index) => wanted * own - whole * (parts[index] ?? 0n));
    const farthest = below.reduce((best, value, index) => (value > (below[best] ?? 0n) ? index : best), 0);
    parts[farthest] = (parts[farthest] ?? 0n) + 1n;
  }
  return parts.map((units) => ({ units, scale: 2 }));
}
