import type { Finding } from '../../authority-error.ts';
import type { ListsInForce } from '../../catalogue/catalogue.ts';
import { compareAmounts, sum, TOLERANCE, TOLERANCE_PER_ITEM, TOLERANCE_PER_PIECE } from './amounts.ts';
import type { InvoiceDocument, Item } from './document-schema.ts';
import { HOME_CURRENCY } from './payment-check.ts';
import { checkVatTotals } from './vat-total-check.ts';

/** Compares every amount with the authority's formulas: items, totals of the document, totals per tax indicator. */
export function checkAmounts(document: InvoiceDocument, lists: ListsInForce): readonly Finding[] {
  return [
    ...document.docItems.flatMap((item, index) => checkItem(item, `document.docItems[${index}]`, lists)),
    ...checkDocTotals(document),
    ...checkVatTotals(document, lists),
  ];
}

function checkItem(item: Item, path: string, lists: ListsInForce): readonly Finding[] {
  const { docItemQty: quantity, docItemUnitPriceWoVat: unitPrice, docItemUnitVat: unitVat } = item;
  const indicator = lists.find('tax-indicators', item.docItemTaxIndicator);
  // Exempt and reverse-charge items have no VAT, whatever the rate of their tax group.
  const rate = indicator?.vatImpact === 'STANDARD' ? item.docItemVat : 0;
  const tolerance = TOLERANCE + Math.abs(quantity) * TOLERANCE_PER_PIECE;
  const computed = {
    docItemUnitPriceWoVat: item.docItemUnitOriginalPriceWoVat - item.docItemUnitDiscountAmount,
    docItemUnitVat: (unitPrice * rate) / 100,
    docItemTotalOriginalPriceWoVat: quantity * item.docItemUnitOriginalPriceWoVat,
    docItemTotalPriceWoVat: quantity * unitPrice,
    docItemTotalVat: quantity * unitVat,
    docItemTotalPriceWVat: item.docItemTotalPriceWoVat + item.docItemTotalVat,
  };
  return compareAmounts(
    'E10203',
    (Object.keys(computed) as (keyof typeof computed)[]).map((member) => ({
      parameter: `${path}.${member}`,
      sent: item[member],
      computed: computed[member],
      tolerance: member.startsWith('docItemUnit') ? TOLERANCE : tolerance,
    })),
  );
}

function checkDocTotals({ docItems, docTotals, docPayment }: InvoiceDocument): readonly Finding[] {
  const tolerance = TOLERANCE + docItems.length * TOLERANCE_PER_ITEM;
  const pieces = sum(docItems.map(({ docItemQty }) => Math.abs(docItemQty)));
  const computed = {
    docNetAmount: [sum(docItems.map((item) => item.docItemTotalOriginalPriceWoVat)), tolerance],
    docDiscountAmount: [
      sum(docItems.map((item) => item.docItemQty * item.docItemUnitDiscountAmount)),
      tolerance + pieces * TOLERANCE_PER_PIECE,
    ],
    docNetAmountDisc: [docTotals.docNetAmount - docTotals.docDiscountAmount, TOLERANCE],
    docVatAmount: [sum(docItems.map((item) => item.docItemTotalVat)), tolerance],
    docGrossAmount: [docTotals.docNetAmountDisc + docTotals.docVatAmount, TOLERANCE],
    docGrossAmountR: [docTotals.docGrossAmount, 0.5 + TOLERANCE],
    docFinalAmount: [docTotals.docGrossAmountR - (docTotals.docAvansAmount ?? 0), TOLERANCE],
  } as const;
  const findings = compareAmounts(
    'E10201',
    (Object.keys(computed) as (keyof typeof computed)[]).map((member) => ({
      parameter: `document.docTotals.${member}`,
      sent: docTotals[member],
      computed: computed[member][0],
      tolerance: computed[member][1],
    })),
  );
  const { docGrossAmountR } = docTotals;
  if (docPayment.docCurrencyCode !== HOME_CURRENCY || Number.isInteger(docGrossAmountR)) return findings;
  const parameter = 'document.docTotals.docGrossAmountR';
  return [...findings, { code: 'E10201', message: `${parameter} ${docGrossAmountR} is no whole denar`, parameter }];
}
