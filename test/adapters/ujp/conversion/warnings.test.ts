import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ConversionContext } from '../../../../src/adapters/ujp/conversion/conversion-context.ts';
import { convert } from '../../../../src/adapters/ujp/conversion/convert.ts';
import type { ConversionWarningCode } from '../../../../src/domain/documents/conversion-warning.ts';
import type { InvoiceContent } from '../../../../src/domain/documents/invoice-content.ts';
import type { UnconvertedElement, UnconvertedKind } from '../../../../src/domain/documents/unconverted-element.ts';
import { LISTS } from './authority-lists.ts';
import {
  address,
  allowance,
  BETA,
  CONTEXT,
  category,
  converted,
  creditNote,
  delivery,
  denars,
  identifier,
  inEuros,
  invoice,
  line,
  means,
  PERSONAL_NUMBER,
  party,
  rate,
  reference,
  terms,
  texts,
  totals,
} from './sample-content.ts';

type Occurrence = readonly [Partial<InvoiceContent>, Partial<ConversionContext>?];

const ABROAD = party({ country: 'DE' });
const IN_EUROS = inEuros({ exchangeRates: [] });

/** A document for every code; the store alone gives `OTHER`, to what an earlier version wrote. */
const OCCURRENCES: Readonly<Record<Exclude<ConversionWarningCode, 'OTHER'>, Occurrence>> = {
  'ACCOUNT-LEFT-OUT': [
    { unconverted: [unconverted('account', '/Invoice/cac:PaymentMeans/cac:PayeeFinancialAccount')] },
  ],
  'ADDRESS-LINE-LEFT-OUT': [{ customer: { ...ABROAD, address: address({ additionalStreet: 'Hinterhaus' }) } }],
  'ALLOWANCE-TOTAL-DIFFERS': [{ totals: totals({ allowanceTotal: '5' }) }],
  'ATTACHMENT-LEFT-OUT': [
    { unconverted: [unconverted('attachment', '/Invoice/cac:AdditionalDocumentReference/cac:Attachment')] },
  ],
  'BUYER-NUMBER-MISSING': [creditNote({ customer: party() })],
  'BUYER-REFERENCE-LEFT-OUT': [{ unconverted: [unconverted('accounting-cost', '/Invoice/cbc:AccountingCost')] }],
  'DELIVERY-DATE-LEFT-OUT': [{ taxPointDate: '2026-11-02', delivery: delivery({ actualDate: '2026-11-03' }) }],
  'DELIVERY-LEFT-OUT': [{ unconverted: [unconverted('delivery', '/Invoice/cac:Delivery[2]')] }],
  'DELIVERY-TERMS-LEFT-OUT': [{ delivery: delivery({ locationName: 'Магацин 3' }), deliveryTerms: 'EXW' }],
  'DIRECTIVE-UNKNOWN': [{ notes: ['UJP:docType:160'] }],
  'DUE-DATE-LEFT-OUT': [{ dueDate: '2026-12-02', paymentTerms: [terms({ dueDate: '2026-12-03' })] }],
  'ELEMENT-LEFT-OUT': [{ unconverted: [unconverted('other', '/Invoice/cbc:CopyIndicator')] }],
  'EXCHANGE-RATE-ASSUMED': [IN_EUROS, { exchangeRate: { currency: 'EUR', date: '2026-11-02', rate: 61.5 } }],
  'EXCHANGE-RATE-DATE-ASSUMED': [{ ...IN_EUROS, exchangeRates: [rate({ date: null })] }],
  'EXEMPTION-ASSUMED': [{ lines: [line({ tax: category('E', '0') })] }],
  'HOUSE-NUMBER-ASSUMED': [{ customer: { ...ABROAD, address: address({ buildingNumber: null }) } }],
  'HOUSE-NUMBER-MOVED': [{ customer: { ...ABROAD, address: address({ buildingNumber: '1'.repeat(11) }) } }],
  'INDICATOR-UNLISTED': [
    {},
    { lists: { ...LISTS, allowedIndicators: [{ docTypeCode: '100', taxIndicatorCode: 'DDV-9' }] } },
  ],
  'ITEM-CODE-LEFT-OUT': [{ lines: [line({ item: { sellersId: 'A-1', standardId: '5310002000012' } })] }],
  'ITEM-DESCRIPTION-LEFT-OUT': [{ lines: [line({ item: { descriptions: ['Бела, A4'] } })] }],
  'ITEM-DETAIL-LEFT-OUT': [
    { unconverted: [unconverted('item-detail', '/Invoice/cac:InvoiceLine/cac:Item/cac:Dimension')] },
  ],
  'LINE-LEFT-OUT': [{ lines: [line(), line({ count: '0' })] }],
  'MORE-WARNINGS': [{ lines: [line(), ...Array.from({ length: 21 }, () => line({ count: '0' }))] }],
  'NOTE-LEFT-OUT': [{ unconverted: [unconverted('line-note', '/Invoice/cac:InvoiceLine[1]/cbc:Note')] }],
  'PARTY-LEFT-OUT': [{ unconverted: [unconverted('payee', '/Invoice/cac:PayeeParty')] }],
  'PARTY-NOT-REGISTERED': [{}, { buyer: null }],
  'PAYABLE-ROUNDED': [{ lines: [line({ price: '100.34' })], totals: totals({ payable: '118.40' }) }],
  'PAYMENT-MEANS-LEFT-OUT': [{ paymentMeans: [means('10'), means('30')] }],
  'PAYMENT-PERIOD-LEFT-OUT': [{ paymentTerms: [terms({ settlementPeriod: { value: '1', unit: 'MON' } })] }],
  'PAYMENT-TYPE-ASSUMED': [{ paymentMeans: [] }],
  'PERIOD-LEFT-OUT': [{ period: { path: '/Invoice/cac:InvoicePeriod', start: '2026-10-31', end: '2026-10-01' } }],
  'PERSON-ASSUMED': [{ customer: party() }],
  'PERSONAL-NUMBER-LEFT-OUT': [
    { customer: party({ identifiers: [identifier('identification', PERSONAL_NUMBER)] }) },
    { buyer: null },
  ],
  'POSTAL-CODE-ASSUMED': [{ customer: { ...ABROAD, address: address({ postalZone: null }) } }],
  'POSTAL-CODE-MOVED': [{ customer: { ...ABROAD, address: address({ postalZone: 'SW1A 1AA' }) } }],
  'PREPAID-TOTAL-DIFFERS': [
    {
      totals: totals({ prepaid: '50' }),
      prepaidPayments: [{ path: '/Invoice/cac:PrepaidPayment', id: null, amount: denars('40'), receivedDate: null }],
    },
  ],
  'QUANTITY-NEGATIVE': [{ lines: [line({ count: '5' }), line({ count: '-1' })] }],
  'REFERENCE-LEFT-OUT': [{ references: [reference('order', 'N-1', { issueDate: null })] }],
  'REFERENCE-NOT-REGISTERED': [
    { profile: { value: '110', scheme: 'UJP:docType' }, references: [reference('billing', 'F-1')] },
  ],
  'REVERSE-CHARGE-RATE-ASSUMED': [{ lines: [line({ tax: category('AE', '0') })] }],
  'SELLER-REGISTERED': [{ lines: [line({ tax: category('Z', '0', 'DDV-G') })] }],
  'TEXT-LEFT-OUT': [{ delivery: delivery({ locationId: '1'.repeat(21) }) }],
  'TEXT-SHORTENED': [{ notes: ['н'.repeat(1_001)] }],
  'UNIT-ASSUMED': [{ lines: [line({ unit: null })] }],
  'UNIT-PRICE-ROUNDED': [{ lines: [line({ count: '1000', price: '0.33', lineExtension: denars('333.33') })] }],
  'VAT-NUMBER-LEFT-OUT': [{}, { buyer: { ...BETA, vatNumber: null } }],
};

