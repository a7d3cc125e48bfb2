import type { TaxCategory } from '../../../../domain/documents/invoice-content.ts';
import { TOTAL_DECIMALS } from '../../../../domain/invoices/stated-totals.ts';
import {
  add,
  compare,
  type Decimal,
  isNegative,
  isZero,
  round,
  subtract,
  sum,
  ZERO,
} from '../../../../domain/values/decimal.ts';
import type { DividedCategories, DividedCategory } from '../totals/vat-subtotals.ts';
import { categoryKey } from '../vat/vat-category.ts';
import { apportion } from './largest-remainder.ts';
import { byIndicator, netOf, type PricedLine, reducedBy } from './priced-line.ts';

/** Lines that are reduced together, in proportion. What is taken from them is added up and distributed once, at the end. */
type Pool = { readonly lines: readonly PricedLine[]; left: Decimal; taken: Decimal };

/**
 * The lines of a category: several pools where an allowance is meant for the lines of one tax indicator alone, or where subtotals tell what
 * was deducted from those of each; else one, under null. What is taken from the category is divided over the pools once, at the end, so
 * that the order of the allowances makes no difference.
 */
type CategoryPools = {
  readonly pools: ReadonlyMap<string | null, Pool>;
  readonly deducted: Deducted | null;
  left: Decimal;
  taken: Decimal;
};

/** By how much the subtotal of each tax indicator is below its lines, in whole cents. */
type Deducted = ReadonlyMap<string, Decimal>;

/** What an allowance is for: the lines of a category, or only those of one tax indicator. */
export type AllowanceTarget = { readonly category: TaxCategory; readonly indicator: string | null };

/** What an allowance reduces. */
export type ReducibleLines = {
  /** The net amount that earlier allowances left. */
  readonly left: Decimal;
  readonly reduce: (amount: Decimal) => void;
};

export type AllowancePools = {
  /** Those for one tax indicator are to be reduced first. */
  readonly linesOf: (target: AllowanceTarget) => ReducibleLines;
  readonly reducedLines: () => readonly PricedLine[];
};

/** What comes back has no price to reduce. */
export function isReducible({ quantity }: PricedLine): boolean {
  return !isNegative(quantity);
}

/**
 * Distributes allowances over lines, except those to be kept. The work for an allowance does not depend on the number of lines: thousands
 * of both would otherwise never come to an end.
 */
export function createAllowancePools(
  lines: readonly PricedLine[],
  targets: readonly AllowanceTarget[],
  kept: ReadonlySet<PricedLine>,
  divided: DividedCategories,
): AllowancePools {
  const reducible = lines.filter((line) => isReducible(line) && !kept.has(line));
  const indicators = Map.groupBy(targets, ({ category }) => categoryKey(category));
  const linesOfCategory = Map.groupBy(lines, ({ category }) => categoryKey(category));
  const byCategory = new Map(
    [...Map.groupBy(reducible, ({ category }) => categoryKey(category))].map(([key, group]) => {
      const wanted = new Set(indicators.get(key)?.map(({ indicator }) => indicator));
      const deducted = deductedFrom(linesOfCategory.get(key) ?? [], divided.get(key));
      return [key, categoryPools(group, wanted, deducted)] as const;
    }),
  );
  return {
    linesOf({ category, indicator }) {
      const whole = byCategory.get(categoryKey(category)) ?? categoryPools([], new Set(), null);
      const own = indicator === null ? undefined : whole.pools.get(indicator);
      return reducibleLines(whole, own ?? whole);
    },
    reducedLines() {
      const parts = new Map([...byCategory.values()].flatMap(partsOfCategory));
      return lines.map((line) => {
        const part = parts.get(line);
        return part === undefined ? line : reducedBy(line, part);
      });
    },
  };
}

/** By the names of the indicators: of equal shares the first is rounded up, and the order of the lines says nothing. */
function categoryPools(
  lines: readonly PricedLine[],
  wanted: ReadonlySet<string | null>,
  deducted: Deducted | null,
): CategoryPools {
  const inOrder = lines.toSorted(byIndicator);
  const ofIndicators = Map.groupBy(inOrder, ({ treatment }) => treatment.indicator);
  const isWanted = deducted !== null || [...ofIndicators.keys()].some((indicator) => wanted.has(indicator));
  const isSplit = ofIndicators.size > 1 && isWanted;
  const groups = isSplit ? [...ofIndicators] : [[null, inOrder] as const];
  const pools = new Map(
    groups.map(([indicator, group]) => [indicator, { lines: group, ...untouched(group) }] as const),
  );
  return { pools, deducted, ...untouched(lines) };
}

/** Null where a subtotal does not tell. Both are rounded first: they may have more decimals, while allowances have whole cents. */
function deductedFrom(lines: readonly PricedLine[], stated: DividedCategory | undefined): Deducted | null {
  const ofIndicators = [...Map.groupBy(lines, ({ treatment }) => treatment.indicator)];
  const deducted = ofIndicators.flatMap(([indicator, own]) => {
    const taxable = stated?.get(indicator)?.taxable ?? null;
    if (taxable === null) return [];
    const net = round(sum(own.map(netOf)), TOTAL_DECIMALS);
    return [[indicator, subtract(net, round(taxable, TOTAL_DECIMALS))] as const];
  });
  return deducted.length === ofIndicators.length ? new Map(deducted) : null;
}

function untouched(lines: readonly PricedLine[]): Pick<Pool, 'left' | 'taken'> {
  return { left: sum(lines.map(netOf)), taken: ZERO };
}

function reducibleLines(whole: CategoryPools, own: Pool | CategoryPools): ReducibleLines {
  return {
    left: own.left,
    reduce(amount) {
      own.taken = add(own.taken, amount);
      for (const one of new Set([own, whole])) one.left = subtract(one.left, amount);
    },
  };
}

function partsOfCategory(category: CategoryPools): readonly (readonly [PricedLine, Decimal])[] {
  const { pools, taken } = category;
  const all = [...pools.values()];
  const weights = all.map(({ left }) => left);
  const parts = isZero(taken) ? [] : (statedParts(category) ?? apportion(taken, weights, TOTAL_DECIMALS));
  return all.flatMap((pool, index) => partsOf(pool.lines, add(pool.taken, parts[index] ?? ZERO)));
}

/** What the subtotals leave to be taken from each pool; null if that cannot be, or is not what is to be taken in all. */
function statedParts({ pools, deducted, taken }: CategoryPools): readonly Decimal[] | null {
  const parts = [...pools].map(([indicator, pool]) => {
    const part = subtract(deducted?.get(indicator ?? '') ?? ZERO, pool.taken);
    return { part, isPossible: !isNegative(part) && compare(part, pool.left) <= 0 };
  });
  const isPossible = parts.every((one) => one.isPossible) && compare(sum(parts.map(({ part }) => part)), taken) === 0;
  return isPossible ? parts.map(({ part }) => part) : null;
}

function partsOf(lines: readonly PricedLine[], taken: Decimal): readonly (readonly [PricedLine, Decimal])[] {
  if (isZero(taken)) return [];
  const parts = apportion(taken, lines.map(netOf), TOTAL_DECIMALS);
  return lines.map((line, index) => [line, parts[index] ?? ZERO]);
}
