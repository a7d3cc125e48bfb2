import type { ConversionWarning } from '../../../../domain/documents/conversion-warning.ts';
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
import { warning } from '../conversion-failure.ts';
import type { UjpItem } from '../payload.ts';
import { exactNumber, ITEM_DECIMALS, roundedNumber, WORKING_DECIMALS } from '../totals/money.ts';
import { chargedVat, netOf, type PricedLine } from './priced-line.ts';

/** By how much quantity × unit price may differ from the line total without a warning. */
const UNIT_PRICE_TOLERANCE: Decimal = { units: 1n, scale: 2 };

/** Every number is rounded once, from the unrounded totals. */
export function items(lines: readonly PricedLine[], warnings: ConversionWarning[]): readonly UjpItem[] {
  warnAboutRoundedUnitPrices(lines, warnings);
  return lines.map(item);
}

function item(line: PricedLine, index: number): UjpItem {
  const { path, quantity, text, treatment } = line;
  const net = netOf(line);
  const vat = chargedVat(line);
  const total = (value: Decimal) => roundedNumber(value, ITEM_DECIMALS, path);
  const unit = (value: Decimal) => total(divide(value, quantity, WORKING_DECIMALS));
  return {
    docItemLineNo: index + 1,
    docItemSku: text.sku,
    docItemSenderCode: text.sellersCode,
    docItemReceiverCode: text.buyersCode,
    docItemDesc: text.description,
    docItemMUnit: text.unit,
    docItemQty: exactNumber(quantity, path),
    docItemUnitOriginalPriceWoVat: unit(line.original),
    docItemUnitDiscountAmount: unit(line.discount),
    docItemUnitPriceWoVat: unit(net),
    docItemUnitVat: unit(vat),
    docItemVat: exactNumber(treatment.rate, path),
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

/**
 * The authority's unit prices have four decimals: times a large quantity they may differ from the total, and the authority may
 * reject that.
 */
function warnAboutRoundedUnitPrices(lines: readonly PricedLine[], warnings: ConversionWarning[]): void {
  const differing = lines.filter((line) => {
    const unitPrice = round(divide(netOf(line), line.quantity, WORKING_DECIMALS), ITEM_DECIMALS);
    return compare(absolute(subtract(multiply(unitPrice, line.quantity), netOf(line))), UNIT_PRICE_TOLERANCE) > 0;
  });
  const [first] = differing;
  if (first === undefined) return;
  const sentence = `On ${differing.length} line(s) quantity × unit price with four decimals differs from the line total by more than 0.01, first`;
  warnings.push(warning('UNIT-PRICE-ROUNDED', sentence, first.path));
}
