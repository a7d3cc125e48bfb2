import { HOME_COUNTRY } from '../../../domain/accounts/tax-number.ts';
import { DOMESTIC_PRODUCT_PROPERTY, TARIFF_LIST } from '../../../domain/documents/item-marks.ts';
import {
  absolute,
  add,
  compare,
  type Decimal,
  formatShortest,
  isNegative,
  isZero,
  subtract,
} from '../../../domain/values/decimal.ts';
import { DOMESTIC_MARK, UNIT_LABELS } from '../conversion/lines/line-text.ts';
import type { KnownItem } from '../document-schema/document-fields.ts';
import { type Amounts, taxCategory } from './ubl-taxes.ts';
import { type UnitPrice, unitPrice } from './unit-price.ts';
import { isReverseCharge } from './vat-categories.ts';
import { group, text, type XmlContent } from './xml-element.ts';

type Needs = { readonly isCreditNote: boolean; readonly category: string; readonly amounts: Amounts };

/** The first code of a label: бр. is C62. */
const UNIT_CODES: ReadonlyMap<string, string> = new Map(
  [...UNIT_LABELS].toReversed().map(([code, label]) => [label, code]),
);

export function documentLine(item: KnownItem, { isCreditNote, category, amounts }: Needs): XmlContent {
  const unitCode = UNIT_CODES.get(item.docItemMUnit) ?? item.docItemMUnit;
  const quantity = isCreditNote ? 'cbc:CreditedQuantity' : 'cbc:InvoicedQuantity';
  const vat = group('cac:TaxTotal', amounts('cbc:TaxAmount', item.docItemTotalVat));
  const price = unitPrice(item, !isReverseCharge(category));
  const isLineDiscount = isZero(price.priceDiscount);
  const discount = isLineDiscount ? lineDiscount(item, amounts) : [];
  return group(
    isCreditNote ? 'cac:CreditNoteLine' : 'cac:InvoiceLine',
    text('cbc:ID', String(item.docItemLineNo)),
    text(quantity, formatShortest(item.docItemQty), { unitCode }),
    amounts('cbc:LineExtensionAmount', item.docItemTotalPriceWoVat),
    ...(isCreditNote ? [vat, discount] : [discount, vat]),
    itemElement(item, category, isLineDiscount),
    priceElement(price, amounts),
  );
}

/** One with the opposite sign of the quantity is a surcharge. */
function lineDiscount(item: KnownItem, amounts: Amounts): XmlContent {
  const discount = subtract(item.docItemTotalOriginalPriceWoVat, item.docItemTotalPriceWoVat);
  if (isZero(discount)) return [];
  const isCharge = isNegative(discount) !== isNegative(item.docItemQty);
  return group(
    'cac:AllowanceCharge',
    text('cbc:ChargeIndicator', String(isCharge)),
    amounts('cbc:Amount', isCharge ? absolute(discount) : discount),
  );
}

function priceElement({ price, priceDiscount }: UnitPrice, amounts: Amounts): XmlContent {
  const discount = group(
    'cac:AllowanceCharge',
    text('cbc:ChargeIndicator', 'false'),
    amounts('cbc:Amount', priceDiscount),
    amounts('cbc:BaseAmount', add(price, priceDiscount)),
  );
  return group('cac:Price', amounts('cbc:PriceAmount', price), isZero(priceDiscount) ? [] : discount);
}

function itemElement(item: KnownItem, category: string, isLineDiscount: boolean): XmlContent {
  const { docItemSku, docItemSenderCode, docItemDomesticProduct: domestic } = item;
  const identification = (name: string, code: string | null) => group(name, text('cbc:ID', code));
  const origin = domestic === DOMESTIC_MARK ? text('cbc:IdentificationCode', HOME_COUNTRY) : [];
  return group(
    'cac:Item',
    text('cbc:Name', item.docItemDesc),
    identification('cac:BuyersItemIdentification', item.docItemReceiverCode),
    identification('cac:SellersItemIdentification', docItemSenderCode),
    identification('cac:StandardItemIdentification', docItemSku === docItemSenderCode ? null : docItemSku),
    group('cac:OriginCountry', origin),
    group('cac:CommodityClassification', text('cbc:ItemClassificationCode', item.docItemHs, { listID: TARIFF_LIST })),
    taxCategory('cac:ClassifiedTaxCategory', {
      id: category,
      group: item.docItemVatGroup,
      percent: item.docItemVat,
      indicator: item.docItemTaxIndicator,
      note: null,
    }),
    property(DOMESTIC_PRODUCT_PROPERTY, domestic),
    ...unitAmounts(item, isLineDiscount),
  );
}

/** The rounded amounts of a unit, for which UBL has no elements, and totals that are not sums of the line. */
function unitAmounts(item: KnownItem, isLineDiscount: boolean): readonly XmlContent[] {
  const total = add(item.docItemTotalPriceWoVat, item.docItemTotalVat);
  const isSum = compare(total, item.docItemTotalPriceWVat) === 0;
  const stated: readonly (readonly [string, Decimal | null])[] = [
    ['docItemUnitOriginalPriceWoVat', item.docItemUnitOriginalPriceWoVat],
    ['docItemUnitDiscountAmount', item.docItemUnitDiscountAmount],
    ['docItemUnitPriceWoVat', item.docItemUnitPriceWoVat],
    ['docItemUnitVat', item.docItemUnitVat],
    ['docItemTotalOriginalPriceWoVat', isLineDiscount ? null : item.docItemTotalOriginalPriceWoVat],
    ['docItemTotalPriceWVat', isSum ? null : item.docItemTotalPriceWVat],
  ];
  return stated.map(([name, value]) => property(`UJP:${name}`, value === null ? null : formatShortest(value)));
}

function property(name: string, value: string | null): XmlContent {
  if (value === null) return [];
  return group('cac:AdditionalItemProperty', text('cbc:Name', name), text('cbc:Value', value));
}
