import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { replaceElement, sampleCreditNote, sampleInvoice, without } from '../../../support/ubl-samples.ts';
import { refusalOf } from './judging.ts';

/** Words of the parser's own that no one outside should have to understand. */
const JARGON =
  /libxml|xmlParse|EntityRef|PCDATA|facet|atomic type|AttValue|StartTag:|wildcard|urn:oasis:names:specification:ubl:schema:xsd:Common/u;

function schemaDetail(xml: string): string {
  const detail = refusalOf(xml, 'ERR-2002');
  assert.doesNotMatch(detail, JARGON);
  return detail;
}

function parserDetail(xml: string): string {
  const detail = refusalOf(xml, 'ERR-2001');
  assert.doesNotMatch(detail, JARGON);
  return detail;
}

describe('what breaks the schema is named with line, column, path, what was found and what was expected:', () => {
  test('an element that does not exist', () => {
    assert.equal(
      schemaDetail(sampleInvoice().replace('  <cbc:IssueDate>', '  <cbc:Shade>blue</cbc:Shade>\n  <cbc:IssueDate>')),
      'Line 5, column 3, /Invoice/cbc:Shade: cbc:Shade is not allowed here; expected cbc:CopyIndicator, cbc:UUID or cbc:IssueDate.',
    );
  });
  test('an element in the wrong place, with some of what could stand there', () => {
    const moved = without(sampleInvoice(), 'cbc:DocumentCurrencyCode').replace(
      '  <cac:PaymentMeans>',
      '  <cbc:DocumentCurrencyCode>MKD</cbc:DocumentCurrencyCode>\n  <cac:PaymentMeans>',
    );
    assert.match(
      schemaDetail(moved),
      /\/Invoice\/cbc:DocumentCurrencyCode: cbc:DocumentCurrencyCode is not allowed here; expected one of (?:cac:\w+, ){4}cac:\w+ and others\.$/u,
    );
  });
  test('a missing element', () => {
    assert.match(
      schemaDetail(without(sampleInvoice(), 'cac:Item')),
      /^Line \d+, column 5, \/Invoice\/cac:InvoiceLine\[1\]\/cac:Price: cac:Price is not allowed here; expected .*\.$/u,
    );
    const lines = sampleInvoice().replaceAll(/ *<cac:InvoiceLine>.*<\/cac:InvoiceLine>\n/gsu, '');
    assert.equal(
      schemaDetail(lines),
      'Line 2, column 1, /Invoice: Invoice is incomplete; expected in it cac:InvoiceLine.',
    );
  });
  test('an element too many', () => {
    assert.match(
      schemaDetail(sampleInvoice().replace('</cac:Price>', '</cac:Price>\n<cac:Price/>')),
      /cac:Price\[2\]: cac:Price is not allowed here/u,
    );
  });
  test('an element of another namespace', () => {
    assert.match(
      schemaDetail(sampleInvoice().replace('<cbc:IssueDate>', '<x xmlns="urn:x"/><cbc:IssueDate>')),
      /\/Invoice\/x: x is not allowed here/u,
    );
  });
  test('values of the wrong type', () => {
    assert.match(
      schemaDetail(sampleInvoice({ issueDate: '31.10.2026' })),
      /“31\.10\.2026” is not a valid value of cbc:IssueDate; expected a date such as 2026-01-31\.$/u,
    );
    const quantity = sampleInvoice().replace('>120<', '>many<');
    assert.match(
      schemaDetail(quantity),
      /cac:InvoiceLine\[1\]\/cbc:InvoicedQuantity: “many” is not a valid value of cbc:InvoicedQuantity; expected a decimal number/u,
    );
    const empty = sampleInvoice().replace('<cbc:Percent>18', '<cbc:Percent>');
    assert.match(schemaDetail(empty), /“” is not a valid value of cbc:Percent/u);
  });
  test('attributes that are missing or too many', () => {
    assert.match(
      schemaDetail(sampleInvoice().replace('<cbc:TaxAmount currencyID="MKD">', '<cbc:TaxAmount>')),
      /cbc:TaxAmount lacks the attribute currencyID\.$/u,
    );
    assert.match(
      schemaDetail(sampleInvoice().replace('<cbc:ID>', '<cbc:ID colour="red">')),
      /cbc:ID must not have the attribute colour\.$/u,
    );
  });
  test('text among elements and elements in a value', () => {
    assert.match(
      schemaDetail(sampleInvoice().replace('<cac:TaxTotal>', '<cac:TaxTotal>extra')),
      /cac:TaxTotal must not contain text of its own/u,
    );
    assert.match(
      schemaDetail(sampleInvoice().replace('<cbc:ID>', '<cbc:ID><b/>')),
      /cbc:ID must not contain elements/u,
    );
  });
  test('claims about types', () => {
    const claim = (text: string) =>
      sampleInvoice().replace('<cbc:ID>', `<cbc:ID xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" ${text}>`);
    assert.match(schemaDetail(claim('xsi:nil="true"')), /must not be declared empty/u);
    assert.match(schemaDetail(claim('xsi:type="int"')), /xsi:type/u);
  });
  test('several at once, at most five, one for each element', () => {
    const all = sampleInvoice()
      .replaceAll('currencyID="MKD"', 'moneda="MKD"')
      .replace('<cbc:PayableAmount moneda', '<cbc:PayableAmount currencyID');
    const detail = schemaDetail(all);
    assert.equal(detail.match(/Line \d+/gu)?.length, 5);
    assert.ok(detail.length <= 2000);
  });
  test('in a credit note alike', () => {
    assert.match(
      schemaDetail(
        sampleCreditNote().replace('<cbc:IssueDate>', '<cbc:DueDate>2026-01-01</cbc:DueDate><cbc:IssueDate>'),
      ),
      /\/CreditNote\/cbc:DueDate: cbc:DueDate is not allowed here/u,
    );
  });
  test('by its place in a document of a single line', () => {
    const flat = sampleInvoice({ issueDate: 'x' }).replaceAll(/>\s+</gu, '><');
    const column = flat.indexOf('<cbc:IssueDate>') + 1;
    assert.ok(schemaDetail(flat).startsWith(`Line 1, column ${column}, /Invoice/cbc:IssueDate: `));
  });
  test('by its place in a document of a hundred thousand lines', () => {
    const long = sampleInvoice({ issueDate: 'x' }).replace(
      '  <cbc:IssueDate>',
      `${'\n'.repeat(100_000)}  <cbc:IssueDate>`,
    );
    assert.match(schemaDetail(long), /^Line 100005, column 3, /u);
  });
  test('by the usual prefixes, whatever the document uses', () => {
    const odd = sampleInvoice({ issueDate: 'x' }).replaceAll('cbc:', 'ns2:').replace('xmlns:cbc', 'xmlns:ns2');
    assert.match(schemaDetail(odd), /\/Invoice\/cbc:IssueDate: /u);
  });
});

