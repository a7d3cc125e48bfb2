import { foldHomoglyphs } from '../values/homoglyphs.ts';

/** Those of EN 16931 (UNCL 5305) that can occur in North Macedonia. B is not among them: `В` may be the group of the fiscal till. */
const VAT_CATEGORIES: ReadonlySet<string> = new Set(['S', 'Z', 'E', 'AE', 'G', 'O']);

/**
 * A VAT category as its list writes it. On a Macedonian keyboard `Ѕ`, `Е` and `АЕ` look the same and are other letters: nobody could see what
 * is wrong with them, and nothing else can be meant. Any other code is as the document states it.
 */
export function statedVatCategory(id: string | null): string | null {
  if (id === null) return null;
  const folded = foldHomoglyphs(id);
  return VAT_CATEGORIES.has(folded) ? folded : id;
}
