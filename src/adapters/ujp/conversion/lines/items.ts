import { message } from '../../../../domain/messages/message.ts';
import { add, type Decimal, formatShortest } from '../../../../domain/values/decimal.ts';
import { notExpressible } from '../conversion-failure.ts';
import type { UjpItem } from '../payload.ts';
import { exactNumber } from '../totals/money.ts';
import { netOf, type TaxedLine } from './priced-line.ts';
import { createUnitAmounts, type UnitAmounts } from './unit-amounts.ts';

export function items(lines: readonly TaxedLine[]): readonly UjpItem[] {
  const unitAmountsOf = createUnitAmounts();
  return lines.map((line, index) => item(line, index + 1, unitAmountsOf(line) ?? refuseUnitAmounts(line)));
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
