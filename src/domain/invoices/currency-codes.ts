import { foldHomoglyphs } from '../values/homoglyphs.ts';

const CODE = /^[A-Z]{3}$/u;
const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** A currency as ISO 4217 writes it: also where it is stated in letters that only look the same (`МКD`), or in small ones. */
export function statedCurrency(code: string | null): string | null {
  if (code === null || CODE.test(code)) return code;
  const folded = foldHomoglyphs(code);
  return CURRENCIES.has(folded) ? folded : code;
}
