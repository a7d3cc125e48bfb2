import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ConversionContext } from '../../../../src/adapters/ujp/conversion/conversion-context.ts';
import type { ConversionWarningCode } from '../../../../src/domain/documents/conversion-warning.ts';
import type { InvoiceContent } from '../../../../src/domain/documents/invoice-content.ts';
import { address, category, converted, delivery, invoice, line, party, reference, terms } from './sample-content.ts';

type Occurrence = readonly [Partial<InvoiceContent>, Partial<ConversionContext>?];

const ABROAD = party({ country: 'DE' });

/** A document for every code; the store alone gives `OTHER`, to what an earlier version wrote. */
const OCCURRENCES: Readonly<Record<Exclude<ConversionWarningCode, 'OTHER'>, Occurrence>> = {
  'DELIVERY-DATE-LEFT-OUT': [{ taxPointDate: '2026-11-02', delivery: delivery({ actualDate: '2026-11-03' }) }],
  'DELIVERY-LOCATION-LEFT-OUT': [{ delivery: delivery({ locationId: '1'.repeat(21) }) }],
  'EXEMPTION-ASSUMED': [{ lines: [line({ tax: category('E', '0') })] }],
  'LINE-LEFT-OUT': [{ lines: [line(), line({ count: '0' })] }],
  'MORE-WARNINGS': [{ lines: [line(), ...Array.from({ length: 21 }, () => line({ count: '0' }))] }],
  'PARTY-NOT-REGISTERED': [{}, { buyer: null }],
  'PAYMENT-PERIOD-LEFT-OUT': [{ paymentTerms: [terms({ settlementPeriod: { value: '1', unit: 'MON' } })] }],
  'POSTAL-CODE-MOVED': [{ customer: { ...ABROAD, address: address({ postalZone: 'SW1A 1AA' }) } }],
  'QUANTITY-NEGATIVE': [{ lines: [line({ count: '5' }), line({ count: '-1' })] }],
  'REFERENCE-LEFT-OUT': [{ references: [reference('order', 'N-1', { issueDate: null })] }],
  'REVERSE-CHARGE-RATE-ASSUMED': [{ lines: [line({ tax: category('AE', '0') })] }],
  'UNIT-PRICE-ROUNDED': [{ lines: [line({ count: '10000', price: '0.123456' })] }],
};

describe('a warning has the code', () => {
  for (const [code, [content, context]] of Object.entries(OCCURRENCES)) {
    test(code, () => {
      const { warnings } = converted(invoice(content), context);
      assert.ok(
        warnings.some((one) => one.code === code),
        JSON.stringify(warnings),
      );
      for (const { text, path } of warnings) assert.ok(path === null || text.endsWith(`(${path}).`), text);
    });
  }
});

test('a document that says everything has no warning', () => {
  assert.deepEqual(converted(invoice()).warnings, []);
});

test('many warnings of one code leave room for the first of every other', () => {
  const lines = [
    ...Array.from({ length: 50 }, () => line({ count: '0' })),
    line({ count: '5' }),
    line({ count: '-1' }),
  ];
  const codes = converted(invoice({ lines })).warnings.map(({ code }) => code);
  assert.equal(codes.length, 21);
  assert.deepEqual([codes[0], ...codes.slice(-2)], ['LINE-LEFT-OUT', 'QUANTITY-NEGATIVE', 'MORE-WARNINGS']);
});
