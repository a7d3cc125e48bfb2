import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { InvoiceContent, TaxCategory } from '../../../../src/domain/documents/invoice-content.ts';
import { ALFA_EDB } from '../../../support/ubl-samples.ts';
import { EXEMPT_NOTE, indicator, LISTS, NOT_REGISTERED_NOTE, REVERSE_CHARGE_NOTE } from './authority-lists.ts';
import { ALFA, category, denars, documentOf, failureOf, identifier, invoice, line, party } from './sample-content.ts';

function taxed(tax: TaxCategory, more: Partial<InvoiceContent> = {}): InvoiceContent {
  return invoice({ lines: [line({ tax })], ...more });
}

function subtotals(...categories: readonly TaxCategory[]): Pick<InvoiceContent, 'taxTotals'> {
  const rows = categories.map((tax) => ({ path: '/Invoice/subtotal', taxable: null, tax: null, category: tax }));
  return { taxTotals: [{ path: '/Invoice/cac:TaxTotal', amount: null, subtotals: rows }] };
}

describe('a tax category becomes a tax group and an indicator:', () => {
  const rows: readonly (readonly [string, string | null, string, string, number, string])[] = [
    ['S', '18', 'DDV-A', 'DDV-A', 18, ''],
    ['S', '10.00', 'DDV-V', 'DDV-V', 10, ''],
    ['S', '5', 'DDV-B', 'DDV-B', 5, ''],
    ['AE', '18', 'DDV-A', 'DDV-11-A', 18, REVERSE_CHARGE_NOTE],
    ['AE', '10', 'DDV-V', 'DDV-11-V', 10, REVERSE_CHARGE_NOTE],
    ['AE', '5.0', 'DDV-B', 'DDV-11-B', 5, REVERSE_CHARGE_NOTE],
    ['G', '0', 'DDV-G', 'DDV-7-I', 0, 'ДДВ не е пресметан согласно член 24 став 1 точка 1 од ЗДДВ'],
    ['G', null, 'DDV-G', 'DDV-7-I', 0, 'ДДВ не е пресметан согласно член 24 став 1 точка 1 од ЗДДВ'],
    ['E', '0', 'DDV-G', 'DDV-9', 0, EXEMPT_NOTE],
  ];
  for (const [id, percent, group, code, rate, note] of rows) {
    test(`${id} ${percent ?? 'without rate'} is ${group}, ${code}`, () => {
      const { docItems, vatTotals } = documentOf(taxed(category(id, percent)));
      const [item] = docItems;
      assert.deepEqual([item?.docItemVatGroup, item?.docItemTaxIndicator, item?.docItemVat], [group, code, rate]);
      const [row] = vatTotals;
      assert.deepEqual(
        [row?.vatCode, row?.vatTaxIndicator, row?.vatPercent, row?.vatTaxIndicatorNote],
        [group, code, rate, note],
      );
    });
  }

  test('O is DDV-G for a seller who is not registered for VAT', () => {
    const content = taxed(category('O', null));
    const [row] = documentOf(content, { seller: { ...ALFA, vatNumber: null } }).vatTotals;
    assert.deepEqual([row?.vatTaxIndicator, row?.vatTaxIndicatorNote], ['DDV-G', NOT_REGISTERED_NOTE]);
    const supplier = party({ identifiers: [identifier('legal-entity', ALFA_EDB)] });
    assert.equal(documentOf({ ...content, supplier }, { seller: null }).vatTotals[0]?.vatTaxIndicator, 'DDV-G');
  });
});

describe('an indicator that the document states', () => {
  const rows: readonly (readonly [string, TaxCategory, string, number])[] = [
    ['for an exempt line', category('E', '0', 'DDV-8'), 'DDV-8', 0],
    ['for a zero-rated line', category('Z', '0', 'DDV-10-13'), 'DDV-10-13', 0],
    ['for a line outside the scope', category('O', null, 'DDV-10-13'), 'DDV-10-13', 0],
    ['with a Cyrillic letter as served', category('AE', '0', 'DDV-11-A-О'), 'DDV-11-A-О', 18],
    ['for a taxed line', category('S', '18', 'DDV-PNPI-А'), 'DDV-PNPI-А', 18],
    ['for a category of its own', category('K', '0', 'DDV-7-I'), 'DDV-7-I', 0],
    ['with several groups, by the rate', category('S', '10', 'DDV-vaucer-E'), 'DDV-vaucer-E', 10],
    ['without any rate', category('S', null, 'DDV-A'), 'DDV-A', 18],
  ];
  for (const [what, tax, code, rate] of rows) {
    test(`${what} is used unchanged`, () => {
      const [item] = documentOf(taxed(tax)).docItems;
      assert.deepEqual([item?.docItemTaxIndicator, item?.docItemVat], [code, rate]);
    });
  }

  test('may be stated in the subtotal of its category', () => {
    const content = taxed(category('E', '0'), subtotals(category('S', '18'), category('E', null, 'DDV-9-5')));
    assert.equal(documentOf(content).docItems[0]?.docItemTaxIndicator, 'DDV-9-5');
  });

  test('on the line takes precedence over the subtotal', () => {
    const content = taxed(category('E', '0', 'DDV-8'), subtotals(category('E', '0', 'DDV-9-5')));
    assert.equal(documentOf(content).docItems[0]?.docItemTaxIndicator, 'DDV-8');
  });

  test('is ignored if it is a code of another list', () => {
    assert.equal(documentOf(taxed(category('AE', '18', 'VATEX-EU-AE'))).docItems[0]?.docItemTaxIndicator, 'DDV-11-A');
    assert.equal(documentOf(taxed(category('E', '0', 'VATEX-EU-132'))).docItems[0]?.docItemTaxIndicator, 'DDV-9');
  });
});

