import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { XmlDocument } from 'libxml2-wasm';
import { compileUblSchemas } from '../../src/adapters/ubl/judging/compile-schemas.ts';
import { readSchemaFiles } from '../../src/adapters/ubl/judging/schema-files.ts';
import type { DocumentKind } from '../../src/domain/documents/invoice-facts.ts';
import { schemaFindings } from '../support/schema-findings.ts';

const ubl = 'urn:oasis:names:specification:ubl:schema:xsd';
const kinds: readonly DocumentKind[] = ['Invoice', 'CreditNote'];
const schemas = compileUblSchemas();

function findingsIn(kind: DocumentKind, xml: string): string {
  using document = XmlDocument.fromString(xml);
  return schemaFindings(schemas[kind], document).join('\n');
}

function smallDocument(kind: DocumentKind): string {
  const quantity = kind === 'Invoice' ? 'InvoicedQuantity' : 'CreditedQuantity';
  return `<${kind} xmlns="${ubl}:${kind}-2" xmlns:cac="${ubl}:CommonAggregateComponents-2"
  xmlns:cbc="${ubl}:CommonBasicComponents-2" xmlns:ext="${ubl}:CommonExtensionComponents-2">
  <ext:UBLExtensions><ext:UBLExtension><ext:ExtensionContent><x:any xmlns:x="urn:x"/></ext:ExtensionContent></ext:UBLExtension></ext:UBLExtensions>
  <cbc:ID>17</cbc:ID>
  <cbc:CopyIndicator>false</cbc:CopyIndicator>
  <cbc:IssueDate>2026-11-15</cbc:IssueDate>
  <cac:AccountingSupplierParty/>
  <cac:AccountingCustomerParty/>
  <cac:LegalMonetaryTotal><cbc:PayableAmount currencyID="MKD">118.00</cbc:PayableAmount></cac:LegalMonetaryTotal>
  <cac:${kind}Line>
    <cbc:ID>1</cbc:ID>
    <cbc:${quantity} unitCode="C62">1</cbc:${quantity}>
    <cbc:LineExtensionAmount currencyID="MKD">100.00</cbc:LineExtensionAmount>
    ${kind === 'Invoice' ? '<cac:Item/>' : ''}
  </cac:${kind}Line>
</${kind}>`;
}

const violations: readonly { name: string; replace: string; by: string; finding: RegExp }[] = [
  {
    name: 'elements in the wrong order',
    replace: '<cac:AccountingSupplierParty/>\n  <cac:AccountingCustomerParty/>',
    by: '<cac:AccountingCustomerParty/>\n  <cac:AccountingSupplierParty/>',
    finding: /AccountingCustomerParty': This element is not expected/,
  },
  {
    name: 'a missing mandatory element',
    replace: '<cbc:IssueDate>2026-11-15</cbc:IssueDate>',
    by: '',
    finding: /This element is not expected.*IssueDate/,
  },
  {
    name: 'an unknown element',
    replace: '<cac:AccountingSupplierParty/>',
    by: '<cac:AccountingSupplierParty/><cac:Surprise/>',
    finding: /Surprise': This element is not expected/,
  },
  {
    name: 'a known element where it does not belong',
    replace: '<cac:AccountingSupplierParty/>',
    by: '<cac:AccountingSupplierParty><cbc:ID>1</cbc:ID></cac:AccountingSupplierParty>',
    finding: /ID': This element is not expected/,
  },
  {
    name: 'a second occurrence of a single element',
    replace: '<cbc:ID>17</cbc:ID>',
    by: '<cbc:ID>17</cbc:ID><cbc:ID>18</cbc:ID>',
    finding: /ID': This element is not expected/,
  },
  {
    name: 'an amount without currency',
    replace: '<cbc:PayableAmount currencyID="MKD">',
    by: '<cbc:PayableAmount>',
    finding: /attribute 'currencyID' is required but missing/,
  },
  {
    name: 'an unknown attribute',
    replace: '<cbc:ID>17',
    by: '<cbc:ID currencyID="MKD">17',
    finding: /attribute 'currencyID' is not allowed/,
  },
  { name: 'a decimal comma', replace: '118.00', by: '118,00', finding: /'118,00' is not a valid value/ },
  {
    name: 'a day that does not exist',
    replace: '11-15',
    by: '11-31',
    finding: /'2026-11-31' is not a valid value.*date/,
  },
  { name: 'a word for a boolean', replace: '>false<', by: '>no<', finding: /'no' is not a valid value.*boolean/ },
  {
    name: 'text between elements',
    replace: '<cac:AccountingSupplierParty/>',
    by: '<cac:AccountingSupplierParty/>text',
    finding: /Character content .*not allowed/,
  },
  {
    name: 'an extension without content',
    replace: '<x:any xmlns:x="urn:x"/>',
    by: '',
    finding: /ExtensionContent': Missing child element/,
  },
  {
    name: 'an extension of the extension namespace itself',
    replace: '<x:any xmlns:x="urn:x"/>',
    by: '<ext:UBLExtensions/>',
    finding: /UBLExtensions': This element is not expected/,
  },
  {
    name: 'an invalid UBL element within an extension',
    replace: '<x:any xmlns:x="urn:x"/>',
    by: '<x:any xmlns:x="urn:x"><cac:CatalogueLine/></x:any>',
    finding: /CatalogueLine': Missing child element/,
  },
  {
    name: 'an invalid signature within an extension',
    replace: '<x:any xmlns:x="urn:x"/>',
    by: `<s:UBLDocumentSignatures xmlns:s="${ubl}:CommonSignatureComponents-2"/>`,
    finding: /UBLDocumentSignatures': Missing child element/,
  },
];

describe('the schemas shipped with the product', () => {
  for (const kind of kinds) {
    test(`accept a small valid ${kind}`, () => {
      assert.equal(findingsIn(kind, smallDocument(kind)), '');
    });

    for (const { name, replace, by, finding } of violations) {
      test(`refuse in ${kind} ${name}`, () => {
        const violating = smallDocument(kind).replace(replace, by);
        assert.notEqual(violating, smallDocument(kind));
        assert.match(findingsIn(kind, violating), finding);
      });
    }
  }

  test('leave content of foreign namespaces in an extension alone', () => {
    const foreign = '<x:any xmlns:x="urn:x" free="yes">text<x:more/></x:any>';
    assert.equal(findingsIn('Invoice', smallDocument('Invoice').replace(/<x:any.*?\/>/, foreign)), '');
  });

  test('know the types by their official names, which a document may claim', () => {
    const claim = 'xmlns:i="http://www.w3.org/2001/XMLSchema-instance" i:type';
    const claiming = (type: string) => smallDocument('Invoice').replace('<cbc:ID>', `<cbc:ID ${claim}="${type}">`);
    assert.equal(findingsIn('Invoice', claiming('cbc:IDType')), '');
    assert.match(findingsIn('Invoice', claiming('cbc:NoteType')), /not validly derived/);
  });

  test('contain no DOCTYPE', () => {
    for (const bytes of Object.values(readSchemaFiles())) {
      using document = XmlDocument.fromBuffer(bytes);
      assert.equal(document.dtd, null);
    }
  });
});
