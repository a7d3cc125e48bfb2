import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { contentOf } from '../../../../src/adapters/ubl/content/stored-content.ts';
import { convert } from '../../../../src/adapters/ujp/conversion/convert.ts';
import type { InvoiceContent } from '../../../../src/domain/documents/invoice-content.ts';
import { projectFile } from '../../../consistency/source-files.ts';
import { corpusBytes, corpusMissing, corpusRows } from '../../../support/corpus.ts';
import { type Random, withRandom } from '../../../support/seeds.ts';
import { sampleCreditNote, sampleInvoice } from '../../../support/ubl-samples.ts';
import {
  allowance,
  CONTEXT,
  category,
  denars,
  identifier,
  inEuros,
  invoice,
  line,
  party,
  reference,
  terms,
} from '../conversion/sample-content.ts';
import { asTenantDocument } from '../conversion/tenant-document.ts';
import { onlyAmounts, ratesOf } from '../conversion/totals/corpus-content.ts';
import { upTo } from '../conversion/totals/drawn-line.ts';
import { drawContent } from './drawn-content.ts';
import { checkRoundTrip } from './round-trip.ts';

const COUNT = process.env['TEST_LONG'] === '1' ? 5_000 : 150;
const EUID = '0199f2a0-7b1c-7def-8123-456789abcdef';

function roundTrip(content: InvoiceContent, context = CONTEXT): void {
  const first = convert(content, context);
  assert.ok(first.outcome === 'converted', JSON.stringify(first));
  checkRoundTrip(first.payload, context);
}

function drawSize(random: Random): number {
  return Number(upTo(random, random() < 0.03 ? 150 : random() < 0.3 ? 20 : 3));
}

