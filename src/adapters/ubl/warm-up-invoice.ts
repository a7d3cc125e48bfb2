/** How often it is read: enough that V8 has compiled the code before the first submission. */
export const WARM_UP_TIMES = 50;

const UBL = 'urn:oasis:names:specification:ubl:schema:xsd:';
/** A small invoice that is read before the first submission is. */
export const WARM_UP_INVOICE = `<?xml version="1.0" encoding="UTF-8"?>
<Invoice xmlns="${UBL}Invoice-2" xmlns:cac="${UBL}CommonAggregateComponents-2" xmlns:cbc="${UBL}CommonBasicComponents-2">
  <cbc:UBLVersionID>2.1</cbc:UBLVersionID>
  <cbc:ID>0</cbc:ID>
  <cbc:IssueDate>2026-01-01</cbc:IssueDate>
  <cbc:InvoiceTypeCode>380</cbc:InvoiceTypeCode>
  <cac:AccountingSupplierParty><cac:Party>
    <cac:PartyName><cbc:Name>A</cbc:Name></cac:PartyName>
  </cac:Party></cac:AccountingSupplierParty>
  <cac:AccountingCustomerParty><cac:Party>
    <cac:PartyName><cbc:Name>B</cbc:Name></cac:PartyName>
  </cac:Party></cac:AccountingCustomerParty>
  <cac:LegalMonetaryTotal><cbc:PayableAmount currencyID="MKD">1</cbc:PayableAmount></cac:LegalMonetaryTotal>
  <cac:InvoiceLine>
    <cbc:ID>1</cbc:ID>
    <cbc:LineExtensionAmount currencyID="MKD">1</cbc:LineExtensionAmount>
    <cac:Item><cbc:Name>C</cbc:Name></cac:Item>
  </cac:InvoiceLine>
</Invoice>`;
