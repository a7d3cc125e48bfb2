import type { TaxCategory } from '../../../../domain/documents/invoice-content.ts';
import { notExpressible } from '../conversion-failure.ts';
import { isVat } from './vat-scheme.ts';

/** The one category of value added tax among the tax categories of a line, an allowance or a charge. */
export function vatCategory(categories: readonly TaxCategory[], path: string): TaxCategory | null {
  const [category, another] = categories.filter(({ scheme }) => isVat(scheme));
  if (another !== undefined) notExpressible('There is more than one VAT category where the authority takes one', path);
  return category ?? null;
}
