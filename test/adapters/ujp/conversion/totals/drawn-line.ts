import type { AllowanceCharge, InvoiceLine, TaxCategory } from '../../../../../src/domain/documents/invoice-content.ts';
import type { Random } from '../../../../support/seeds.ts';
import { allowance, denars, line } from '../sample-content.ts';

/** Lines of drawn invoices, in integers: quantities in thousandths, prices in ten-thousandths, amounts in cents. */

export type DrawnCategory = { readonly tax: TaxCategory; readonly percent: bigint };
export type DrawnLine = { readonly content: InvoiceLine; readonly cents: bigint; readonly of: DrawnCategory };

const BASES = [1n, 1n, 1n, 1n, 1n, 1n, 3n, 7n, 10n, 12n, 100n, 1000n];
/** Largest quantities in thousandths, and largest prices in ten-thousandths: from a screw to a machine, from a gram to a train. */
const MOST_QUANTITY = [1_000, 20_000, 1_000_000, 100_000_000];
const MOST_PRICE = [100, 10_000, 5_000_000, 300_000_000];

export function upTo(random: Random, most: number): bigint {
  return BigInt(1 + Math.floor(random() * most));
}

export function pick<Value>(random: Random, values: readonly Value[]): Value {
  const value = values[Math.floor(random() * values.length)];
  if (value === undefined) throw new Error('nothing to pick from');
  return value;
}

/** Plain decimal notation of units of 10^-decimals. */
export function written(units: bigint, decimals: number): string {
  const digits = String(units < 0n ? -units : units).padStart(decimals + 1, '0');
  return `${units < 0n ? '-' : ''}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** Half away from zero; the divisor is positive. */
export function roundedQuotient(dividend: bigint, divisor: bigint): bigint {
  const size = dividend < 0n ? -dividend : dividend;
  const rounded = (2n * size + divisor) / (2n * divisor);
  return dividend < 0n ? -rounded : rounded;
}

export function drawLine(random: Random, of: DrawnCategory, number: number): DrawnLine {
  const quantity = upTo(random, pick(random, MOST_QUANTITY));
  return random() < 0.05 ? withRoundedPrice(random, of, number, quantity) : ordinary(random, of, number, quantity);
}

/** A part of an earlier line comes back, at its price. */
export function returnedLine(random: Random, before: DrawnLine, number: number): DrawnLine | null {
  const { quantity, price } = before.content;
  if (quantity === null || price?.amount == null || price.baseQuantity !== null || before.cents < 100n) return null;
  if (price.allowanceCharges.length + before.content.allowanceCharges.length > 0) return null;
  const thousandths = -upTo(random, Math.ceil(Number(quantity.value) * 500));
  const units = BigInt(price.amount.value.replace('.', '')) * 10n ** BigInt(4 - decimalsOf(price.amount.value));
  const cents = roundedQuotient(thousandths * units, 100_000n);
  return built(before.of, number, cents, { count: written(thousandths, 3), price: price.amount.value });
}

function decimalsOf(text: string): number {
  return text.split('.')[1]?.length ?? 0;
}

function ordinary(random: Random, of: DrawnCategory, number: number, quantity: bigint): DrawnLine {
  const price = upTo(random, pick(random, MOST_PRICE)) - 1n;
  const base = pick(random, BASES);
  const gross = roundedQuotient(quantity * price, 100_000n * base);
  const percent = random() < 0.2 ? upTo(random, 100) : 0n;
  const taken = (gross * percent) / 100n;
  const added = random() < 0.1 ? upTo(random, 100_000) : 0n;
  const priceDiscount = random() < 0.1 ? upTo(random, 5_000) : 0n;
  const allowanceCharges: AllowanceCharge[] = [];
  if (taken > 0n) allowanceCharges.push(allowance(written(taken, 2)));
  if (added > 0n) allowanceCharges.push(allowance(written(added, 2), { isCharge: true }));
  return built(of, number, gross - taken + added, {
    count: written(quantity, 3),
    price: written(price, 4),
    ...(base === 1n ? {} : { base: String(base) }),
    allowanceCharges,
    priceAllowances: priceDiscount === 0n ? [] : [allowance(written(priceDiscount, 4))],
  });
}

/** The issuer calculates with six decimals and shows two of them. */
function withRoundedPrice(random: Random, of: DrawnCategory, number: number, quantity: bigint): DrawnLine {
  const millionths = upTo(random, 50_000_000);
  const cents = roundedQuotient(quantity * millionths, 10_000_000n);
  const shown = roundedQuotient(millionths, 10_000n);
  return built(of, number, cents, { count: written(quantity, 3), price: written(shown, 2) });
}

function built(of: DrawnCategory, number: number, cents: bigint, parts: Parameters<typeof line>[0]): DrawnLine {
  const content = line({ ...parts, id: String(number), tax: of.tax, lineExtension: denars(written(cents, 2)) });
  return { content, cents, of };
}