describe('what is not well-formed is named with line, column and what was expected:', () => {
  const xml = sampleInvoice();
  const cases: Record<string, [string, RegExp]> = {
    'an end tag that does not match': [
      xml.replace('</cbc:ID>', '</cbc:Id>'),
      /^Line 4, column 32, \/Invoice\/cbc:ID: The end tag <\/Id> does not match <ID>, opened on line 4; expected <\/ID>\./u,
    ],
    'a document that is cut off': [
      xml.slice(0, xml.indexOf('</cac:LegalMonetaryTotal>')),
      /\/Invoice\/cac:LegalMonetaryTotal: The document ends while <\w*:?LegalMonetaryTotal>, opened on line \d+, is still open/u,
    ],
    'a bare ampersand': [
      xml.replace('</cbc:Note>', ' Петар & синови</cbc:Note>'),
      /\/Invoice\/cbc:Note: A bare “&” is not allowed; write &amp;/u,
    ],
    'an entity of HTML': [xml.replace('</cbc:Note>', '&nbsp;</cbc:Note>'), /The entity &nbsp; is not defined/u],
    'an attribute given twice': [
      xml.replace('languageID="mk"', 'languageID="mk" languageID="sq"'),
      /attribute languageID is given twice/u,
    ],
    'an attribute without quotation marks': [xml.replace('languageID="mk"', 'languageID=mk'), /quotation mark/u],
    'an attribute without a value': [xml.replace('languageID="mk"', 'languageID'), /languageID has no value/u],
    'a quotation mark left out': [
      xml.replace('languageID="mk"', 'languageID="mk'),
      /“<” is not allowed in an attribute value/u,
    ],
    'a prefix that is not declared': [
      xml.replace('<cbc:ID>', '<abc:ID/><cbc:ID>'),
      /prefix “abc” is not declared; expected xmlns:abc=/u,
    ],
    'a bare less-than sign': [
      xml.replace('</cbc:Note>', ' 3 < 4</cbc:Note>'),
      /“<” must begin a tag here; write &lt;/u,
    ],
    'two hyphens in a comment': [xml.replace('<cbc:ID>', '<!-- a -- b --><cbc:ID>'), /comment must not contain “--”/u],
    'a comment without an end': [xml.replace('<cbc:ID>', '<!-- a <cbc:ID>'), /comment is not finished/u],
    'a CDATA section without an end': [
      xml.replace('<cbc:ID>', '<![CDATA[ a <cbc:ID>'),
      /CDATA section is not finished/u,
    ],
    'the end of a CDATA section in text': [
      xml.replace('</cbc:Note>', ']]></cbc:Note>'),
      /“\]\]>” is not allowed in text/u,
    ],
    'a control character': [xml.replace('</cbc:Note>', '\u{1}</cbc:Note>'), /character here that XML does not allow/u],
    'a reference to a control character': [
      xml.replace('</cbc:Note>', '&#1;</cbc:Note>'),
      /character reference names a character/u,
    ],
    'something before the declaration': [` ${xml}`, /declaration may stand only at the very start/u],
    'a malformed declaration': [xml.replace('version="1.0" ', ''), /declaration is malformed/u],
    'a reserved prefix': [xml.replace('xmlns:cac=', 'xmlns:xml="urn:x" xmlns:cac='), /rules of XML namespaces/u],
    'a tag without an end': [xml.replace('</Invoice>', '</Invoice'), /./u],
  };
  for (const [title, [document, detail]] of Object.entries(cases)) {
    test(title, () => {
      assert.match(parserDetail(document), detail);
    });
  }
  test('columns count characters, not bytes', () => {
    const detail = parserDetail(replaceElement(xml, 'cbc:Note', '<cbc:Note>Љубица &x; </cbc:Note>'));
    assert.match(detail, /^Line 8, column (?:20|21|22|23), \/Invoice\/cbc:Note/u);
  });
  test('names of any length are shortened', () => {
    assert.ok(parserDetail(`<${'a'.repeat(40_000)}></b>`).length < 500);
  });
});
