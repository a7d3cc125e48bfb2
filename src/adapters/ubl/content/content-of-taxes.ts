import type {
  AllowanceCharge,
  MonetaryTotals,
  TaxCategory,
  TaxTotal,
} from '../../../domain/documents/invoice-content.ts';
import { statedVatCategory } from '../../../domain/invoices/stated-codes.ts';
import type { ContentElement } from './content-of-element.ts';

export function allowanceChargesContent(holder: ContentElement): readonly AllowanceCharge[] {
  return holder.children('cac:AllowanceCharge').map((element) => ({
    path: element.path,
    isCharge: isCharge(element),
    amount: element.amount('cbc:Amount'),
    reason: element.text('cbc:AllowanceChargeReason'),
    taxCategories: element.children('cac:TaxCategory').map(taxCategoryContent),
  }));
}

/** `xs:boolean` may be written as a digit. */
export function isCharge(allowanceCharge: ContentElement): boolean {
  return /^(?:true|1)$/u.test(allowanceCharge.text('cbc:ChargeIndicator') ?? '');
}

export function taxCategoryContent(category: ContentElement): TaxCategory {
  return {
    path: category.path,
    id: statedVatCategory(category.text('cbc:ID')),
    percent: category.number('cbc:Percent'),
    exemptionReasonCode: category.text('cbc:TaxExemptionReasonCode'),
    exemptionReason: category.texts('cbc:TaxExemptionReason').join('\n') || null,
    scheme: category.text('cac:TaxScheme', 'cbc:ID'),
  };
}

export function taxTotalsContent(holder: ContentElement): readonly TaxTotal[] {
  return holder.children('cac:TaxTotal').map((total) => ({
    path: total.path,
    amount: total.amount('cbc:TaxAmount'),
    subtotals: total.children('cac:TaxSubtotal').map((subtotal) => {
      const category = subtotal.child('cac:TaxCategory');
      return {
        path: subtotal.path,
        taxable: subtotal.amount('cbc:TaxableAmount'),
        tax: subtotal.amount('cbc:TaxAmount'),
        category: category === null ? null : taxCategoryContent(category),
      };
    }),
  }));
}

export function monetaryTotalsContent(document: ContentElement): MonetaryTotals {
  const amount = (name: string) => document.amount('cac:LegalMonetaryTotal', name);
  return {
    path: document.child('cac:LegalMonetaryTotal')?.path ?? `${document.path}/cac:LegalMonetaryTotal`,
    lineExtension: amount('cbc:LineExtensionAmount'),
    taxExclusive: amount('cbc:TaxExclusiveAmount'),
    taxInclusive: amount('cbc:TaxInclusiveAmount'),
    allowanceTotal: amount('cbc:AllowanceTotalAmount'),
    chargeTotal: amount('cbc:ChargeTotalAmount'),
    prepaid: amount('cbc:PrepaidAmount'),
    rounding: amount('cbc:PayableRoundingAmount'),
    payable: amount('cbc:PayableAmount'),
    payableAlternative: amount('cbc:PayableAlternativeAmount'),
  };
}
