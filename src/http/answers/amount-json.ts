/** Amounts are exact decimals internally; the contract makes them doubles in answers. */
export function amountJson(amount: string | null): number | null {
  return amount === null ? null : Number(amount);
}
