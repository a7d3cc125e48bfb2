import type { Finding } from '../../authority-error.ts';
import type { ListsInForce } from '../../catalogue/catalogue.ts';
import type { InvoiceDocument, Item } from '../checks/document-schema.ts';
import { HOME_CURRENCY } from '../checks/payment-check.ts';
import { compareAmounts } from './compare-amounts.ts';
import {
  type Decimal,
  decimal,
  isEqual,
  minus,
  percentOf,
  plus,
  roundToWhole,
  sum,
  textOf,
  times,
  ZERO,
} from './decimal.ts';
import { checkVatTotals } from './vat-total-check.ts';
import type { Exact } from './written-numbers.ts';

/** Credit note and debit note. */
const NOTES = ['110', '120'];
const VOID = decimal('1');

type ExactDocument = Exact<InvoiceDocument>;

/**
 * Compares every amount with the formulas of the authority's published reference (§3.9), computed exactly from the figures as
 * sent: items, totals of the document, totals per tax indicator. The tolerance is not published; it is the same for each formula.
 */
export function checkAmounts(document: ExactDocument, lists: ListsInForce, tolerance: Decimal): readonly Finding[] {
  return [
    ...checkSigns(document),
    ...document.docItems.flatMap((item, index) => checkItem(item, `document.docItems[${index}]`, lists, tolerance)),
    ...checkDocTotals(document, tolerance),
    ...checkRounded(document, tolerance),
    ...checkVatTotals(document, lists, tolerance),
  ];
}

/** Credit and debit notes have positive quantities and amounts (§3.10); only a void of one is negative. */
function checkSigns({ header, docItems, docTotals }: ExactDocument): readonly Finding[] {
  if (!NOTES.includes(header.docType) || isEqual(header.docStorno, VOID)) return [];
  const negative = docItems.findIndex(({ docItemQty }) => docItemQty.units < 0n);
  const figures = [
    [negative !== -1, 'E10203', `document.docItems[${negative}].docItemQty`],
    [docTotals.docGrossAmount.units < 0n, 'E10201', 'document.docTotals.docGrossAmount'],
  ] as const;
  return figures.flatMap(([isNegative, code, parameter]) => {
    return isNegative ? [{ code, message: `${parameter} of a credit or debit note is negative`, parameter }] : [];
  });
}

function checkItem(item: Exact<Item>, path: string, lists: ListsInForce, tolerance: Decimal): readonly Finding[] {
  const { docItemQty: quantity, docItemUnitPriceWoVat: unitPrice } = item;
  const indicator = lists.find('tax-indicators', item.docItemTaxIndicator);
  // Exempt and reverse-charge items have no VAT, whatever the rate of their tax group (§3.9, vatImpact).
  const rate = indicator?.vatImpact === 'STANDARD' ? item.docItemVat : ZERO;
  const computed = {
    docItemUnitPriceWoVat: minus(item.docItemUnitOriginalPriceWoVat, item.docItemUnitDiscountAmount),
    docItemUnitVat: percentOf(unitPrice, rate),
    docItemTotalOriginalPriceWoVat: times(quantity, item.docItemUnitOriginalPriceWoVat),
    docItemTotalPriceWoVat: times(quantity, unitPrice),
    docItemTotalVat: times(quantity, item.docItemUnitVat),
    docItemTotalPriceWVat: plus(item.docItemTotalPriceWoVat, item.docItemTotalVat),
  };
  const members = Object.keys(computed) as (keyof typeof computed)[];
  const comparisons = members.map((member) => {
    return { parameter: `${path}.${member}`, sent: item[member], computed: computed[member] };
  });
  return compareAmounts('E10203', comparisons, tolerance);
}

function checkDocTotals({ docItems, docTotals }: ExactDocument, tolerance: Decimal): readonly Finding[] {
  const computed = {
    docNetAmount: sum(docItems.map((item) => item.docItemTotalOriginalPriceWoVat)),
    docDiscountAmount: sum(docItems.map((item) => times(item.docItemQty, item.docItemUnitDiscountAmount))),
    docNetAmountDisc: minus(docTotals.docNetAmount, docTotals.docDiscountAmount),
    docVatAmount: sum(docItems.map((item) => item.docItemTotalVat)),
    docGrossAmount: plus(docTotals.docNetAmountDisc, docTotals.docVatAmount),
    // The advance may have deni, so the final amount need not be whole.
    docFinalAmount: minus(docTotals.docGrossAmountR, docTotals.docAvansAmount ?? ZERO),
  };
  const members = Object.keys(computed) as (keyof typeof computed)[];
  const comparisons = members.map((member) => {
    return { parameter: `document.docTotals.${member}`, sent: docTotals[member], computed: computed[member] };
  });
  return compareAmounts('E10201', comparisons, tolerance);
}

/**
 * The gross amount rounded to the whole denar (§3.8), half away from zero (§3.9). In other currencies there is no denar to
 * round to, and nothing is published: the amount itself is accepted as well (chosen).
 */
function checkRounded({ docTotals, docPayment }: ExactDocument, tolerance: Decimal): readonly Finding[] {
  const { docGrossAmount: gross, docGrossAmountR: sent } = docTotals;
  const parameter = 'document.docTotals.docGrossAmountR';
  const rounded = roundToWhole(gross);
  if (docPayment.docCurrencyCode !== HOME_CURRENCY && isEqual(sent, gross)) return [];
  if (!isEqual(sent, roundToWhole(sent))) {
    return [{ code: 'E10201', message: `${parameter} ${textOf(sent)} is no whole denar`, parameter }];
  }
  return compareAmounts('E10201', [{ parameter, sent, computed: rounded }], tolerance);
}