function unconverted(kind: UnconvertedKind, ...paths: readonly string[]): UnconvertedElement {
  return { kind, count: paths.length, paths };
}

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

test('what is assumed or doubtful about VAT is said once, however lines spell the same tax category', () => {
  const codesOf = (id: string, code: string | null, rates: readonly (string | null)[], context = {}) =>
    converted(invoice({ lines: rates.map((rate) => line({ tax: category(id, rate, code) })) }), context).warnings.map(
      (one) => one.code,
    );
  const spellings = ['0', '0.00', null];
  assert.deepEqual(codesOf('E', null, spellings), ['EXEMPTION-ASSUMED']);
  assert.deepEqual(codesOf('E', 'DDV-G', spellings), ['SELLER-REGISTERED']);
  assert.deepEqual(codesOf('AE', null, spellings), ['REVERSE-CHARGE-RATE-ASSUMED']);
  const allowedIndicators = [{ docTypeCode: '100', taxIndicatorCode: 'DDV-B' }];
  const unlisted = codesOf('S', null, ['18', '18.00'], { lists: { ...LISTS, allowedIndicators } });
  assert.deepEqual(unlisted, ['INDICATOR-UNLISTED']);
});

test('an exemption reason that contradicts what is registered is left out with a warning, wherever it is stated', () => {
  const said = (content: Parameters<typeof invoice>[0]) =>
    texts(converted(invoice(content)).warnings).filter((text) => text.includes('exemption reason'));
  const rows: readonly (readonly [id: string, percent: string, reason: string, isFitting: boolean])[] = [
    ['S', '18', 'VATEX-EU-AE', false],
    ['S', '18', 'VATEX-ЕU-132', false],
    ['S', '18', 'VATEX-FR-FRANCHISE', false],
    ['S', '18', 'DDV-PNPI-А', true],
    ['AE', '18', 'VATEX-FR-AE', true],
    ['AE', '18', 'VATEX-EU-AE', true],
    ['AE', '18', 'VATEX-EU-132', false],
    ['G', '0', 'VATEX-EU-G', true],
    ['G', '0', 'VATEX-EU-146', true],
    ['G', '0', 'VATEX-EU-132', false],
    ['G', '0', 'VATEX-EU-AE', false],
    ['E', '0', 'VATEX-EU-132-1A', true],
    ['E', '0', 'VATEX-EU-G', true],
  ];
  for (const [id, percent, reason, isFitting] of rows) {
    const tax = category(id, percent, reason);
    const path = '/Invoice/cac:TaxTotal';
    const subtotal = { path: `${path}/cac:TaxSubtotal`, taxable: null, tax: null, category: tax };
    const taxTotals = [{ path, amount: null, subtotals: [subtotal] }];
    const plain = line({ tax: category(id, percent) });
    const count = isFitting ? 0 : 1;
    assert.equal(said({ lines: [line({ tax }), line({ tax })] }).length, count, `${id} ${reason}`);
    assert.equal(said({ lines: [plain, plain], taxTotals }).length, count, `${id} ${reason} in a subtotal`);
  }
  const words = { ...category('S', '18'), exemptionReason: 'ослободено' };
  assert.match(
    said({ lines: [line(), line({ tax: words })] }).join(),
    /^The exemption reason “ослободено” does not fit the tax category “S” at 18 %, .* DDV-A, .*TaxExemptionReason\)\.$/u,
  );
  const deducted = category('S', '18', 'VATEX-EU-AE');
  const allowed = (scheme: string) =>
    said({ allowanceCharges: [allowance('1', { taxCategories: [category('S', '18'), { ...deducted, scheme }] })] });
  assert.equal(said({ allowanceCharges: [allowance('1', { taxCategories: [deducted] })] }).length, 1);
  assert.deepEqual(allowed('EXC'), [], 'another tax says nothing of VAT');
  const reversed = line({ tax: category('S', '18', 'DDV-11-A') });
  const ofSubtotal = { path: '/s', taxable: null, tax: null, category: category('S', '18', 'VATEX-EU-AE') };
  const taxTotals = [{ path: '/t', amount: null, subtotals: [ofSubtotal] }];
  assert.deepEqual(said({ lines: [reversed], taxTotals }), [], 'the indicator of the line makes it a reverse charge');
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

test('a further period or delivery, the payee and the tax representative are left out with a warning each', () => {
  const { warnings } = converted(
    invoice({
      unconverted: [
        unconverted('period', '/Invoice/cac:InvoicePeriod[2]'),
        unconverted('delivery', '/Invoice/cac:Delivery[2]'),
        unconverted('payee', '/Invoice/cac:PayeeParty'),
        unconverted('tax-representative', '/Invoice/cac:TaxRepresentativeParty'),
      ],
    }),
  );
  assert.deepEqual(
    warnings.map(({ code, path }) => [code, path]),
    [
      ['PERIOD-LEFT-OUT', '/Invoice/cac:InvoicePeriod[2]'],
      ['DELIVERY-LEFT-OUT', '/Invoice/cac:Delivery[2]'],
      ['PARTY-LEFT-OUT', '/Invoice/cac:PayeeParty'],
      ['PARTY-LEFT-OUT', '/Invoice/cac:TaxRepresentativeParty'],
    ],
  );
});

test('elements of one kind have one warning, with their number and the first places, however many there are', () => {
  const paths = [1, 2, 3].map((line) => `/Invoice/cac:InvoiceLine[${line}]/cbc:Note`);
  const { warnings } = converted(invoice({ unconverted: [{ kind: 'line-note', count: 5_000, paths }] }));
  assert.deepEqual(
    warnings.map(({ code, path }) => [code, path]),
    [['NOTE-LEFT-OUT', paths[0]]],
  );
  assert.equal(
    warnings[0]?.text,
    `Left out in 5000 places, because the authority's form has no member for it: notes of single lines (also ${paths[1]}, ${paths[2]}) (${paths[0]}).`,
  );
});

test("details of the buyer's address are missed only where the address is not the register's", () => {
  const content = invoice({ unconverted: [unconverted('buyer-address', '/Invoice/cac:AccountingCustomerParty')] });
  const codes = (buyer: typeof BETA | null) => converted(content, { buyer }).warnings.map(({ code }) => code);
  assert.deepEqual(codes(BETA), []);
  assert.ok(codes(null).includes('ADDRESS-LINE-LEFT-OUT'));
});

test('a document that fails has the warnings of what came before', () => {
  const wrong = invoice({ paymentMeans: [], totals: totals({ payable: '1' }) });
  const conversion = convert(wrong, CONTEXT);
  assert.equal(conversion.outcome, 'failed');
  assert.deepEqual(
    conversion.warnings.map(({ code }) => code),
    ['PAYMENT-TYPE-ASSUMED'],
  );
});
