import { foldHomoglyphs } from '../values/homoglyphs.ts';

/** `VA` is the code of VAT numbers in UN/EDIFACT (1153), which UBL made from other forms of EN 16931 has for the tax, too. */
const VAT_SCHEMES: ReadonlySet<string> = new Set(['VAT', 'VA', 'DDV', 'ДДВ'].map((name) => foldHomoglyphs(name)));

/** Whether a tax scheme is value added tax; a missing scheme is taken as VAT. */
export function isVat(scheme: string | null): boolean {
  return scheme === null || VAT_SCHEMES.has(foldHomoglyphs(scheme));
}
