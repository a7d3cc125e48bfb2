import { TOTAL_DECIMALS } from '../../../../domain/invoices/stated-totals.ts';
import {
  absolute,
  add,
  type Decimal,
  isNegative,
  isZero,
  multiply,
  negate,
  round,
  subtract,
  sum,
  unitsAt,
} from '../../../../domain/values/decimal.ts';
import type { TaxedLine } from '../lines/priced-line.ts';
import { CENT, ITEM_DECIMALS } from './money.ts';
import { difference, roomLeft, type VatGroup } from './vat-adjustment.ts';

const CENT_UNITS = unitsAt(CENT, ITEM_DECIMALS);

export type DividedVat = {
  readonly groups: readonly VatGroup[];
  /** Whether rounding the lines of each group gives its part. */
  readonly isExplained: boolean;
};

/** One cent that a group may have more, or less, than its lines rounded. */
type Cent = { readonly index: number; readonly rank: bigint };

/**
 * VAT that is stated together, divided as if each group had a subtotal: each has the VAT of its lines, rounded, and what cents are left go where the
 * lines explain them best, the last of them where they are off the least. Among equals the last group counts: the order of the lines says nothing.
 * The cents are ranked once: thousands of groups and cents would otherwise never come to an end.
 */
export function divideVat(whole: Decimal, linesOf: readonly (readonly TaxedLine[])[]): DividedVat {
  const rounded = linesOf.map((lines) => ({ lines, vat: round(sum(lines.map(({ vat }) => vat)), TOTAL_DECIMALS) }));
  const left = subtract(whole, sum(rounded.map(({ vat }) => vat)));
  const isReduction = isNegative(left);
  const count = unitsAt(absolute(left), TOTAL_DECIMALS);
  const best = ranked(rounded.flatMap((group, index) => explainedCents(group, index, isReduction)));
  const given = Map.groupBy(best.slice(0, Number(count)), ({ index }) => index);
  const explained = withCents(rounded, isReduction, (index) => BigInt(given.get(index)?.length ?? 0));
  const unexplained = count - BigInt(best.length);
  if (unexplained <= 0n) return { groups: explained, isExplained: true };
  return { groups: withOtherCents(explained, isReduction, unexplained), isExplained: false };
}

function withCents(
  groups: readonly VatGroup[],
  isReduction: boolean,
  centsOf: (index: number) => bigint,
): readonly VatGroup[] {
  const cent = isReduction ? negate(CENT) : CENT;
  return groups.map(({ lines, vat }, index) => ({
    lines,
    vat: add(vat, multiply(cent, { units: centsOf(index), scale: 0 })),
  }));
}

/** A group whose items have no VAT, as of what costs nothing, never gets any. */
function withOtherCents(groups: readonly VatGroup[], isReduction: boolean, count: bigint): readonly VatGroup[] {
  const hasVat = ({ lines }: VatGroup) => lines.some(({ vat }) => !isZero(vat));
  const inOrder = ranked(groups.flatMap((group, index) => (hasVat(group) ? nextCent(group, index, isReduction) : [])));
  const size = BigInt(inOrder.length);
  const places = new Map(inOrder.map(({ index }, place) => [index, BigInt(place)]));
  return withCents(groups, isReduction, (index) => {
    const place = places.get(index);
    return place === undefined ? 0n : count / size + (place < count % size ? 1n : 0n);
  });
}

function explainedCents(group: VatGroup, index: number, isReduction: boolean): readonly Cent[] {
  const { byLine, most } = roomLeft(group, isReduction);
  return Array.from({ length: Number(most / CENT_UNITS) }, (_, before) => ({
    index,
    rank: byLine - BigInt(before) * CENT_UNITS,
  }));
}

function nextCent(group: VatGroup, index: number, isReduction: boolean): Cent {
  const before = unitsAt(difference(group), ITEM_DECIMALS);
  return { index, rank: isReduction ? before : -before };
}

function ranked(cents: readonly Cent[]): readonly Cent[] {
  return cents.toSorted((one, other) =>
    one.rank === other.rank ? other.index - one.index : one.rank > other.rank ? -1 : 1,
  );
}
