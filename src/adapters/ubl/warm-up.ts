import { judgeDocument, type Schemas } from './judging/judge-document.ts';

/** Enough that V8 has compiled the code before the first submission; takes about 40 ms when a thread starts. */
const ITERATIONS = 50;

const UBL = 'urn:oasis:names:specification:ubl:schema:xsd:';
const INVOICE = `<?xml version="1.0" encoding="UTF-8"?>
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

/** Judges a small invoice repeatedly, which also proves that this thread works. */
export function warmUp(schemas: Schemas): void {
  for (let count = 0; count < ITERATIONS; count += 1) {
    const judgement = judgeDocument(Buffer.from(INVOICE), schemas);
    if (judgement.outcome !== 'document') throw new Error(`The reader cannot read an invoice: ${judgement.detail}`);
  }
}
