import type { InvoiceContent } from '../../../../src/domain/documents/invoice-content.ts';
import { ALFA_EDB } from '../../../support/ubl-samples.ts';
import { identifier } from './sample-content.ts';

/**
 * The document with our tenant as supplier, in denars, at 18 % and to a listed country, so that its conversion gets further
 * than the check of the supplier. The totals with VAT are removed, because they no longer match.
 */
export function asTenantDocument(content: InvoiceContent): InvoiceContent {
  const text = JSON.stringify(content)
    .replace(/"currency":"[A-Z]{3}"/gu, '"currency":"MKD"')
    .replace(/"percent":"[1-9][\d.]*"/gu, '"percent":"18"');
  const ours = JSON.parse(text) as InvoiceContent;
  return {
    ...ours,
    number: ours.number?.slice(0, 20) ?? null,
    supplier: { ...ours.supplier, identifiers: [identifier('tax-scheme', ALFA_EDB, 'VAT')] },
    customer: { ...ours.customer, country: ours.customer.country === null ? null : 'DE' },
    taxTotals: [],
    prepaidPayments: [],
    totals: { ...ours.totals, taxInclusive: null, prepaid: null, rounding: null, payable: null },
  };
}
