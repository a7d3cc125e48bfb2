import type { PaymentTerms, Quantity } from '../documents/invoice-content.ts';

const DAY_UNIT = 'DAY';
const MOST_DAYS = 99_999;

export type TermsWithPeriod = PaymentTerms & { readonly settlementPeriod: Quantity };

/** Terms that state a period, by whether it is that of a discount or within which to pay. */
export function settlementPeriods(terms: readonly PaymentTerms[]): {
  readonly ofDiscounts: readonly TermsWithPeriod[];
  readonly toPay: readonly TermsWithPeriod[];
} {
  const withPeriod = terms.filter((one): one is TermsWithPeriod => one.settlementPeriod !== null);
  return {
    ofDiscounts: withPeriod.filter(offersDiscount),
    toPay: withPeriod.filter((one) => !offersDiscount(one)),
  };
}

/** Null where the period is not a whole number of days. */
export function wholeDays({ value, unit }: Quantity): number | null {
  const days = Number(value);
  const isWhole = Number.isInteger(days) && days >= 0 && days <= MOST_DAYS;
  return isWhole && (unit === DAY_UNIT || unit === null) ? days : null;
}

/** UBL offers a discount for payment within the settlement period beside it: that is no deadline. */
function offersDiscount({ discountPercent, discountAmount }: PaymentTerms): boolean {
  return [discountPercent, discountAmount?.value ?? null].some((stated) => stated !== null && Number(stated) !== 0);
}
