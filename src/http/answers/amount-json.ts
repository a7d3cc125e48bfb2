/** Amounts are exact decimals inside and, as the interface has it, doubles in answers. */
export function amountJson(amount: string | null): number | null {
  return amount === null ? null : Number(amount);
}
