import type { Tenant } from '../../domain/accounts/tenant.ts';

type Order = {
  readonly tenant: Tenant;
  /** Up to 20 characters, as long as the authority's numbers may be. */
  readonly number: string;
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly isVatRegistered: boolean;
};

/** An invoice over one denar, and VAT where the tenant pays it, from the tenant to itself, that says what it is. */
export function probeInvoice({ tenant, number, date, isVatRegistered }: Order): string {
  const vat = isVatRegistered ? { category: 'S', percent: '18', amount: '0.18', gross: '1.18' } : WITHOUT_VAT;
  const amount = (name: string, value: string) => `<cbc:${name} currencyID="MKD">${value}</cbc:${name}>`;
  const category = (name: string) =>
    `<cac:${name}><cbc:ID>${vat.category}</cbc:ID><cbc:Percent>${vat.percent}</cbc:Percent>${SCHEME}</cac:${name}>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2" xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2" xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">
<cbc:UBLVersionID>2.1</cbc:UBLVersionID>
<cbc:ID>${number}</cbc:ID>
<cbc:IssueDate>${date}</cbc:IssueDate>
<cbc:InvoiceTypeCode>380</cbc:InvoiceTypeCode>
<cbc:Note>Проба на врската / test of the connection</cbc:Note>
<cbc:DocumentCurrencyCode>MKD</cbc:DocumentCurrencyCode>
<cac:AccountingSupplierParty>${party(tenant)}</cac:AccountingSupplierParty>
<cac:AccountingCustomerParty>${party(tenant)}</cac:AccountingCustomerParty>
<cac:PaymentMeans><cbc:PaymentMeansCode>30</cbc:PaymentMeansCode><cbc:PaymentDueDate>${date}</cbc:PaymentDueDate></cac:PaymentMeans>
<cac:TaxTotal>${amount('TaxAmount', vat.amount)}<cac:TaxSubtotal>${amount('TaxableAmount', '1.00')}${amount('TaxAmount', vat.amount)}${category('TaxCategory')}</cac:TaxSubtotal></cac:TaxTotal>
<cac:LegalMonetaryTotal>${amount('LineExtensionAmount', '1.00')}${amount('TaxExclusiveAmount', '1.00')}${amount('TaxInclusiveAmount', vat.gross)}${amount('PayableAmount', vat.gross)}</cac:LegalMonetaryTotal>
<cac:InvoiceLine><cbc:ID>1</cbc:ID><cbc:InvoicedQuantity unitCode="C62">1</cbc:InvoicedQuantity>${amount('LineExtensionAmount', '1.00')}<cac:Item><cbc:Name>Проба</cbc:Name>${category('ClassifiedTaxCategory')}</cac:Item><cac:Price>${amount('PriceAmount', '1.00')}</cac:Price></cac:InvoiceLine>
</Invoice>
`;
}

const SCHEME = '<cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme>';
const WITHOUT_VAT = { category: 'O', percent: '0', amount: '0.00', gross: '1.00' };

/** Name and address of domestic parties are taken from the register when the document is converted. */
function party({ edb, name }: Tenant): string {
  return `<cac:Party><cac:PartyName><cbc:Name>${escaped(name)}</cbc:Name></cac:PartyName><cac:PostalAddress><cac:Country><cbc:IdentificationCode>MK</cbc:IdentificationCode></cac:Country></cac:PostalAddress><cac:PartyTaxScheme><cbc:CompanyID>${edb}</cbc:CompanyID>${SCHEME}</cac:PartyTaxScheme></cac:Party>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
