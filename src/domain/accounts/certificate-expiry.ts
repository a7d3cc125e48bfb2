/** How many days before a certificate expires the operator is told, once for each; 0 is when it has expired. */
export const EXPIRY_WARNING_DAYS = [0, 3, 14, 30] as const;

export type ExpiryWarning = (typeof EXPIRY_WARNING_DAYS)[number];

const DAY_MS = 86_400_000;

/** Whole days; negative once it has expired. */
export function daysLeft(validTo: number, now: number): number {
  return Math.floor((validTo - now) / DAY_MS);
}

/** The last warning that is due; null while there is time. */
export function expiryWarning(validTo: number, now: number): ExpiryWarning | null {
  return EXPIRY_WARNING_DAYS.find((days) => validTo - now <= days * DAY_MS) ?? null;
}
