import type { TaxCategory } from '../../../../domain/documents/invoice-content.ts';
import { add, type Decimal, subtract } from '../../../../domain/values/decimal.ts';
import type { VatTreatment } from '../vat/vat-treatment.ts';

/** One item of the authority's document without its VAT: the totals as they are sent, and what unit amounts follow from. */
export type PricedLine = LinePricing & {
  readonly path: string;
  readonly category: TaxCategory;
  readonly treatment: VatTreatment;
  readonly text: LineText;
};

export type LinePricing = {
  readonly quantity: Decimal;
  /** Before discounts, without VAT. */
  readonly original: Decimal;
  readonly discount: Decimal;
  /** Null where the stated price does not give the totals to half a cent. */
  readonly unrounded: UnroundedTotals | null;
};

/**
 * Quantity × the stated price, before and after discounts. The stated line amount is that rounded to two decimals: unit prices
 * that were divided from it would not be the stated ones.
 */
export type UnroundedTotals = { readonly original: Decimal; readonly net: Decimal };

/** An item with the VAT that the seller charges: zero under reverse charge or exemption. */
export type TaxedLine = PricedLine & { readonly vat: Decimal };

export type LineText = {
  readonly sku: string | null;
  readonly sellersCode: string | null;
  readonly buyersCode: string | null;
  readonly description: string;
  readonly unit: string;
  readonly domesticProduct: string | null;
  readonly tariffCode: string | null;
};

/** The total without VAT as it is sent. */
export function netOf({ original, discount }: Pick<LinePricing, 'original' | 'discount'>): Decimal {
  return subtract(original, discount);
}

/** The same line, reduced by its part of an allowance of the whole document. */
export function reducedBy(line: PricedLine, part: Decimal): PricedLine {
  const { discount, unrounded } = line;
  return {
    ...line,
    discount: add(discount, part),
    unrounded: unrounded && { original: unrounded.original, net: subtract(unrounded.net, part) },
  };
}

/** By the names of the tax indicators: the order of the lines says nothing. */
export function byIndicator({ treatment: one }: PricedLine, { treatment: other }: PricedLine): number {
  return one.indicator === other.indicator ? 0 : one.indicator < other.indicator ? -1 : 1;
}
