import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ContentElement } from '../../../../src/adapters/ubl/content/content-of-element.ts';
import { contentOf } from '../../../../src/adapters/ubl/content/stored-content.ts';
import { UnconvertedElements } from '../../../../src/adapters/ubl/element-uses/unconverted-elements.ts';
import { parseXml } from '../../../../src/adapters/ubl/xml/libxml2.ts';
import { decodeXml } from '../../../../src/adapters/ubl/xml/xml-encoding.ts';
import { surveyXml } from '../../../../src/adapters/ubl/xml/xml-survey.ts';
import { XmlTree } from '../../../../src/adapters/ubl/xml/xml-tree.ts';
import type { UnconvertedKind } from '../../../../src/domain/documents/unconverted-element.ts';
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

describe('of what the authority has one member for, all that is not sent has a warning:', () => {
  const street = (name: string) => `<cbc:StreetName>${name}</cbc:StreetName><cbc:CityName>Битола</cbc:CityName>`;
  const location = (content: string) => `<cac:DeliveryLocation>${content}</cac:DeliveryLocation>`;
  const delivery = (...content: readonly string[]) => `<cac:Delivery>${content.join('')}</cac:Delivery>`;
  const terms = (...texts: readonly string[]) =>
    `<cac:DeliveryTerms>${texts.map((text) => `<cbc:SpecialTerms>${text}</cbc:SpecialTerms>`).join('')}</cac:DeliveryTerms>`;

  function contentWith(piece: string) {
    return contentOf(Buffer.from(sampleInvoice().replace('<cac:PaymentMeans>', `${piece}<cac:PaymentMeans>`)));
  }

  function leftOutOf(piece: string, what: UnconvertedKind = 'delivery-detail'): readonly string[] {
    const found = contentWith(piece).unconverted.find(({ kind }) => kind === what);
    return found?.paths ?? [];
  }

  test('a second address of the delivery', () => {
    const inLocation = location(`<cac:Address>${street('Прва')}</cac:Address>`);
    const beside = (name: string) => `<cac:DeliveryAddress>${street(name)}</cac:DeliveryAddress>`;
    assert.deepEqual(leftOutOf(delivery(beside('Втора'), inLocation)), ['/Invoice/cac:Delivery/cac:DeliveryAddress']);
    assert.deepEqual(leftOutOf(delivery(beside('Прва'), inLocation)), []);
    assert.deepEqual(leftOutOf(delivery(beside('Втора'))), []);
    // The parser keeps blanks as long as these, where there are some before the first element and between others.
    const tabs = '\t'.repeat(1000);
    const farApart = `${tabs}${street('Прва').replace('><cbc:City', `>${tabs}<cbc:City`)}`;
    assert.deepEqual(leftOutOf(delivery(`<cac:DeliveryAddress>${farApart}</cac:DeliveryAddress>`, inLocation)), []);
  });

  test('descriptions of the place beside its name, or beyond the first', () => {
    const described = (text: string) => `<cbc:Description>${text}</cbc:Description>`;
    const path = '/Invoice/cac:Delivery/cac:DeliveryLocation/cbc:Description';
    assert.deepEqual(leftOutOf(delivery(location(`${described('Рампа')}<cbc:Name>Магацин</cbc:Name>`))), [path]);
    assert.deepEqual(leftOutOf(delivery(location(described('Рампа') + described('Влез')))), [`${path}[2]`]);
    assert.deepEqual(leftOutOf(delivery(location(described('Рампа')))), []);
  });

  test('terms of delivery beyond the first', () => {
    const path = '/Invoice/cac:DeliveryTerms/cbc:SpecialTerms';
    assert.deepEqual(leftOutOf(terms('EXW', 'без истовар')), [`${path}[2]`]);
    assert.deepEqual(leftOutOf(terms('', 'EXW')), []);
    assert.deepEqual(leftOutOf(delivery(terms('DAP')) + terms('EXW')), [`/Invoice/cac:Delivery${path.slice(8)}`]);
    assert.deepEqual(leftOutOf(delivery(terms('EXW')) + terms('EXW')), []);
  });

  test('the reason of an allowance of the document: of a negative charge too, not of a negative allowance', () => {
    const path = '/Invoice/cac:AllowanceCharge/cbc:AllowanceChargeReason';
    const rows = [
      [false, '5', [path]],
      [true, '-5', [path]],
      [true, '0.00', [path]],
      [true, '5', []],
      [false, '-5', []],
    ] as const;
    for (const [isCharge, amount, expected] of rows) {
      const piece = `<cac:AllowanceCharge><cbc:ChargeIndicator>${isCharge}</cbc:ChargeIndicator><cbc:AllowanceChargeReason>x</cbc:AllowanceChargeReason><cbc:Amount currencyID="MKD">${amount}</cbc:Amount></cac:AllowanceCharge>`;
      assert.deepEqual(leftOutOf(piece, 'allowance-detail'), expected, `${isCharge} ${amount}`);
    }
    const reasons = [' ', 'x', 'y'].map((one) => `<cbc:AllowanceChargeReason>${one}</cbc:AllowanceChargeReason>`);
    const several = `<cac:AllowanceCharge><cbc:ChargeIndicator>true</cbc:ChargeIndicator>${reasons.join('')}<cbc:Amount currencyID="MKD">5</cbc:Amount></cac:AllowanceCharge>`;
    assert.deepEqual(leftOutOf(several, 'allowance-detail'), [`${path}[3]`], 'the first that is not blank is sent');
  });

  test('an address without a text takes the place of no other', () => {
    const blank = location('<cac:Address><cbc:StreetName> </cbc:StreetName></cac:Address>');
    const beside = `<cac:DeliveryAddress>${street('Прва')}</cac:DeliveryAddress>`;
    assert.equal(contentWith(delivery(beside, blank)).delivery?.address?.street, 'Прва');
  });
});
