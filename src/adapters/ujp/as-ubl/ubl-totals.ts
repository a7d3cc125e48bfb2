import { TOTAL_DECIMALS } from '../../../domain/invoices/stated-totals.ts';
import { add, compare, formatShortest, isZero, round, subtract, sum, ZERO } from '../../../domain/values/decimal.ts';
import type { KnownDocument } from '../document-schema/document-fields.ts';
import type { StatedMember } from './stated-members.ts';
import type { Amounts } from './ubl-taxes.ts';
import { group, text, type XmlContent } from './xml-element.ts';

export function monetaryTotal({ docTotals }: KnownDocument, amounts: Amounts): XmlContent {
  const rounding = subtract(docTotals.docGrossAmountR, docTotals.docGrossAmount);
  const prepaid = docTotals.docAvansAmount;
  return group(
    'cac:LegalMonetaryTotal',
    amounts('cbc:LineExtensionAmount', docTotals.docNetAmountDisc),
    amounts('cbc:TaxExclusiveAmount', docTotals.docNetAmountDisc),
    amounts('cbc:TaxInclusiveAmount', docTotals.docGrossAmount),
    prepaid === null || isZero(prepaid) ? [] : amounts('cbc:PrepaidAmount', prepaid),
    isZero(rounding) ? [] : amounts('cbc:PayableRoundingAmount', rounding),
    amounts('cbc:PayableAmount', docTotals.docFinalAmount),
  );
}

/** A credit note has no such element. */
export function prepaidPayment({ docTotals }: KnownDocument, amounts: Amounts): XmlContent {
  const { docAvansDate, docAvansDesc, docAvansAmount } = docTotals;
  if (docAvansDate === null && docAvansDesc === null) return [];
  return group(
    'cac:PrepaidPayment',
    text('cbc:ID', docAvansDesc),
    amounts('cbc:PaidAmount', docAvansAmount ?? ZERO),
    text('cbc:ReceivedDate', docAvansDate),
  );
}

/** Totals before discounts, where they do not follow from the lines, and what a credit note has no element for. */
export function totalMembers({ docTotals, docItems }: KnownDocument, isCreditNote: boolean): readonly StatedMember[] {
  const { docNetAmount, docDiscountAmount, docNetAmountDisc, docAvansDate, docAvansDesc } = docTotals;
  const discounts = docItems.map((item) => subtract(item.docItemTotalOriginalPriceWoVat, item.docItemTotalPriceWoVat));
  const follows =
    compare(round(sum(discounts), TOTAL_DECIMALS), docDiscountAmount) === 0 &&
    compare(add(docNetAmountDisc, docDiscountAmount), docNetAmount) === 0;
  return [
    ['docTotals/docNetAmount', follows ? null : formatShortest(docNetAmount)],
    ['docTotals/docDiscountAmount', follows ? null : formatShortest(docDiscountAmount)],
    ['docTotals/docAvansDate', isCreditNote ? docAvansDate : null],
    ['docTotals/docAvansDesc', isCreditNote ? docAvansDesc : null],
  ];
}
