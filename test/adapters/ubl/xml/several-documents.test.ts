import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sampleCreditNote, sampleInvoice } from '../../../support/ubl-samples.ts';
import { outcomeOn, refusalOf } from '../judging/judging.ts';

const MARK = '\u{FEFF}';
const invoice = sampleInvoice();
const bare = invoice.slice(invoice.indexOf('<Invoice'));
const note = sampleCreditNote();

describe('several documents in one body are', () => {
  const bodies: Record<string, string> = {
    'two, each with its declaration': invoice + invoice,
    'two without declarations': bare + bare,
    'an invoice and a credit note': invoice + note,
    'three with blank lines and comments between them': `${invoice}\n\n<!-- next -->\n${note}\n<?p?>${bare}`,
    'two with a byte order mark each': `${MARK}${invoice}\r\n${MARK}${invoice}`,
    'two with a byte order mark and no declaration': bare + MARK + bare,
    'an invoice and something else': `${invoice}<other/>`,
    'two of another kind': '<Order/><Order/>',
    'two of different kinds': '<a/><b/>',
    'three, of which the last is cut off by nothing but blanks': '<a/><b></b> <c/> ',
    'a header and a body that lost their root': '<Header><a/></Header><Body/>',
    'two that say so by their declarations': '<?xml version="1.0"?><a/>\n<?xml version="1.0"?><b/>',
    'two in a wrapper': `<batch>${bare}${bare}</batch>`,
    'two deep in an envelope': `<e><h><id/></h><b><p>${bare}</p></b><b><p>${note.slice(note.indexOf('<CreditNote'))}</p></b></e>`,
    'two that are not valid': `<batch>${'<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"/>'.repeat(2)}</batch>`,
  };
  for (const [title, body] of Object.entries(bodies)) {
    test(title, () => {
      refusalOf(body, 'ERR-2011');
    });
  }

  test('named by the place of the second', () => {
    const line = invoice.split('\n').length + 1;
    assert.match(
      refusalOf(invoice + invoice, 'ERR-2011'),
      new RegExp(`^Line ${line}, column 1: Another document begins here \\(“Invoice”\\)`, 'u'),
    );
  });
  test('named one by one inside a wrapper, at most five', () => {
    const detail = refusalOf(`<batch>\n${bare.repeat(7)}</batch>`, 'ERR-2011');
    assert.match(detail, /^Line 2, column 1, \/batch\/Invoice\[1\]: Invoice number 1 inside “batch”/u);
    assert.equal(detail.match(/number \d/gu)?.length, 5);
  });
});

describe('one document it is', () => {
  test('with comments, instructions and blanks around it', () => {
    assert.equal(outcomeOn(`${invoice}\n<!-- end --><?p?>\n\n`), 'document');
  });
  test('with another invoice in an extension', () => {
    assert.equal(outcomeOn(sampleInvoice({ extension: bare })), 'document');
    assert.equal(outcomeOn(sampleInvoice({ extension: `<a xmlns="urn:x">${bare}${bare}</a>` })), 'document');
  });
});

describe('a body with one document in it is refused', () => {
  test('ERR-2002 inside a wrapper', () => {
    assert.match(
      refusalOf(`<batch>${bare}</batch>`, 'ERR-2002'),
      /a wrapper around one document: send the document itself/u,
    );
  });
  test('ERR-2002 inside a wrapper though the document holds another', () => {
    refusalOf(`<batch>${sampleInvoice({ extension: bare }).slice(39)}</batch>`, 'ERR-2002');
  });
  test('ERR-2001 with text after it', () => {
    assert.match(refusalOf(`${invoice}and more`, 'ERR-2001'), /more after the end of the root element/u);
    refusalOf(`${invoice}and more${invoice}`, 'ERR-2001');
    refusalOf(`${invoice}&amp;`, 'ERR-2001');
    refusalOf(`${invoice}</Invoice>`, 'ERR-2001');
    refusalOf(`${invoice}${MARK}`.replace(/$/u, 'x'), 'ERR-2001');
  });
  test('ERR-2001 when the second is cut off or malformed, or the first is', () => {
    refusalOf(invoice + invoice.slice(0, -20), 'ERR-2001');
    const detail = refusalOf(`<a/>\n<a><b x="1" x="2"/></a>`, 'ERR-2001');
    assert.match(detail, /^Line 2, column 18, \/a\/?b?.*: The attribute x is given twice/u);
    refusalOf(invoice.replace('</cbc:ID>', '&nbsp;</cbc:ID>') + invoice, 'ERR-2001');
  });
});

describe('a root that is no UBL Invoice or CreditNote is refused ERR-2002:', () => {
  const roots = {
    'no namespace': '<Invoice/>',
    'the namespace of the other': '<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2"/>',
    'another UBL document': '<Order xmlns="urn:oasis:names:specification:ubl:schema:xsd:Order-2"/>',
    'a part of an invoice': '<Party xmlns="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2"/>',
    'another standard':
      '<rsm:CrossIndustryInvoice xmlns:rsm="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100"/>',
  };
  for (const [title, root] of Object.entries(roots)) {
    test(title, () => {
      assert.match(
        refusalOf(root, 'ERR-2002'),
        /^Line 1, column 1, \/[\w:]+: The root element is .*; expected Invoice \(.*\) or CreditNote/u,
      );
    });
  }
});
