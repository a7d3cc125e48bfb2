import { type Decimal, multiply, ZERO } from '../../../../domain/values/decimal.ts';
import { netOf, type PricedLine } from '../lines/priced-line.ts';

const PER_CENT: Decimal = { units: 1n, scale: 2 };

/** What the seller charges: nothing unless the line is taxed in the ordinary way. */
export function chargedVat(line: PricedLine): Decimal {
  return line.treatment.impact === 'STANDARD' ? fullVat(line) : ZERO;
}

/** What the VAT row shows: under reverse charge the tax that the buyer owes (VAT Act, art. 32-a). Rates of exempt rows are zero. */
export function fullVat(line: PricedLine): Decimal {
  return multiply(multiply(netOf(line), line.treatment.rate), PER_CENT);
}
