import type { TaxCategory } from '../../../../domain/documents/invoice-content.ts';
import { type Decimal, multiply, subtract, ZERO } from '../../../../domain/values/decimal.ts';
import type { VatTreatment } from '../vat/vat-treatment.ts';

/**
 * One item of the authority's document before rounding. It keeps totals, and unit amounts are derived from them: a discount
 * that the quantity does not divide evenly would otherwise lose its remainder.
 */
export type PricedLine = {
  readonly path: string;
  readonly quantity: Decimal;
  /** Before discounts, without VAT. */
  readonly original: Decimal;
  readonly discount: Decimal;
  readonly category: TaxCategory;
  readonly treatment: VatTreatment;
  readonly text: LineText;
};

export type LineText = {
  readonly sku: string | null;
  readonly sellersCode: string | null;
  readonly buyersCode: string | null;
  readonly description: string;
  readonly unit: string;
  readonly domesticProduct: string | null;
  readonly tariffCode: string | null;
};

export type LinePricing = Pick<PricedLine, 'quantity' | 'original' | 'discount'>;

const PER_CENT: Decimal = { units: 1n, scale: 2 };

export function netOf({ original, discount }: LinePricing): Decimal {
  return subtract(original, discount);
}

/** The VAT that the seller charges: none under reverse charge or exemption. */
export function chargedVat(line: PricedLine): Decimal {
  return line.treatment.impact === 'STANDARD' ? vatOfRow(line) : ZERO;
}

/**
 * The VAT that the line adds to its row of `vatTotals`. Under reverse charge that row shows the tax that the buyer owes (VAT
 * Act, art. 32-a). Exempt lines have the rate zero.
 */
export function vatOfRow(line: PricedLine): Decimal {
  return multiply(multiply(netOf(line), line.treatment.rate), PER_CENT);
}
