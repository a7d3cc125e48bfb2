import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { MOST_LINES } from '../../../src/domain/views/shown-texts.ts';
import { viewOfContent } from '../../../src/domain/views/view-of-content.ts';
import { viewOfPayload } from '../../../src/domain/views/view-of-payload.ts';
import { invoice, terms } from '../../adapters/ujp/conversion/sample-content.ts';
import { fc } from '../../support/seeds.ts';

const MEMBERS = [
  'document',
  'header',
  'seller',
  'buyer',
  'docPayment',
  'docItems',
  'docReferences',
  'vatTotals',
  'docTotals',
  'docNumber',
  'docDate',
  'sellerName',
  'sellerAddress',
  'docItemDesc',
  'docItemQty',
  'docFinalAmount',
  'correctionReason',
];

/** Members of the authority's form with any value in any place. */
const { anything } = fc.letrec<{ anything: unknown }>((tie) => ({
  anything: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom(null, true, '', 'text', '2026-11-02', '12.50', -0, 1e-7, 1e300, Number.NaN, '\u202e\u0000\ud800'),
    fc.array(tie('anything'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...MEMBERS), tie('anything'), { maxKeys: 6 }),
  ),
}));

suite("what is shown of a document in the authority's form", () => {
  test('whatever it holds, it is read without an error, and what is shown are texts and plain numbers', () => {
    fc.assert(
      fc.property(anything, (document) => {
        const view = viewOfPayload({ document });
        if (view === null) return;
        const { lines, totals, vat } = view;
        const numbers = [
          ...lines.flatMap(({ quantity, unitPrice, net }) => [quantity, unitPrice, net]),
          ...totals.map(({ amount }) => amount),
          ...vat.map(({ taxable }) => taxable),
        ];
        for (const one of numbers) assert.ok(one === null || /^-?\d+(?:\.\d+)?$/u.test(one), String(one));
        assert.doesNotMatch(JSON.stringify(view), /\\u0000|\u202e/u);
      }),
      { numRuns: process.env['TEST_LONG'] === undefined ? 300 : 20_000 },
    );
  });

  test('what is no document shows nothing', () => {
    for (const payload of [null, 7, [], {}, { document: null }, { document: 'x' }]) {
      assert.equal(viewOfPayload(payload), null);
    }
  });

  test('marks do not pile up over the lines beside them', () => {
    const header = { docNumber: `a${'\u0301'.repeat(50)}b` };
    assert.equal(viewOfPayload({ document: { header } })?.number, 'a\u0301\u0301\u0301b');
  });

  test('texts, lists and lines are bounded, and it is said that something is missing', () => {
    const header = { docNotes: 'x'.repeat(100_000), docNumber: 'n'.repeat(10_000) };
    const viewWith = (docItemDesc: string) => {
      const docItems = Array.from({ length: 5_000 }, () => ({ docItemDesc, docItemSku: docItemDesc }));
      return viewOfPayload({ document: { header, docItems } }) ?? assert.fail();
    };
    const short = viewWith('y');
    assert.deepEqual([short.lines.length, short.lineCount, short.isCut], [MOST_LINES, 5_000, true]);
    const long = viewWith('y'.repeat(2_000));
    assert.ok(long.lines.length > 400 && long.lines.length < 600, String(long.lines.length));
    assert.equal(long.notes.length, 1, 'what comes after the lines is there as well');
    assert.ok(JSON.stringify(long).length < 600_000);
  });

  test('it is what its type says, and says what it voids or corrects, and why', () => {
    const shown = (header: object, reasons: object = {}) => {
      const { kind, amends } = viewOfPayload({ document: { header }, ...reasons }) ?? assert.fail();
      return [kind, amends];
    };
    const voidReason = { voidCode: '01', voidReason: 'Погрешен купувач', voidComment: 'По барање' };
    const correctionReason = { correctionReason: 'Цена', correctionReasonComment: null };
    assert.deepEqual(shown({ docType: '100', docStorno: 0 }, { voidReason }), ['invoice', null]);
    assert.deepEqual(shown({ docType: '170' }), ['invoice', null]);
    assert.deepEqual(shown({ docType: '110', docStorno: 0 }), ['credit-note', null]);
    assert.deepEqual(shown({ docType: '120' }), ['debit-note', null]);
    assert.deepEqual(shown({ docType: '130' }), ['advance-invoice', null]);
    assert.deepEqual(shown({ docType: '150', docTypeName: 'Времена ситуација' }), ['document', null]);
    const voided = { how: 'void', reasons: ['Погрешен купувач', 'По барање'] };
    assert.deepEqual(shown({ docType: '100', docStorno: 1 }, { voidReason, correctionReason }), ['invoice', voided]);
    const corrected = { how: 'correction', reasons: ['Цена'] };
    assert.deepEqual(shown({ docType: '110', docStorno: '2' }, { correctionReason }), ['credit-note', corrected]);
  });

  test('what it says of interest and of a discount for early payment is told apart, as in UBL', () => {
    const rates = { docPaymentInterest: '0.05 %', docPaymentDiscount: '2 %' };
    const view = viewOfPayload({ document: { docPayment: { docPaymentTerms: '30 дена', ...rates } } });
    const shown = [view?.paymentTerms, view?.interest, view?.earlyDiscount];
    assert.deepEqual(shown, [['30 дена'], ['0.05 %'], ['2 %']]);
    const paymentTerms = [terms({ notes: ['30 дена'], penaltyPercent: '0.05' }), terms({ discountPercent: '2' })];
    const { paymentTerms: notes, interest, earlyDiscount } = viewOfContent(invoice({ paymentTerms }), []);
    assert.deepEqual([notes, interest, earlyDiscount], shown);
  });

  test('its totals add up: before discounts, without VAT, with VAT and rounded', () => {
    const shown = (docTotals: object) => {
      const { totals } = viewOfPayload({ document: { docTotals } }) ?? assert.fail();
      return totals.map(({ name, amount }) => `${name} ${amount}`);
    };
    const discounted = {
      docNetAmount: 100,
      docDiscountAmount: 10,
      docNetAmountDisc: 90,
      docVatAmount: 16.2,
      docGrossAmount: 106.2,
      docGrossAmountR: 106,
      docAvansAmount: 6,
      docFinalAmount: 100,
    };
    assert.deepEqual(shown(discounted), [
      'before-allowances 100',
      'allowances 10',
      'net 90',
      'vat 16.2',
      'gross 106.2',
      'prepaid 6',
      'rounding -0.2',
      'payable 100',
    ]);
    const named = { docAvansDesc: 'АФ-1/26', docFinalAmount: 100 };
    assert.deepEqual(shown({ ...named, docAvansAmount: 0 }), ['prepaid 0', 'payable 100'], 'named without an amount');
    assert.deepEqual(shown(named), ['prepaid null', 'payable 100']);
    const rounded = {
      docNetAmount: 84.75,
      docDiscountAmount: 0,
      docNetAmountDisc: 84.75,
      docVatAmount: 15.26,
      docGrossAmount: 100.01,
      docGrossAmountR: 100,
      docAvansAmount: 0,
      docFinalAmount: 100,
    };
    const [lines, net, vat] = ['lines 84.75', 'net 84.75', 'vat 15.26'];
    assert.deepEqual(shown(rounded), [lines, net, vat, 'gross 100.01', 'rounding -0.01', 'payable 100']);
    const whole = { ...rounded, docGrossAmount: 100 };
    assert.deepEqual(shown(whole), [lines, net, vat, 'gross 100', 'payable 100']);
    const { docGrossAmount: _, ...onlyRounded } = rounded;
    assert.deepEqual(shown(onlyRounded), [lines, net, vat, 'gross 100', 'payable 100']);
    const { docGrossAmountR: __, ...notRounded } = rounded;
    assert.deepEqual(shown(notRounded), [lines, net, vat, 'gross 100.01', 'payable 100']);
  });
});
