import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { neededLookups } from '../../../../src/adapters/ujp/conversion/needed-lookups.ts';
import type { InvoiceContent, PaymentTerms } from '../../../../src/domain/documents/invoice-content.ts';
import { LISTS } from './authority-lists.ts';
import { converted, denars, documentOf, failureOf, invoice, means, reference, terms, texts } from './sample-content.ts';

describe('payment', () => {
  test('has every member, with null for absent values', () => {
    assert.deepEqual(documentOf(invoice()).docPayment, {
      docPaymentTypeCode: 'P12',
      docPaymentTypeDesc: 'Плаќање преку банка',
      docPaymentTypeDueDays: null,
      docPaymentTypeDueDate: null,
      docPaymentTerms: null,
      docPaymentNote: null,
      docPaymentInterest: null,
      docPaymentDiscount: null,
      docCurrency: 'MKD',
      docCurrencyCode: 'MKD',
      docCurrencyDate: '2026-11-02',
      docCurrencyExchRate: 1,
    });
  });

  const rows: readonly (readonly [string, string, string])[] = [
    ['10', 'P10', 'Плаќање во готово'],
    ['48', 'P11', 'Плаќање со картичка'],
    ['54', 'P11', 'Плаќање со картичка'],
    ['55', 'P11', 'Плаќање со картичка'],
    ['30', 'P12', 'Плаќање преку банка'],
    ['31', 'P12', 'Плаќање преку банка'],
    ['42', 'P12', 'Плаќање преку банка'],
    ['49', 'P12', 'Плаќање преку банка'],
    ['57', 'P12', 'Плаќање преку банка'],
    ['58', 'P12', 'Плаќање преку банка'],
    ['59', 'P12', 'Плаќање преку банка'],
    ['68', 'P14', 'Онлајн банкарско плаќање'],
    ['97', 'P17', 'Компензација'],
    ...['2', '9', '15', '43', '46', '50', '56', '69', '93', '95'].map(
      (code) => [code, 'P12', 'Плаќање преку банка'] as const,
    ),
    ['45', 'P14', 'Онлајн банкарско плаќање'],
    ['47', 'P14', 'Онлајн банкарско плаќање'],
    // Stated by the authority's own code.
    ['P13', 'P13', 'Плаќање на рати'],
    ['P15', 'P15', 'Плаќање преку мобилна апликација'],
    ['P16', 'P16', 'Давање без надомест'],
    ['P18', 'P18', 'Плаќање со вредносен ваучер'],
    ['P19', 'P19', 'Други платежни инструменти'],
    ['1', 'P19', 'Други платежни инструменти'],
    ['ZZZ', 'P19', 'Други платежни инструменти'],
    ['20', 'P19', 'Други платежни инструменти'],
  ];
  for (const [code, type, description] of rows) {
    test(`by payment means ${code} has type ${type}`, () => {
      const { payload, warnings } = converted(invoice({ paymentMeans: [means(code)] }));
      const { docPayment } = payload.document;
      assert.deepEqual([docPayment.docPaymentTypeCode, docPayment.docPaymentTypeDesc], [type, description]);
      const isAssumed = type === 'P19' && code !== 'P19';
      assert.deepEqual(
        warnings.map((one) => one.code),
        isAssumed ? ['PAYMENT-TYPE-ASSUMED'] : [],
      );
    });
  }

  test('has the type that is stated beside the payment means, whatever their code', () => {
    const scheme = { value: 'P13', scheme: 'UJP:paymentType' };
    const ways: readonly Partial<InvoiceContent>[] = [
      { paymentMeans: [means('ZZZ', { name: 'P13' })] },
      { paymentMeans: [means('30', { name: 'UJP:paymentType:P13' })] },
      { paymentMeans: [means('30')], notes: ['UJP:paymentType:P13'] },
      { paymentMeans: [], references: [reference('additional', '', { id: scheme })] },
    ];
    for (const way of ways) {
      const { payload, warnings } = converted(invoice(way));
      assert.equal(payload.document.docPayment.docPaymentTypeCode, 'P13');
      assert.equal(payload.document.header.docNotes, null);
      assert.deepEqual([payload.document.docReferences, warnings], [[], []]);
    }
    const named = converted(invoice({ paymentMeans: [means('30', { name: 'Credit transfer' })] }));
    assert.equal(named.payload.document.docPayment.docPaymentTypeCode, 'P12');
    const unknown = failureOf(invoice({ notes: ['UJP:paymentType:P99'] }));
    assert.match(unknown, /“P99” is not in the authority's list.*cbc:Note/u);
  });

  test('of several means is that of the first, with a warning unless they are the same to the authority', () => {
    const several = (...codes: readonly string[]) =>
      converted(invoice({ paymentMeans: codes.map((code) => means(code)) }));
    assert.deepEqual(several('30', '58').warnings, []);
    const { payload, warnings } = several('10', '30');
    assert.equal(payload.document.docPayment.docPaymentTypeCode, 'P10');
    assert.deepEqual(
      warnings.map(({ code }) => code),
      ['PAYMENT-MEANS-LEFT-OUT'],
    );
  });

  test('without stated means has the default type', () => {
    const silent = converted(invoice({ paymentMeans: [] }), { defaultPaymentType: 'P17' });
    assert.equal(silent.payload.document.docPayment.docPaymentTypeCode, 'P17');
    assert.match(texts(silent.warnings).join(), /states no means of payment; P17 \(Компензација\) was assumed/u);
    assert.equal(documentOf(invoice({ paymentMeans: [means(null)] })).docPayment.docPaymentTypeCode, 'P12');
  });

  test('of a type that is not in the list makes the conversion fail', () => {
    const lists = { ...LISTS, paymentTypes: [] };
    assert.match(
      failureOf(invoice(), 'NOT-EXPRESSIBLE', { lists }),
      /“P12” is not in .*PaymentMeans\/cbc:PaymentMeansCode/u,
    );
  });

  test('has terms, notes and percentages as text', () => {
    const content = invoice({
      paymentMeans: [means('30', { instructionNotes: ['Упатство'], paymentIds: ['2026-7001'] })],
      paymentTerms: [terms({ notes: ['30 дена', 'нето'], penaltyPercent: '10.5', discountPercent: '2' })],
    });
    const { docPayment } = documentOf(content);
    assert.deepEqual(
      [
        docPayment.docPaymentTerms,
        docPayment.docPaymentNote,
        docPayment.docPaymentInterest,
        docPayment.docPaymentDiscount,
      ],
      ['30 дена\nнето', 'Упатство\n2026-7001', '10.5 %', '2 %'],
    );
    const byId = documentOf(invoice({ paymentMeans: [means('30', { paymentIds: ['A', 'B'] })] })).docPayment;
    assert.equal(byId.docPaymentNote, 'A, B');
  });

  test('has the due date of the means, else of the document, else of the terms', () => {
    const due = (content: Partial<InvoiceContent>) => documentOf(invoice(content)).docPayment.docPaymentTypeDueDate;
    const paymentTerms = [terms({ dueDate: '2026-12-03' })];
    const paymentMeans = [means('30', { dueDate: '2026-12-01' })];
    assert.equal(due({ paymentMeans, dueDate: '2026-12-02', paymentTerms }), '2026-12-01');
    assert.equal(due({ dueDate: '2026-12-02', paymentTerms }), '2026-12-02');
    assert.equal(due({ paymentTerms }), '2026-12-03');
  });

  test('has its period in days; another unit is left out with a warning', () => {
    const period = (value: string, unit: string | null) =>
      converted(invoice({ paymentTerms: [terms({ settlementPeriod: { value, unit } })] }));
    assert.equal(period('30', 'DAY').payload.document.docPayment.docPaymentTypeDueDays, 30);
    assert.equal(period('30', null).payload.document.docPayment.docPaymentTypeDueDays, 30);
    for (const [value, unit] of [
      ['1', 'MON'],
      ['1.5', 'DAY'],
      ['-3', 'DAY'],
      ['9'.repeat(30), 'DAY'],
    ] as const) {
      const { payload, warnings } = period(value, unit);
      assert.equal(payload.document.docPayment.docPaymentTypeDueDays, null);
      assert.match(texts(warnings).join(), /DurationMeasure/u);
    }
  });

  test('is not the period of a discount, which is left out with a warning', () => {
    const inDays = (value: string, discountPercent: string | null) =>
      terms({ settlementPeriod: { value, unit: 'DAY' }, discountPercent });
    const of = (...paymentTerms: readonly PaymentTerms[]) => {
      const { payload, warnings } = converted(invoice({ paymentTerms }));
      return [payload.document.docPayment.docPaymentTypeDueDays, warnings.map(({ code }) => code)];
    };
    assert.deepEqual(of(inDays('10', '2')), [null, ['PAYMENT-PERIOD-LEFT-OUT']]);
    assert.deepEqual(of(inDays('10', '2'), inDays('30', null)), [30, ['PAYMENT-PERIOD-LEFT-OUT']]);
    assert.deepEqual(of(inDays('30', '0.00')), [30, []]);
    const byAmount = (value: string) => ({ ...inDays('10', null), discountAmount: denars(value) });
    assert.deepEqual(of(byAmount('50')), [null, ['PAYMENT-PERIOD-LEFT-OUT']]);
    assert.deepEqual(of(inDays('30', null), byAmount('50')), [30, ['PAYMENT-PERIOD-LEFT-OUT']]);
    assert.deepEqual(of(byAmount('0')), [10, []]);
  });
});

test('an ordinary invoice needs look-ups of its two parties only', () => {
  assert.deepEqual(neededLookups(invoice()), {
    seller: '4030026000018',
    buyer: '4080026000023',
    exchangeRate: null,
    references: [],
    documentType: '100',
  });
});
