import assert from 'node:assert/strict';
import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { contentOf } from '../../../../src/adapters/ubl/content/stored-content.ts';
import { type Conversion, convert } from '../../../../src/adapters/ujp/conversion/convert.ts';
import { neededLookups } from '../../../../src/adapters/ujp/conversion/needed-lookups.ts';
import type { InvoiceContent } from '../../../../src/domain/documents/invoice-content.ts';
import { corpusBytes, corpusMissing, corpusRows } from '../../../support/corpus.ts';
import { withRandom } from '../../../support/seeds.ts';
import { mutateUbl } from '../../../support/ubl-mutations.ts';
import { sampleCreditNote, sampleInvoice } from '../../../support/ubl-samples.ts';
import { outcomeOn } from '../../ubl/judging/judging.ts';
import { CONTEXT, converted } from './sample-content.ts';
import { asTenantDocument } from './tenant-document.ts';

const COUNT = process.env['TEST_LONG'] === '1' ? 20_000 : 750;

function example(name: string): Uint8Array {
  return readFileSync(new URL(`../../../../docs/examples/${name}`, import.meta.url));
}

/** Checks what holds for every conversion: its result is plain JSON, and its messages are bounded sentences. */
function checkedConversion(content: InvoiceContent): Conversion {
  neededLookups(content);
  const conversion = convert(content, CONTEXT);
  const sentences =
    conversion.outcome === 'converted' ? conversion.warnings.map(({ text }) => text) : [conversion.message];
  for (const sentence of sentences) {
    assert.match(sentence, /\.$/u);
    assert.ok(sentence.length <= 600, sentence);
    assert.doesNotMatch(sentence, /[\p{Cc}\p{Cs}]|undefined|\bnull\b|NaN/u);
  }
  assert.deepEqual(JSON.parse(JSON.stringify(conversion)), conversion);
  assert.deepEqual(JSON.parse(JSON.stringify(content)), content);
  return conversion;
}

describe('the published example documents are converted', () => {
  test('the invoice', () => {
    const { payload, docTypeCode, warnings } = converted(contentOf(example('invoice.xml')));
    assert.equal(docTypeCode, '100');
    assert.deepEqual(warnings, []);
    assert.equal(payload.document.docItems.length, 2);
    assert.deepEqual(payload.document.docTotals, {
      docNetAmount: 12000,
      docDiscountAmount: 0,
      docNetAmountDisc: 12000,
      docVatAmount: 2160,
      docGrossAmount: 14160,
      docGrossAmountR: 14160,
      docAvansDate: null,
      docAvansDesc: null,
      docAvansAmount: 0,
      docFinalAmount: 14160,
    });
    assert.equal(payload.document.docPayment.docPaymentTypeDueDate, '2026-12-02');
  });

  test('the credit note, with positive amounts', () => {
    const content = contentOf(example('credit-note.xml'));
    assert.deepEqual(neededLookups(content).references, [{ number: '2026-7001', date: '2026-11-02' }]);
    const { payload, docTypeCode } = converted(content);
    assert.equal(docTypeCode, '110');
    assert.equal(payload.document.header.docStorno, 0);
    assert.equal(payload.document.docTotals.docFinalAmount, 2832);
    assert.deepEqual(payload.document.docReferences, [
      { docTypeRef: 'DOC', docNameRef: 'Други документи', docDateRef: '2026-11-02', docNumberRef: '2026-7001' },
    ]);
  });

  test('the members are in the order of the authority’s examples', () => {
    const { payload } = converted(contentOf(example('invoice.xml')));
    assert.deepEqual(Object.keys(payload.document), [
      ...['header', 'docReferences', 'seller', 'buyer', 'docPayment', 'docItems', 'docTotals', 'vatTotals'],
    ]);
  });
});

test(`of ${COUNT} mutated documents every valid one is converted or fails with a message`, async (t) => {
  const sources = [
    sampleInvoice(),
    sampleCreditNote(),
    ...[example('invoice.xml'), example('credit-note.xml')].map(String),
  ];
  const outcomes: Record<string, number> = {};
  await withRandom((random) => {
    for (let done = 0; done < COUNT; done += 1) {
      const source = sources[done % sources.length] ?? '';
      const { xml, description } = mutateUbl(random, source);
      if (outcomeOn(xml) !== 'document') continue;
      const answer = outcomeOf(contentOf(Buffer.from(xml)), description);
      outcomes[answer] = (outcomes[answer] ?? 0) + 1;
    }
  });
  t.diagnostic(JSON.stringify(outcomes));
  assert.ok((outcomes['converted'] ?? 0) > 0 && Object.keys(outcomes).length > 2);
});

describe('the corpus of real documents', () => {
  const positives = corpusMissing === false ? corpusRows().filter(({ reason }) => reason === '') : [];

  test('is converted or fails with a message, unchanged and as documents of our tenant', {
    skip: corpusMissing,
  }, (t) => {
    const outcomes: Record<string, number> = {};
    for (const row of positives) {
      const content = contentOf(corpusBytes(row));
      outcomeOf(content, row.file);
      const answer = outcomeOf(asTenantDocument(content), row.file);
      outcomes[answer] = (outcomes[answer] ?? 0) + 1;
    }
    t.diagnostic(`${positives.length} documents: ${JSON.stringify(outcomes)}`);
    assert.ok(positives.length > 100 && (outcomes['converted'] ?? 0) > 30);
  });

  test('is converted or fails with a message also when mutated', { skip: corpusMissing }, async () => {
    const texts = positives
      .map((row) => Buffer.from(corpusBytes(row)))
      .filter((text) => text.length < 30_000 && isUtf8(text));
    await withRandom((random) => {
      for (const text of texts) {
        const { xml, description } = mutateUbl(random, text.toString());
        if (outcomeOn(xml) === 'document') outcomeOf(asTenantDocument(contentOf(Buffer.from(xml))), description);
      }
    });
  });
});

function outcomeOf(content: InvoiceContent, description: string): string {
  try {
    const conversion = checkedConversion(content);
    return conversion.outcome === 'converted' ? conversion.outcome : conversion.failureCode;
  } catch (cause) {
    throw new Error(description, { cause });
  }
}
