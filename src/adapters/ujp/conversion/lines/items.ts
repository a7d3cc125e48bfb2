import {
  absolute,
  add,
  compare,
  type Decimal,
  divide,
  multiply,
  round,
  subtract,
} from '../../../../domain/values/decimal.ts';
import type { UjpItem } from '../payload.ts';
import { exactFigure, figure, ITEM_DECIMALS, WORKING_DECIMALS } from '../totals/money.ts';
import { chargedVat } from '../vat/vat-amounts.ts';
import { netOf, type PricedLine } from './priced-line.ts';

/** How far quantity × unit price may miss a total before it is worth a word. */
const NOTICEABLE: Decimal = { units: 1n, scale: 2 };

/** Every figure is rounded once, from the unrounded totals. */
export function items(lines: readonly PricedLine[], warnings: string[]): readonly UjpItem[] {
  warnOfCoarseUnits(lines, warnings);
  return lines.map(item);
}

function item(line: PricedLine, index: number): UjpItem {
  const { path, quantity, text, treatment } = line;
  const net = netOf(line);
  const vat = chargedVat(line);
  const total = (value: Decimal) => figure(value, ITEM_DECIMALS, path);
  const unit = (value: Decimal) => total(divide(value, quantity, WORKING_DECIMALS));
  return {
    docItemLineNo: index + 1,
    docItemSku: text.sku,
    docItemSenderCode: text.sellersCode,
    docItemReceiverCode: text.buyersCode,
    docItemDesc: text.description,
    docItemMUnit: text.unit,
    docItemQty: exactFigure(quantity, path),
    docItemUnitOriginalPriceWoVat: unit(line.original),
    docItemUnitDiscountAmount: unit(line.discount),
    docItemUnitPriceWoVat: unit(net),
    docItemUnitVat: unit(vat),
    docItemVat: exactFigure(treatment.rate, path),
    docItemVatGroup: treatment.group,
    docItemTotalOriginalPriceWoVat: total(line.original),
    docItemTotalPriceWoVat: total(net),
    docItemTotalVat: total(vat),
    docItemTotalPriceWVat: total(add(net, vat)),
    docItemTaxIndicator: treatment.indicator,
    docItemDomesticProduct: text.domesticProduct,
    docItemHs: text.tariffCode,
  };
}

/** A unit price has four decimals at the authority: times a large quantity, that may miss the total, and be refused. */
function warnOfCoarseUnits(lines: readonly PricedLine[], warnings: string[]): void {
  const coarse = lines.filter((line) => {
    const unitPrice = round(divide(netOf(line), line.quantity, WORKING_DECIMALS), ITEM_DECIMALS);
    return compare(absolute(subtract(multiply(unitPrice, line.quantity), netOf(line))), NOTICEABLE) > 0;
  });
  const [first] = coarse;
  if (first === undefined) return;
  warnings.push(
    `On ${coarse.length} line(s) the unit price at the authority's four decimals misses the line total by more than 0.01, first at ${first.path}.`,
  );
}
