import { message } from '../../../../domain/messages/message.ts';
import { add, type Decimal, format, formatShortest, toNumber } from '../../../../domain/values/decimal.ts';
import { notExpressible } from '../conversion-failure.ts';
import type { UjpItem } from '../payload.ts';
import { exactNumber } from '../totals/money.ts';
import { shownAmount } from '../totals/totals-mismatch.ts';
import { netOf, type TaxedLine } from './priced-line.ts';
import { createUnitAmounts, type UnitAmounts } from './unit-amounts.ts';

export function items(lines: readonly TaxedLine[]): readonly UjpItem[] {
  const unitAmountsOf = createUnitAmounts();
  return lines.map((line, index) => {
    refuseLongFigures(line);
    return item(line, index + 1, unitAmountsOf(line) ?? refuseUnitAmounts(line));
  });
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
