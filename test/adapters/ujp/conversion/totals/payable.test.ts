import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { category, converted, denars, failureOf, invoice, line, texts, totals } from '../sample-content.ts';

/** 118.40 denars to pay. */
const lines = [line({ price: '118.40', tax: category('E', '0', 'DDV-9'), lineExtension: denars('118.40') })];

function sent(stated: Parameters<typeof totals>[0], more: Parameters<typeof invoice>[0] = {}) {
  const { payload, warnings } = converted(invoice({ lines, totals: totals(stated), ...more }));
  const { docGrossAmount, docGrossAmountR, docAvansAmount, docFinalAmount } = payload.document.docTotals;
  return { amounts: [docGrossAmount, docGrossAmountR, docAvansAmount, docFinalAmount], warnings };
}

describe('the amount to pay', () => {
  test('is the stated one where the document states the rounding to whole denars', () => {
    const { amounts, warnings } = sent({ taxInclusive: '118.40', rounding: '-0.40', payable: '118.00' });
    assert.deepEqual(amounts, [118.4, 118, 0, 118]);
    assert.deepEqual(warnings, []);
  });

  test('is rounded with a warning that names both figures where it states none, or none of any size', () => {
    for (const rounding of [{}, { rounding: '0.00' }]) {
      const { amounts, warnings } = sent({ taxInclusive: '118.40', payable: '118.40', ...rounding });
      assert.deepEqual(amounts, [118.4, 118, 0, 118]);
      assert.deepEqual(
        warnings.map(({ code, path }) => [code, path]),
        [['PAYABLE-ROUNDED', '/Invoice/cac:LegalMonetaryTotal/cbc:PayableAmount']],
      );
      assert.match(texts(warnings).join(), /states 118\.40 to pay, and 118\.00 is registered/u);
    }
  });

  test('may have deni that were not prepaid', () => {
    const stated = { prepaid: '50.15', rounding: '-0.40', payable: '67.85' };
    assert.deepEqual(sent(stated).amounts, [118.4, 118, 50.15, 67.85]);
  });

  test('of a document that is wholly paid is what rounding leaves', () => {
    const { amounts, warnings } = sent({ prepaid: '118.40', payable: '0.00' });
    assert.deepEqual(amounts, [118.4, 118, 118.4, -0.4]);
    assert.match(texts(warnings).join(), /states 0\.00 to pay, and -0\.40 is registered/u);
  });

  test('of a document that is wholly paid in whole denars is nothing', () => {
    const paid = invoice({
      lines: [line({ price: '84.41' })],
      totals: totals({ prepaid: '100', rounding: '0.40', payable: '0.00' }),
    });
    const { docGrossAmount, docGrossAmountR, docAvansAmount, docFinalAmount } =
      converted(paid).payload.document.docTotals;
    assert.deepEqual([docGrossAmount, docGrossAmountR, docAvansAmount, docFinalAmount], [99.6, 100, 100, 0]);
  });

  const refused: readonly (readonly [string, Parameters<typeof totals>[0], RegExp])[] = [
    [
      'another rounding than to whole denars',
      { rounding: '0.60', payable: '119.00' },
      /states 0\.60, but .* -0\.40; /u,
    ],
    [
      'a rounding that the amount does not have',
      { rounding: '-0.40', payable: '118.40' },
      /states 118\.40, .* 118\.00; /u,
    ],
    [
      'an amount rounded without saying so',
      { payable: '118.00' },
      /states 118\.00, which follows .* rounded to whole denars, .*; state -0\.40 as cbc:PayableRoundingAmount \(.*PayableAmount\)/u,
    ],
    [
      'what is left of a rounded total, without saying so',
      { prepaid: '50.15', payable: '67.85' },
      /states 67\.85, .*; state -0\.40 as /u,
    ],
    [
      'a total with VAT that is rounded itself',
      { taxInclusive: '118.00', payable: '118.00' },
      /states 118\.00, which is 118\.40 rounded to whole denars; state it as 118\.40, and the rounding of -0\.40 as /u,
    ],
    ['another total with VAT', { taxInclusive: '119.00', payable: '119.00' }, /states 119\.00, but .* 118\.40; /u],
    ['an amount without the prepayment', { prepaid: '50.15', payable: '118.40' }, /states 118\.40, but .* 68\.25; /u],
  ];
  for (const [what, stated, message] of refused) {
    test(`with ${what} makes the conversion fail`, () =>
      assert.match(failureOf(invoice({ lines, totals: totals(stated) }), 'TOTALS-MISMATCH'), message));
  }

  test('is not rounded in another currency, and a rounding stated there cannot be registered', () => {
    const text = JSON.stringify(invoice({ lines, totals: totals({ payable: '118.40' }) }));
    const euros = JSON.parse(text.replaceAll('"MKD"', '"EUR"')) as ReturnType<typeof invoice>;
    const context = { exchangeRate: { currency: 'EUR', date: '2026-11-02', rate: 61.695 } };
    const { payload, warnings } = converted(euros, context);
    assert.deepEqual(
      [payload.document.docTotals.docGrossAmountR, payload.document.docTotals.docFinalAmount],
      [118.4, 118.4],
    );
    assert.deepEqual(
      warnings.map(({ code }) => code),
      ['EXCHANGE-RATE-ASSUMED'],
    );
    const rounded = { ...euros.totals, rounding: { value: '-0.40', currency: 'EUR' } };
    assert.match(
      failureOf({ ...euros, totals: rounded }, 'TOTALS-MISMATCH', context),
      /states -0\.40, but .* 0\.00; /u,
    );
  });
});
