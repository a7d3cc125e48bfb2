import type { TaxCategory } from '../../../../domain/documents/invoice-content.ts';
import { add, type Decimal, isNegative, isZero, subtract, sum, ZERO } from '../../../../domain/values/decimal.ts';
import { TOTAL_DECIMALS } from '../totals/money.ts';
import { categoryKey } from '../vat/vat-category.ts';
import { apportion } from './largest-remainder.ts';
import { netOf, type PricedLine, reducedBy } from './priced-line.ts';

/** Lines that are reduced together, in proportion. What is taken from them is added up and distributed once, at the end. */
type Pool = { readonly lines: readonly PricedLine[]; left: Decimal; taken: Decimal };

/** Several pools where an allowance is meant for the lines of one tax indicator alone; else one, under null. */
type CategoryPools = ReadonlyMap<string | null, Pool>;

/** What an allowance is for: the lines of a category, or only those of one tax indicator. */
export type AllowanceTarget = { readonly category: TaxCategory; readonly indicator: string | null };

/** What an allowance reduces. */
export type ReducibleLines = {
  /** The net amount that earlier allowances left. */
  readonly left: Decimal;
  readonly reduce: (amount: Decimal) => void;
};

export type AllowancePools = {
  readonly linesOf: (target: AllowanceTarget) => ReducibleLines;
  readonly reducedLines: () => readonly PricedLine[];
};

/** What comes back has no price to reduce. */
export function isReducible({ quantity }: PricedLine): boolean {
  return !isNegative(quantity);
}

/**
 * Distributes allowances over lines, except those to be kept. The work for an allowance depends on the number of tax indicators, not of lines: thousands
 * of both would otherwise never come to an end.
 */
export function createAllowancePools(
  lines: readonly PricedLine[],
  targets: readonly AllowanceTarget[],
  kept: ReadonlySet<PricedLine>,
): AllowancePools {
  const reducible = lines.filter((line) => isReducible(line) && !kept.has(line));
  const indicators = Map.groupBy(targets, ({ category }) => categoryKey(category));
  const byCategory = new Map(
    [...Map.groupBy(reducible, ({ category }) => categoryKey(category))].map(([key, group]) => {
      const wanted = new Set(indicators.get(key)?.map(({ indicator }) => indicator));
      return [key, poolsOf(group, wanted)] as const;
    }),
  );
  return {
    linesOf({ category, indicator }) {
      const pools = byCategory.get(categoryKey(category));
      const own = pools?.get(indicator);
      return together(own === undefined ? [...(pools?.values() ?? [])] : [own]);
    },
    reducedLines() {
      const parts = new Map([...byCategory.values()].flatMap((pools) => [...pools.values()].flatMap(partsOf)));
      return lines.map((line) => {
        const part = parts.get(line);
        return part === undefined ? line : reducedBy(line, part);
      });
    },
  };
}

function poolsOf(lines: readonly PricedLine[], wanted: ReadonlySet<string | null>): CategoryPools {
  const byIndicator = Map.groupBy(lines, ({ treatment }) => treatment.indicator);
  const isSplit = byIndicator.size > 1 && [...byIndicator.keys()].some((indicator) => wanted.has(indicator));
  if (!isSplit) return new Map([[null, poolOf(lines)]]);
  return new Map([...byIndicator].map(([indicator, group]) => [indicator, poolOf(group)]));
}

function poolOf(lines: readonly PricedLine[]): Pool {
  return { lines, left: sum(lines.map(netOf)), taken: ZERO };
}

function together(pools: readonly Pool[]): ReducibleLines {
  return {
    left: sum(pools.map(({ left }) => left)),
    reduce(amount) {
      const [only, another] = pools;
      const weights = pools.map(({ left }) => left);
      const parts = another === undefined ? [amount] : apportion(amount, weights, TOTAL_DECIMALS);
      if (only === undefined) return;
      for (const [index, pool] of pools.entries()) {
        pool.taken = add(pool.taken, parts[index] ?? ZERO);
        pool.left = subtract(pool.left, parts[index] ?? ZERO);
      }
    },
  };
}

function partsOf({ lines, taken }: Pool): readonly (readonly [PricedLine, Decimal])[] {
  if (isZero(taken)) return [];
  const parts = apportion(taken, lines.map(netOf), TOTAL_DECIMALS);
  return lines.map((line, index) => [line, parts[index] ?? ZERO]);
}
