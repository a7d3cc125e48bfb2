/** A decimal number, exact: `units` divided by ten to the power of `decimals`. */
export type Decimal = { readonly units: bigint; readonly decimals: number };

export const ZERO: Decimal = { units: 0n, decimals: 0 };

/** Of a number in plain decimal notation. */
export function decimal(text: string): Decimal {
  const [whole = '', fraction = ''] = text.split('.');
  return { units: BigInt(`${whole}${fraction}`), decimals: fraction.length };
}

export function plus(one: Decimal, other: Decimal): Decimal {
  const decimals = Math.max(one.decimals, other.decimals);
  return { units: unitsAt(one, decimals) + unitsAt(other, decimals), decimals };
}

export function minus(one: Decimal, other: Decimal): Decimal {
  return plus(one, { ...other, units: -other.units });
}

export function times(one: Decimal, other: Decimal): Decimal {
  return { units: one.units * other.units, decimals: one.decimals + other.decimals };
}

export function percentOf(value: Decimal, rate: Decimal): Decimal {
  return times(times(value, rate), { units: 1n, decimals: 2 });
}

export function sum(values: readonly Decimal[]): Decimal {
  return values.reduce(plus, ZERO);
}

export function isEqual(one: Decimal, other: Decimal): boolean {
  return minus(one, other).units === 0n;
}

export function isWithin(one: Decimal, other: Decimal, tolerance: Decimal): boolean {
  const difference = minus(one, other);
  const excess = minus({ ...difference, units: magnitude(difference.units) }, tolerance);
  return excess.units <= 0n;
}

/** Half away from zero. */
export function roundToWhole({ units, decimals }: Decimal): Decimal {
  const one = 10n ** BigInt(decimals);
  const rounded = (2n * magnitude(units) + one) / (2n * one);
  return { units: units < 0n ? -rounded : rounded, decimals: 0 };
}

export function textOf({ units, decimals }: Decimal): string {
  const digits = magnitude(units)
    .toString()
    .padStart(decimals + 1, '0');
  const cut = digits.length - decimals;
  const fraction = digits.slice(cut).replace(/0+$/u, '');
  return `${units < 0n ? '-' : ''}${digits.slice(0, cut)}${fraction === '' ? '' : `.${fraction}`}`;
}

function unitsAt({ units, decimals }: Decimal, wanted: number): bigint {
  return units * 10n ** BigInt(wanted - decimals);
}

function magnitude(units: bigint): bigint {
  return units < 0n ? -units : units;
}