describe('UBL → authority → UBL → authority gives the same document', () => {
  for (const [name, xml] of Object.entries({
    'the example invoice': projectFile('docs/examples/invoice.xml'),
    'the example credit note': projectFile('docs/examples/credit-note.xml'),
    'a sample invoice': sampleInvoice(),
    'a sample credit note': sampleCreditNote(),
  })) {
    test(name, () => roundTrip(contentOf(Buffer.from(xml))));
  }

  const reason = reference('additional', 'C01', {
    id: { value: 'C01', scheme: 'UJP:correctionReason' },
    description: 'погрешна цена',
  });
  const documents: Readonly<Record<string, InvoiceContent>> = {
    'a document in euros': inEuros(),
    'a correction': invoice({
      typeCode: { value: '384', name: null },
      references: [reference('billing', '2026-1', { uuid: EUID }), reason],
    }),
    'a document to a person': invoice({ customer: party({ country: 'MK' }) }),
    'a discount for early payment beside a deadline': invoice({
      paymentTerms: [
        terms({ discountPercent: '2', settlementPeriod: { value: '10', unit: 'DAY' } }),
        terms({ notes: ['30 дена'], penaltyPercent: '0.05', settlementPeriod: { value: '30', unit: 'DAY' } }),
      ],
    }),
    'a document of another type': invoice({ typeCode: { value: '380', name: 'UJP:docType:160' } }),
    'a debit note': invoice({ typeCode: { value: '383', name: null } }),
    'an advance invoice': invoice({ typeCode: { value: '386', name: null } }),
    'several tax indicators': invoice({
      lines: [
        line({ price: '33.333', tax: category('E', '0', 'DDV-9') }),
        line({ price: '12.3456', tax: category('G', '0', 'DDV-7-I') }),
        line({ price: '7.77', tax: category('AE', '0', 'DDV-11-A') }),
        line({ price: '84.745763', count: '3' }),
      ],
    }),
    'several tax indicators of one category, with lines of four decimals': invoice({
      lines: ['DDV-8', 'DDV-9'].map((code) =>
        line({ price: '1.735', lineExtension: denars('1.7350'), tax: category('E', '0', code) }),
      ),
    }),
    // 5.23 × 2.2334 is more than half a cent below 11.6858, so 2.23345 is sent, which itself would be rounded to 2.2335.
    'a price that is rounded to five decimals, the last of them a five': invoice({
      lines: [
        line({
          count: '5.23',
          price: '2.23233',
          priceAllowances: [allowance('0.001116')],
          lineExtension: denars('11.68'),
          tax: category('S', '10'),
        }),
      ],
    }),
    'VAT of the whole document that the discount of one line explains': invoice({
      lines: [
        line({ price: '10.57', allowanceCharges: [allowance('0.15')] }),
        line({ price: '10.11', tax: category('S', '5') }),
      ],
      taxTotals: [{ path: '/Invoice/cac:TaxTotal', amount: denars('2.38'), subtotals: [] }],
    }),
    // 0.18 and 0.23 less 0.10, each rounded by itself: 0.0104 less than the rate, which neither row explains alone.
    'VAT of several tax indicators that the discount of the document explains': invoice({
      lines: [line({ price: '1.01' }), line({ price: '1.30', tax: category('S', '18', 'DDV-PNPI-А') })],
      allowanceCharges: [allowance('0.53', { taxCategories: [category('S', '18')] })],
      taxTotals: [
        {
          path: '/Invoice/cac:TaxTotal',
          amount: denars('0.31'),
          subtotals: [
            {
              path: '/Invoice/cac:TaxTotal/cac:TaxSubtotal',
              taxable: denars('1.78'),
              tax: denars('0.31'),
              category: category('S', '18'),
            },
          ],
        },
      ],
    }),
    'a supplier who is a company without VAT': invoice({
      supplier: party({ identifiers: [identifier('legal-entity', CONTEXT.tenantEdb)], country: 'MK' }),
      lines: [line({ tax: category('O', null) })],
    }),
  };
  for (const [name, content] of Object.entries(documents)) {
    const seller =
      name.includes('without VAT') && CONTEXT.seller !== null ? { ...CONTEXT.seller, vatNumber: null } : CONTEXT.seller;
    test(name, () => roundTrip(content, { ...CONTEXT, seller, buyer: name.includes('person') ? null : CONTEXT.buyer }));
  }

  test('VAT that is stated together for several tax indicators', () => {
    const amounts = ['0.01', '0.02', '0.03', '0.25'];
    for (const codes of [
      ['DDV-PNPI-А', 'DDV-vaucer-E'],
      [null, 'DDV-PNPI-А', 'DDV-vaucer-E'],
    ]) {
      for (let drawn = 0; drawn < 16; drawn += 1) {
        const lines = codes.map((code, index) => {
          const price = amounts[(drawn + index * Math.floor(drawn / 4)) % 4] ?? '';
          return line({ price, lineExtension: denars(price), tax: category('S', '18', code) });
        });
        roundTrip(invoice({ lines }));
      }
    }
  });

  test(`${COUNT} drawn documents`, async (t) => {
    let done = 0;
    await withRandom((random) => {
      for (let drawn = 0; drawn < COUNT; drawn += 1) {
        const content = drawContent(random, drawSize(random));
        const context = { ...CONTEXT, buyer: content.customer.identifiers.length > 0 ? CONTEXT.buyer : null };
        const first = convert(content, context);
        if (first.outcome === 'failed') continue;
        checkRoundTrip(first.payload, context);
        done += 1;
      }
    });
    t.diagnostic(`${done} of ${COUNT} can be converted at all`);
    assert.ok(done > COUNT * 0.9);
  });

  describe('the valid documents of the corpus', () => {
    const ways = {
      // Every document is one from Alfa to itself.
      'with their amounts': (content: InvoiceContent) =>
        [onlyAmounts(content), { ...ratesOf(content), buyer: CONTEXT.seller }] as const,
      'with their texts, parties and references': (content: InvoiceContent) =>
        [asTenantDocument(content), { ...CONTEXT, buyer: null }] as const,
    };
    for (const [name, way] of Object.entries(ways)) {
      test(name, { skip: corpusMissing }, (t) => {
        let done = 0;
        for (const row of corpusRows().filter(({ reason: refused }) => refused === '')) {
          const [content, context] = way(contentOf(corpusBytes(row)));
          const first = convert(content, context);
          if (first.outcome === 'failed') continue;
          try {
            checkRoundTrip(first.payload, context);
          } catch (cause) {
            throw new Error(row.file, { cause });
          }
          done += 1;
        }
        t.diagnostic(`${done} documents`);
        assert.ok(done > 30);
      });
    }
  });
});
