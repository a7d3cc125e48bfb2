import { foldHomoglyphs } from '../values/homoglyphs.ts';

/** Type codes of a UBL Invoice (UNTDID 1001) that make it another document than an ordinary invoice. */
export const DEBIT_NOTES: readonly string[] = ['383', '80', '84'];
export const ADVANCE_INVOICE = '386';
/** It takes the place of an earlier invoice. */
export const CORRECTED_INVOICE = '384';

/** `VA` is the code of VAT numbers in UN/EDIFACT (1153), which UBL made from other forms of EN 16931 has for the tax, too. */
const VAT_SCHEMES: ReadonlySet<string> = new Set(['VAT', 'VA', 'DDV', 'ДДВ'].map((name) => foldHomoglyphs(name)));
/** Those of EN 16931 (UNCL 5305) that can occur in North Macedonia. B is not among them: `В` may be the group of the fiscal till. */
const VAT_CATEGORIES: ReadonlySet<string> = new Set(['S', 'Z', 'E', 'AE', 'G', 'O']);
const CURRENCY_CODE = /^[A-Z]{3}$/u;
const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** Whether a tax scheme is value added tax; a missing scheme is taken as VAT. */
export function isVat(scheme: string | null): boolean {
  return scheme === null || VAT_SCHEMES.has(foldHomoglyphs(scheme));
}

/**
 * A VAT category as its list writes it. On a Macedonian keyboard `Ѕ`, `Е` and `АЕ` look the same and are other letters: nobody could see what
 * is wrong with them, and nothing else can be meant. Any other code is as the document states it.
 */
export function statedVatCategory(id: string | null): string | null {
  if (id === null) return null;
  const folded = foldHomoglyphs(id);
  return VAT_CATEGORIES.has(folded) ? folded : id;
}

/** A currency as ISO 4217 writes it: also where it is stated in letters that only look the same (`МКD`), or in small ones. */
export function statedCurrency(code: string | null): string | null {
  if (code === null || CURRENCY_CODE.test(code)) return code;
  const folded = foldHomoglyphs(code);
  return CURRENCIES.has(folded) ? folded : code;
}
