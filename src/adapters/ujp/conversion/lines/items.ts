import type { ConversionWarning } from '../../../../domain/documents/conversion-warning.ts';
import { message } from '../../../../domain/messages/message.ts';
import { add, type Decimal, format, formatShortest, toNumber } from '../../../../domain/values/decimal.ts';
import { notExpressible, warning } from '../conversion-failure.ts';
import type { UjpItem } from '../payload.ts';
import { exactNumber } from '../totals/money.ts';
import { shownAmount } from '../totals/totals-mismatch.ts';
import { netOf, type TaxedLine } from './priced-line.ts';
import { createUnitAmounts, isStatedPrice, type UnitAmounts } from './unit-amounts.ts';

export function items(lines: readonly TaxedLine[], warnings: ConversionWarning[]): readonly UjpItem[] {
  const unitAmountsOf = createUnitAmounts();
  const repriced: TaxedLine[] = [];
  const converted = lines.map((line, index) => {
    refuseLongFigures(line);
    const unitAmounts = unitAmountsOf(line) ?? refuseUnitAmounts(line);
    if (!isStatedPrice(line, unitAmounts.original)) repriced.push(line);
    return item(line, index + 1, unitAmounts);
  });
  warnOfOtherPrices(repriced, warnings);
  return converted;
}

/** Not the stated price is sent then, but one that times the quantity gives the amount of the line. */
function warnOfOtherPrices(repriced: readonly TaxedLine[], warnings: ConversionWarning[]): void {
  const [first] = repriced;
  if (first === undefined) return;
  const rounded = message('unit-price-rounded', { count: repriced.length });
  warnings.push(warning('UNIT-PRICE-ROUNDED', rounded, first.path));
}

/** VAT has four decimals: from about a hundred billion on, a figure that the document does not state has too many digits. */
function refuseLongFigures(line: TaxedLine): void {
  const net = netOf(line);
  const long = [line.original, net, line.vat, add(net, line.vat)].find((figure) => toNumber(figure) === null);
  if (long === undefined) return;
  notExpressible(message('line-figure-too-long', { amount: shownAmount(net), number: format(long) }), line.path);
}

function item(line: TaxedLine, lineNo: number, unitAmounts: UnitAmounts): UjpItem {
  const { path, quantity, original, text, treatment, vat } = line;
  const net = netOf(line);
  const number = (value: Decimal) => exactNumber(value, path);
  return {
    docItemLineNo: lineNo,
    docItemSku: text.sku,
    docItemSenderCode: text.sellersCode,
    docItemReceiverCode: text.buyersCode,
    docItemDesc: text.description,
    docItemMUnit: text.unit,
    docItemQty: number(quantity),
    docItemUnitOriginalPriceWoVat: number(unitAmounts.original),
    docItemUnitDiscountAmount: number(unitAmounts.discount),
    docItemUnitPriceWoVat: number(unitAmounts.net),
    docItemUnitVat: number(unitAmounts.vat),
    docItemVat: number(treatment.rate),
    docItemVatGroup: treatment.group,
    docItemTotalOriginalPriceWoVat: number(original),
    docItemTotalPriceWoVat: number(net),
    docItemTotalVat: number(vat),
    docItemTotalPriceWVat: number(add(net, vat)),
    docItemTaxIndicator: treatment.indicator,
    docItemDomesticProduct: text.domesticProduct,
    docItemHs: text.tariffCode,
  };
}

function refuseUnitAmounts(line: TaxedLine): never {
  const values = { quantity: formatShortest(line.quantity), amount: formatShortest(netOf(line)) };
  return notExpressible(message('unit-amounts-too-long', values), line.path);
}
