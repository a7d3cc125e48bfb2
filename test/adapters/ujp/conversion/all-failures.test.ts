import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { convert, rehearseConversion } from '../../../../src/adapters/ujp/conversion/convert.ts';
import type { InvoiceContent } from '../../../../src/domain/documents/invoice-content.ts';
import { fc } from '../../../support/seeds.ts';
import { CONTEXT, identifier, invoice, line, party } from './sample-content.ts';

const codes = (content: InvoiceContent) =>
  rehearseConversion(content, CONTEXT).failures.map(({ sentence }) => sentence.key);

const stranger = party({ identifiers: [identifier('tax-scheme', '4030000000001', 'VAT')] });
const unpriced = { ...line(), price: null, lineExtension: null };

describe('a rehearsed conversion', () => {
  test('goes on after a failure with what does not depend on it', () => {
    const document = invoice({ supplier: stranger, number: null, taxPointDate: '2099-01-01' });
    assert.deepEqual(codes(document), ['supplier-number-other', 'supply-after-document', 'number-missing']);
  });

  test('finds every line that fails, and then compares no totals', () => {
    const document = invoice({
      lines: [unpriced, line(), unpriced],
      totals: { ...invoice().totals, lineExtension: { value: '1', currency: 'MKD' } },
    });
    const { failures } = rehearseConversion(document, CONTEXT);
    assert.equal(failures.length, 2);
    assert.deepEqual(
      failures.map(({ sentence }) => sentence.key).filter((key) => key.endsWith('-differs')),
      [],
    );
  });

  test('finds every total that differs', () => {
    const wrong = { value: '1', currency: 'MKD' };
    const document = invoice({
      totals: { ...invoice().totals, lineExtension: wrong, taxExclusive: wrong, taxInclusive: wrong, payable: wrong },
    });
    assert.deepEqual(codes(document), [
      'lines-total-differs',
      'net-total-differs',
      'gross-total-differs',
      'payable-differs',
    ]);
  });

  test('names every value that cannot be read, and nothing that follows from them', () => {
    const unreadable = [null, 30].map((mostDigits) => ({ text: '1', path: '/Invoice/cbc:Note', mostDigits }));
    assert.deepEqual(codes(invoice({ unreadable, issueDate: null })), ['value-unusable', 'value-too-long']);
  });

  test('ends after a hundred failures', () => {
    assert.equal(codes(invoice({ lines: Array.from({ length: 500 }, () => unpriced) })).length, 100);
  });

  test('begins with the failure that ends a conversion, and otherwise has its payload and its warnings', () => {
    const wrong = { value: '1', currency: 'MKD' };
    const flaw = fc.constantFrom<Partial<InvoiceContent>>(
      { supplier: stranger },
      { number: null },
      { issueDate: null },
      { currency: 'XXX' },
      { currency: 'EUR' },
      { typeCode: { value: '325', name: null } },
      { taxPointDate: '2099-01-01' },
      { lines: [unpriced] },
      { lines: [] },
      { customer: party({ name: null, identifiers: [] }) },
      { totals: { ...invoice().totals, lineExtension: wrong } },
      { totals: { ...invoice().totals, payable: wrong, taxInclusive: wrong } },
      { unreadable: [{ path: '/Invoice', text: 'x', mostDigits: null }] },
    );
    fc.assert(
      fc.property(fc.array(flaw, { maxLength: 4 }), (flaws) => {
        const document = invoice(Object.assign({}, ...flaws) as Partial<InvoiceContent>);
        const conversion = convert(document, CONTEXT);
        const { failures, payload, warnings } = rehearseConversion(document, CONTEXT);
        if (conversion.outcome === 'converted') {
          assert.deepEqual([failures, payload, warnings], [[], conversion.payload, conversion.warnings]);
          return;
        }
        const { failureCode, sentences } = conversion;
        assert.deepEqual([failures[0]?.failureCode, [failures[0]?.sentence]], [failureCode, sentences]);
        assert.equal(payload, null);
      }),
      { numRuns: 300 },
    );
  });
});
