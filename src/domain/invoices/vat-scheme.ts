import { foldHomoglyphs } from '../values/homoglyphs.ts';

const VAT_SCHEMES: ReadonlySet<string> = new Set(['VAT', 'DDV', 'ДДВ'].map((name) => foldHomoglyphs(name)));

/** Whether a tax scheme is value added tax; a missing scheme is taken as VAT. */
export function isVat(scheme: string | null): boolean {
  return scheme === null || VAT_SCHEMES.has(foldHomoglyphs(scheme));
}
