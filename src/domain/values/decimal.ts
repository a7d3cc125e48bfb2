/** An exact decimal number: `units` × 10^-`scale`. The same value may have several scales; compare with `compare`. */
export type Decimal = { readonly units: bigint; readonly scale: number };

const PLAIN = /^([+-]?)(\d*)(?:\.(\d*))?$/u;

/** Parsing a BigInt takes more than linear time; no number in a document needs more digits. */
const MAX_LENGTH = 100;

/** A double represents every decimal number of up to this many significant digits without loss. */
const DIGITS_OF_A_DOUBLE = 15;

const MOST_UNITS = 10n ** BigInt(DIGITS_OF_A_DOUBLE);

/** The powers of ten that are doubles without loss, as far as scales need them. */
const EXACT_POWERS: readonly number[] = Array.from({ length: 16 }, (_, exponent) => Number(`1e${exponent}`));

/** Cached powers of ten; larger ones are rarely needed. */
const POWERS: readonly bigint[] = Array.from({ length: 20 }, (_, exponent) => 10n ** BigInt(exponent));

export const ZERO: Decimal = { units: 0n, scale: 0 };
export const ONE: Decimal = { units: 1n, scale: 0 };

/** Reads plain notation (`-12.50`, `.5`, `+3`) and keeps every digit; null for anything else, including exponents. */
export function parseDecimal(text: string): Decimal | null {
  if (text.length > MAX_LENGTH) return null;
  const [, sign, whole = '', fraction = ''] = PLAIN.exec(text) ?? [];
  if (sign === undefined || whole + fraction === '') return null;
  const units = BigInt(whole + fraction);
  return { units: sign === '-' ? -units : units, scale: fraction.length };
}

export function add(left: Decimal, right: Decimal): Decimal {
  const scale = Math.max(left.scale, right.scale);
  return { units: unitsAt(left, scale) + unitsAt(right, scale), scale };
}

export function subtract(left: Decimal, right: Decimal): Decimal {
  return add(left, negate(right));
}

export function multiply(left: Decimal, right: Decimal): Decimal {
  return { units: left.units * right.units, scale: left.scale + right.scale };
}

/** The quotient rounded to `scale` decimals, half away from zero; the divisor must not be zero. */
export function divide(dividend: Decimal, divisor: Decimal, scale: number): Decimal {
  const shift = scale + divisor.scale - dividend.scale;
  const numerator = shift > 0 ? dividend.units * power(shift) : dividend.units;
  const denominator = shift < 0 ? divisor.units * power(-shift) : divisor.units;
  return { units: quotientHalfAway(numerator, denominator), scale };
}

/** The value rounded to `scale` decimals, half away from zero: 0.5 becomes 1, -0.5 becomes -1. */
export function round(value: Decimal, scale: number): Decimal {
  if (value.scale <= scale) return { units: unitsAt(value, scale), scale };
  return { units: quotientHalfAway(value.units, power(value.scale - scale)), scale };
}

/** The least scale that keeps the value: of 12.50 it is 1. */
export function leastScale({ units, scale }: Decimal): number {
  let least = scale;
  for (let rest = units; least > 0 && rest % 10n === 0n; rest /= 10n) least -= 1;
  return least;
}

export function negate({ units, scale }: Decimal): Decimal {
  return { units: -units, scale };
}

export function absolute(value: Decimal): Decimal {
  return value.units < 0n ? negate(value) : value;
}

export function sum(values: readonly Decimal[]): Decimal {
  return values.reduce(add, ZERO);
}

/** Negative, zero or positive as `left` is less than, equal to or greater than `right`. */
export function compare(left: Decimal, right: Decimal): number {
  const { units } = subtract(left, right);
  return units < 0n ? -1 : units > 0n ? 1 : 0;
}

export function isZero({ units }: Decimal): boolean {
  return units === 0n;
}

export function isNegative({ units }: Decimal): boolean {
  return units < 0n;
}

/** Plain notation with exactly the decimals of its scale; zero has no sign. */
export function format({ units, scale }: Decimal): string {
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  const plain = scale === 0 ? whole : `${whole}.${digits.slice(-scale)}`;
  return units < 0n ? `-${plain}` : plain;
}

/** Plain notation without zeros at the end of the fraction. */
export function formatShortest(value: Decimal): string {
  const plain = format(value);
  if (value.scale === 0) return plain;
  let end = plain.length;
  while (plain[end - 1] === '0') end -= 1;
  return plain.slice(0, plain[end - 1] === '.' ? end - 1 : end);
}

/** The value as a double, for JSON; null when it has more significant digits than a double keeps. */
export function toNumber(value: Decimal): number | null {
  const { units, scale } = value;
  const divisor = EXACT_POWERS[scale];
  // Both are doubles without loss, and the quotient of two doubles is the nearest one to the exact quotient.
  if (divisor !== undefined && units < MOST_UNITS && units > -MOST_UNITS) return Number(units) / divisor;
  const plain = formatShortest(value);
  const significant = plain.replace(/^-?[0.]*|\./gu, '');
  return significant.length <= DIGITS_OF_A_DOUBLE ? Number(plain) : null;
}

/** How many units of 10^-`larger` the value has; `larger` must not be less than its scale. */
export function unitsAt({ units, scale }: Decimal, larger: number): bigint {
  return larger === scale ? units : units * power(larger - scale);
}

function quotientHalfAway(numerator: bigint, denominator: bigint): bigint {
  if (denominator === 0n) throw new RangeError('Division by zero');
  const quotient = numerator / denominator;
  const rest = numerator % denominator;
  const twice = 2n * (rest < 0n ? -rest : rest);
  if (twice < (denominator < 0n ? -denominator : denominator)) return quotient;
  return numerator < 0n === denominator < 0n ? quotient + 1n : quotient - 1n;
}

function power(exponent: number): bigint {
  return POWERS[exponent] ?? 10n ** BigInt(exponent);
}
