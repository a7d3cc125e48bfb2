import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { amountText, dateText, quantityText, timeText } from '../../../src/domain/views/shown-numbers.ts';

suite('numbers, dates and times as their readers expect them', () => {
  test('amounts have marks for groups, two decimals at least, and every digit of the document', () => {
    const amounts = ['0', '12', '1234.5', '-1234567.891', '.5', '1000', '999'];
    assert.deepEqual(
      amounts.map((one) => amountText('en', one)),
      ['0.00', '12.00', '1,234.50', '-1,234,567.891', '0.50', '1,000.00', '999.00'],
    );
    assert.deepEqual(
      amounts.map((one) => amountText('mk', one)),
      ['0,00', '12,00', '1.234,50', '-1.234.567,891', '0,50', '1.000,00', '999,00'],
    );
  });

  test('an amount keeps the currency of its own', () => {
    assert.equal(amountText('mk', '1234.5 EUR'), '1.234,50 EUR');
  });

  test('quantities have no zeros at their end', () => {
    assert.deepEqual(
      ['40', '2.500', '1234.0'].map((one) => quantityText('mk', one)),
      ['40', '2,5', '1.234'],
    );
  });

  test('what is no number is shown as it is', () => {
    assert.equal(amountText('en', 'many'), 'many');
    assert.equal(amountText('en', '9'.repeat(99)), '9'.repeat(99));
  });

  test('days and times are those of Skopje, in winter and in summer', () => {
    assert.equal(dateText('mk', '2026-11-02'), '02.11.2026');
    assert.equal(dateText('en', '2026-11-02'), '2 Nov 2026');
    assert.equal(dateText('en', '2026-13-02'), '2026-13-02');
    assert.equal(timeText('mk', Date.UTC(2026, 10, 30, 23, 30, 5)), '01.12.2026 00:30:05');
    assert.equal(timeText('en', Date.UTC(2026, 6, 1, 12)), '1 Jul 2026 14:00:00');
  });
});