test('a default indicator is also found when the authority writes it with look-alike letters', () => {
  const taxIndicators = [indicator('DDV-А', 'DDV-A', 'STANDARD')];
  const [item] = documentOf(taxed(category('S', '18')), { lists: { ...LISTS, taxIndicators } }).docItems;
  assert.equal(item?.docItemTaxIndicator, 'DDV-А');
});

test('a line without a tax category takes that of the subtotals if there is exactly one', () => {
  const lines = [line({ item: { taxCategories: [] } })];
  const [item] = documentOf(invoice({ lines, ...subtotals(category('S', '5')) })).docItems;
  assert.equal(item?.docItemTaxIndicator, 'DDV-B');
  const several = subtotals(category('S', '5'), category('S', '18'));
  assert.match(failureOf(invoice({ lines, ...several })), /line has no VAT category/u);
  assert.match(failureOf(invoice({ lines })), /line has no VAT category/u);
});

test('an indicator that the document type does not allow makes the conversion fail', () => {
  const allowed = (...codes: string[]) => ({
    lists: { ...LISTS, allowedIndicators: codes.map((code) => ({ docTypeCode: '100', taxIndicatorCode: code })) },
  });
  assert.equal(documentOf(invoice(), allowed('DDV-A', 'DDV-9')).docItems.length, 1);
  assert.match(
    failureOf(invoice(), 'NOT-EXPRESSIBLE', allowed('DDV-9')),
    /“DDV-A” is not allowed on documents of type 100/u,
  );
});

describe('a tax category makes the conversion fail:', () => {
  const rows: readonly (readonly [string, TaxCategory, RegExp])[] = [
    [
      'zero-rated without indicator',
      category('Z', '0'),
      /“Z” at 0 % has no counterpart.*TaxExemptionReasonCode \(\/Invoice\/category\)/u,
    ],
    ['outside the scope, seller registered', category('O', null), /“O” without a rate has no counterpart/u],
    ['a rate that does not exist', category('S', '20'), /“S” at 20 %/u],
    ['standard without rate', category('S', null), /“S” without a rate/u],
    ['reverse charge without rate or indicator', category('AE', '0'), /“AE” at 0 %/u],
    ['an unknown category', category('L', '7'), /“L”/u],
    ['exempt at a rate', category('E', '18'), /rate 18 % does not fit the tax indicator “DDV-9” \(0 %\).*Percent/u],
    [
      'an indicator at another rate',
      category('S', '5', 'DDV-PNPI-А'),
      /5 % does not fit the tax indicator “DDV-PNPI-А” \(18 %\)/u,
    ],
    [
      'an indicator of several groups without rate',
      category('AE', '0', 'DDV-uvoz'),
      /is used with 18 % or 5 %; state the rate/u,
    ],
    ['an indicator not in force', category('S', '18', 'DDV-old'), /“DDV-old” is not in force on 2026-11-02/u],
    ['an indicator that the authority does not have', category('E', '0', 'DDV-99'), /no tax indicator “DDV-99”/u],
    [
      'a code with a Latin look-alike letter',
      category('AE', '18', 'DDV-11-A-O'),
      /only looks like .*“DDV-11-A-О”, which has Cyrillic О as character 10, not Latin O/u,
    ],
    [
      'a code with a Cyrillic look-alike letter',
      category('AE', '18', 'DDV-11-А'),
      /which has Latin A as character 8, not Cyrillic А/u,
    ],
    ['a code in lower case', category('E', '0', 'ddv-9'), /has Latin D as character 1, not Latin d/u],
    [
      'an indicator whose VAT impact is unknown',
      category('S', '18', 'DDV-M-18'),
      /do not say how .*“DDV-M-18” is taxed/u,
    ],
    ['no category', { ...category('S', '18'), id: null }, /tax category is missing/u],
  ];
  for (const [what, tax, message] of rows) {
    test(what, () => assert.match(failureOf(taxed(tax)), message));
  }

  test('subtotals of its category with different indicators', () => {
    const content = taxed(category('E', '0'), subtotals(category('E', '0', 'DDV-8'), category('E', '0', 'DDV-9')));
    assert.match(failureOf(content), /several tax indicators \(DDV-8, DDV-9\)/u);
  });

  test('an indicator whose tax group is missing', () => {
    const lists = { ...LISTS, taxGroups: LISTS.taxGroups.slice(1) };
    assert.match(failureOf(invoice(), 'NOT-EXPRESSIBLE', { lists }), /do not say how .*“DDV-A” is taxed/u);
  });

  test('a line without a VAT category, or with two', () => {
    const none = { ...category('01', '3'), scheme: 'EXC' };
    assert.match(failureOf(taxed(none)), /line has no VAT category.*ClassifiedTaxCategory/u);
    const lines = [line({ item: { taxCategories: [category('S', '18'), category('S', '5')] } })];
    assert.match(failureOf(invoice({ lines })), /more than one VAT category/u);
  });

  test('a tax other than VAT, unless its amount is zero', () => {
    const other = { ...category('01', '3'), scheme: 'EXC' };
    const row = { path: '/Invoice/subtotal', taxable: null, tax: denars('3'), category: other };
    const total = { path: '/Invoice/cac:TaxTotal', amount: null, subtotals: [row] };
    assert.match(failureOf(invoice({ taxTotals: [total] })), /charges the tax “EXC”/u);
    const nothing = { ...total, subtotals: [{ ...row, tax: denars('0.00') }] };
    assert.equal(documentOf(invoice({ taxTotals: [nothing] })).docItems.length, 1);
  });
});
