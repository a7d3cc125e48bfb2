import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ContentElement } from '../../../../src/adapters/ubl/content/content-of-element.ts';
import { contentOf } from '../../../../src/adapters/ubl/content/invoice-content.ts';
import { UnconvertedElements } from '../../../../src/adapters/ubl/element-uses/unconverted-elements.ts';
import { parseXml } from '../../../../src/adapters/ubl/xml/libxml2.ts';
import { decodeXml } from '../../../../src/adapters/ubl/xml/xml-encoding.ts';
import { surveyXml } from '../../../../src/adapters/ubl/xml/xml-survey.ts';
import { XmlTree } from '../../../../src/adapters/ubl/xml/xml-tree.ts';
import { OWN_CORPUS } from '../../../intake/own-corpus.ts';
import { corpusBytes, corpusMissing, corpusRows, expectedOutcome } from '../../../support/corpus.ts';
import { largeInvoice, sampleInvoice } from '../../../support/ubl-samples.ts';
import { FULL_DOCUMENTS } from './full-documents.ts';

/** The elements of a document that no row of the table speaks of. */
function undecidedIn(bytes: Uint8Array): readonly string[] {
  const utf8 = decodeXml(bytes);
  assert.ok(Buffer.isBuffer(utf8));
  const parsed = parseXml(utf8, surveyXml(utf8).complete);
  assert.ok('root' in parsed);
  using document = parsed;
  const tree = new XmlTree(document.root);
  const elements = new UnconvertedElements();
  elements.addFrom(new ContentElement(tree, tree.root, `/${tree.kind(tree.root)}`, []));
  return elements.undecided;
}

describe('for every element with a value it is decided whether it is sent, in', () => {
  test('documents of our own', () => {
    const own = OWN_CORPUS.filter(({ outcome }) => outcome === 'document').map(({ bytes }) => bytes);
    for (const bytes of [...own, ...FULL_DOCUMENTS.map((xml) => Buffer.from(xml))]) {
      assert.deepEqual(undecidedIn(bytes), []);
    }
  });

  test('every document of the corpus that is accepted', { skip: corpusMissing }, () => {
    const accepted = corpusRows().filter((row) => expectedOutcome(row) === 'document');
    assert.ok(accepted.length > 100);
    const undecided = accepted.flatMap((row) => undecidedIn(corpusBytes(row)).map((path) => `${row.file}: ${path}`));
    assert.deepEqual(undecided, []);
  });
});

test('an element that nobody decided about is left out with a warning', () => {
  const xml = sampleInvoice().replace('<cac:PaymentMeans>', '<cac:PaymentMeans><cbc:Unheard>1</cbc:Unheard>');
  const other = contentOf(Buffer.from(xml)).unconverted.find(({ kind }) => kind === 'other');
  assert.deepEqual(other, { kind: 'other', count: 1, paths: ['/Invoice/cac:PaymentMeans/cbc:Unheard'] });
});

test('however many lines there are, each kind has one entry with its first places', () => {
  const xml = largeInvoice(500_000).replaceAll(
    /(?<=<cac:InvoiceLine>\s*<cbc:ID>\d+<\/cbc:ID>)/gu,
    '<cbc:Note>x</cbc:Note>',
  );
  const { lines, unconverted } = contentOf(Buffer.from(xml));
  assert.deepEqual(
    unconverted.map(({ kind, count, paths }) => [kind, count, paths.length]),
    [
      ['account', 1, 1],
      ['line-note', lines.length, 3],
    ],
  );
});
