import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { compileUblSchemas } from '../../../../src/adapters/ubl/judging/compile-schemas.ts';
import { inspectDocument, judgeDocument } from '../../../../src/adapters/ubl/judging/judge-document.ts';
import { linesOfPaths, mostPlaces } from '../../../../src/adapters/ubl/judging/lines-of-paths.ts';
import { renderDetail } from '../../../../src/domain/messages/detail.ts';
import { withRandom } from '../../../support/seeds.ts';
import { mutateUbl } from '../../../support/ubl-mutations.ts';
import { sampleCreditNote, sampleInvoice } from '../../../support/ubl-samples.ts';

const schemas = compileUblSchemas();
const MUTATIONS = process.env['TEST_LONG'] === '1' ? 5_000 : 300;

function assertSameBeginning(bytes: Uint8Array): void {
  const judgement = judgeDocument(bytes, schemas);
  const [first] = inspectDocument(bytes, schemas).refusals;
  if (judgement.outcome === 'document') {
    assert.equal(first, undefined);
    return;
  }
  assert.equal(first?.code, judgement.code);
  const text = renderDetail('en', first?.findings.slice(0, 1) ?? []);
  assert.ok(judgement.detail.includes(text.slice(0, 100)), `${judgement.detail} / ${text}`);
}

describe('the inspection of a document', () => {
  test('begins with what a submission is refused for, and finds nothing where it is accepted', () =>
    withRandom((random) => {
      for (let count = 0; count < MUTATIONS; count += 1) {
        const once = mutateUbl(random, count % 2 === 0 ? sampleInvoice() : sampleCreditNote());
        const bytes = Buffer.from(random() < 0.5 ? once.xml : mutateUbl(random, once.xml).xml);
        assertSameBeginning(bytes);
      }
    }));

  test('finds every element that breaks the schema, up to a hundred', () => {
    const lines = Array.from({ length: 150 }, () => ({ name: 'x', quantity: 1, priceDenars: 1 }));
    const wrong = (count: number) =>
      sampleInvoice({ lines: lines.slice(0, count) }).replaceAll(/(<cbc:BaseQuantity[^>]*>)1</gu, '$1one<');
    const found = (count: number) => inspectDocument(Buffer.from(wrong(count)), schemas).refusals[0]?.findings.length;
    assert.deepEqual([found(12), found(150)], [12, 100]);
  });
});

describe('the lines of elements', () => {
  const xml = sampleInvoice();
  const bytes = Buffer.from(xml);
  const lineOf = (index: number) => xml.slice(0, index).split('\n').length;

  test('are found by their paths; of one that is missing it is that of the nearest around it', () => {
    const second = xml.indexOf('<cac:InvoiceLine>', xml.indexOf('<cac:InvoiceLine>') + 1);
    const paths = [
      '/Invoice',
      '/Invoice/cac:InvoiceLine[2]',
      '/Invoice/cac:InvoiceLine[2]/cac:Price/cbc:PriceAmount',
      '/Invoice/cac:InvoiceLine[2]/cac:Delivery/cbc:ID',
      '/Invoice/cac:InvoiceLine[99]/cbc:ID',
      '…cut/cbc:ID',
    ];
    const price = xml.indexOf('<cbc:PriceAmount', second);
    assert.deepEqual(linesOfPaths(bytes, paths), [2, lineOf(second), lineOf(price), lineOf(second), 2, null]);
  });

  test('are fewer the larger the document is', () => {
    assert.deepEqual(
      [mostPlaces(0), mostPlaces(9_000), mostPlaces(1_000_000), mostPlaces(99_000_000)],
      [100, 100, 50, 5],
    );
  });
});
