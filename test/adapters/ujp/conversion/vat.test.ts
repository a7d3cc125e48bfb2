import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ConversionContext } from '../../../../src/adapters/ujp/conversion/conversion-context.ts';
import { convert } from '../../../../src/adapters/ujp/conversion/convert.ts';
import type { InvoiceContent, TaxCategory } from '../../../../src/domain/documents/invoice-content.ts';
import { ALFA_EDB } from '../../../support/ubl-samples.ts';
import { EXEMPT_NOTE, indicator, LISTS, NOT_REGISTERED_NOTE, REVERSE_CHARGE_NOTE } from './authority-lists.ts';
import {
  ALFA,
  allowance,
  CONTEXT,
  category,
  converted,
  denars,
  documentOf,
  failureOf,
  identifier,
  inEuros,
  invoice,
  line,
  party,
  texts,
} from './sample-content.ts';

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

test('VAT is known by its names in both scripts, and another tax is none', () => {
  for (const scheme of ['VAT', 'VA', 'DDV', 'ДДВ', 'ддв', null]) {
    const tax = { ...category('S', '18'), scheme };
    assert.equal(documentOf(taxed(tax, subtotals(tax))).docItems[0]?.docItemTaxIndicator, 'DDV-A', scheme ?? 'none');
  }
  assert.match(
    failureOf(taxed({ ...category('S', '18'), scheme: 'ДДС' })),
    /of the tax “ДДС”, not of VAT; if VAT is meant/u,
  );
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
    assert.equal(documentOf(taxed(category('G', '0', 'VATEX-EU-G'))).docItems[0]?.docItemTaxIndicator, 'DDV-7-I');
  });
});

describe('a reverse charge at 0 %, as EN 16931 requires it,', () => {
  const atZero = (percent: string | null, context: Partial<ConversionContext> = {}) => {
    const { payload, warnings } = converted(taxed(category('AE', percent)), context);
    const [item] = payload.document.docItems;
    return { item, warnings, vat: payload.document.vatTotals[0] };
  };

  for (const [rate, code] of [
    [18, 'DDV-11-A'],
    [10, 'DDV-11-V'],
    [5, 'DDV-11-B'],
  ] as const) {
    test(`has the rate that is set for the taxpayer: ${rate} %, with a warning that says so`, () => {
      for (const percent of ['0', '0.00', null]) {
        const { item, warnings, vat } = atZero(percent, { reverseChargeRate: rate });
        assert.deepEqual([item?.docItemTaxIndicator, item?.docItemVat, vat?.vatPercent], [code, rate, rate]);
        assert.equal(item?.docItemTotalVat, 0);
        assert.deepEqual(
          warnings.map((one) => one.code),
          ['REVERSE-CHARGE-RATE-ASSUMED'],
        );
        assert.match(warnings[0]?.text ?? '', new RegExp(`${rate} % \\(${code}\\) was assumed`, 'u'));
      }
    });
  }

  test('is warned of once, however many lines have it, and not if the rate or the indicator is stated', () => {
    const lines = [line({ tax: category('AE', '0') }), line({ tax: category('AE', '0') })];
    assert.equal(converted(invoice({ lines })).warnings.length, 1);
    assert.deepEqual(atZero('10').warnings, []);
    assert.deepEqual(converted(taxed(category('AE', '0', 'DDV-11-A-О'))).warnings, []);
    const stated = subtotals(category('AE', '0', 'DDV-11-B'));
    assert.deepEqual(converted(taxed(category('AE', '0'), stated)).warnings, []);
  });
});

describe('a line without an indicator beside one of its category with an indicator, each with a subtotal,', () => {
  const rowsOf = (plain: TaxCategory, stated: TaxCategory) => {
    const lines = [line({ price: '100', tax: plain }), line({ price: '200', tax: stated })];
    const { payload, warnings } = converted(invoice({ lines, ...subtotals(plain, stated) }));
    return {
      rows: payload.document.vatTotals.map((row) => [row.vatTaxIndicator, row.vatTaxableAmount, row.vatAmount]),
      warned: warnings.map(({ code }) => code),
    };
  };
  const rows: readonly (readonly [string, TaxCategory, TaxCategory, readonly unknown[], readonly string[]])[] = [
    [
      'has the rate of reverse charges that is set',
      category('AE', '0'),
      category('AE', '0', 'DDV-11-B'),
      ['DDV-11-A', 100, 18],
      ['REVERSE-CHARGE-RATE-ASSUMED'],
    ],
    ['is an ordinary supply', category('S', '18'), category('S', '18', 'DDV-PNPI-А'), ['DDV-A', 100, 18], []],
    ['is an export', category('G', '0'), category('G', '0', 'DDV-8'), ['DDV-7-I', 100, 0], []],
    [
      'is exempt for a reason that is assumed',
      category('E', '0'),
      category('E', '0', 'DDV-8'),
      ['DDV-9', 100, 0],
      ['EXEMPTION-ASSUMED'],
    ],
    [
      'is not exempt for the European reason of the other',
      category('E', '0'),
      category('E', '0', 'VATEX-EU-G'),
      ['DDV-9', 100, 0],
      ['EXEMPTION-ASSUMED'],
    ],
    [
      'is exempt for its own European reason',
      category('E', '0', 'VATEX-EU-132-1I'),
      category('E', '0', 'DDV-8'),
      ['DDV-9', 100, 0],
      [],
    ],
    [
      'is no other reverse charge for a European code',
      category('AE', '18', 'VATEX-EU-AE'),
      category('AE', '18', 'DDV-11-A-О'),
      ['DDV-11-A', 100, 18],
      [],
    ],
  ];
  for (const [what, plain, stated, row, warned] of rows) {
    test(`${what} (${plain.id})`, () => {
      const found = rowsOf(plain, stated);
      assert.deepEqual(found.rows[0], row);
      assert.equal(found.rows[1]?.[1], 200);
      assert.deepEqual(found.warned, warned);
    });
  }

  test('must state its reason where both subtotals have one', () => {
    const both = subtotals(category('E', '0', 'VATEX-EU-132-1I'), category('E', '0', 'DDV-8'));
    assert.match(failureOf(taxed(category('E', '0'), both)), /several exemption reasons/u);
  });

  test('has the indicator of the subtotal where its own reason has no counterpart', () => {
    const content = taxed(category('E', '0', 'VATEX-EU-143'), subtotals(category('E', '0', 'DDV-8')));
    assert.equal(documentOf(content).docItems[0]?.docItemTaxIndicator, 'DDV-8');
  });

  test('has the indicator of its subtotal though the subtotals in denars repeat it without', () => {
    const row = { path: '/Invoice/subtotal', taxable: null };
    const total = (currency: string, code: string | null) => ({
      path: '/Invoice/cac:TaxTotal',
      amount: null,
      subtotals: [{ ...row, tax: { value: '0', currency }, category: category('Z', '0', code) }],
    });
    const { lines } = inEuros();
    const own = lines.map((one) => ({ ...one, item: { ...one.item, taxCategories: [category('Z', '0')] } }));
    const content = inEuros({ lines: own, taxTotals: [total('EUR', 'DDV-10-13'), total('MKD', null)] });
    assert.equal(documentOf(content).docItems[0]?.docItemTaxIndicator, 'DDV-10-13');
  });
});

describe('the reason of an exemption (VATEX)', () => {
  const REFINED = ['4', '8', '9', '10', '11', '14', '15', '16', '17'];
  const served = [
    ...LISTS.taxIndicators,
    ...REFINED.map((point) => indicator(`DDV-9-${point}`, 'DDV-G', 'OSLOBODEN', `член 23 точка ${point}`)),
    indicator('DDV-PS', 'DDV-G', 'OSLOBODEN', 'Проодни ставки'),
  ];
  const refined = { lists: { ...LISTS, taxIndicators: served } };
  const rows: readonly (readonly [string, string])[] = [
    ['VATEX-EU-132', 'DDV-9'],
    ['VATEX-EU-132-1A', 'DDV-9-4'],
    ['VATEX-EU-132-1B', 'DDV-9-10'],
    ['VATEX-EU-132-1C', 'DDV-9-14'],
    ['VATEX-EU-132-1D', 'DDV-9-16'],
    ['VATEX-EU-132-1E', 'DDV-9'],
    ['VATEX-EU-132-1G', 'DDV-9-11'],
    ['VATEX-EU-132-1H', 'DDV-9'],
    ['VATEX-EU-132-1I', 'DDV-9-17'],
    ['VATEX-EU-132-1J', 'DDV-9'],
    ['VATEX-EU-132-1N', 'DDV-9-8'],
    ['VATEX-EU-132-1P', 'DDV-9-15'],
    ['VATEX-EU-132-1Q', 'DDV-9-9'],
    ['VATEX-EU-135-1', 'DDV-9'],
    ['VATEX-EU-79-C', 'DDV-PS'],
    ['VATEX-EU-G', 'DDV-7-I'],
    ['vatex-eu-132-1i', 'DDV-9-17'],
  ];
  for (const [reason, code] of rows) {
    test(`${reason} is ${code}, stated on the line or in the subtotal of its category`, () => {
      const byLine = converted(taxed(category('E', '0', reason)), refined);
      const bySubtotal = converted(taxed(category('E', '0'), subtotals(category('E', '0', reason))), refined);
      for (const { payload, warnings } of [byLine, bySubtotal]) {
        assert.equal(payload.document.docItems[0]?.docItemTaxIndicator, code);
        assert.deepEqual(warnings, []);
      }
    });
  }

  test('is known in letters that only look like its own, and in small ones', () => {
    for (const reason of ['VATEX-ЕU-132-1I', 'vatex-eu-132-1i', 'VАТEХ-EU-132-1І']) {
      const [own, stated] = ['VATEX-EU-132-1I', reason].map((code) => documentOf(taxed(category('E', '0', code))));
      assert.deepEqual(stated?.vatTotals, own?.vatTotals, reason);
    }
  });

  test('has the general indicator where the authority does not serve or allow the refined one', () => {
    const education = taxed(category('E', '0', 'VATEX-EU-132-1I'));
    assert.equal(documentOf(education).docItems[0]?.docItemTaxIndicator, 'DDV-9');
    const allowedIndicators = [{ docTypeCode: '100', taxIndicatorCode: 'DDV-9' }];
    const { docItems } = documentOf(education, { lists: { ...refined.lists, allowedIndicators } });
    assert.equal(docItems[0]?.docItemTaxIndicator, 'DDV-9');
  });

  for (const reason of [
    ...['VATEX-EU-132-1F', 'VATEX-EU-132-1K', 'VATEX-EU-132-1L', 'VATEX-EU-132-1M', 'VATEX-EU-132-1O'],
    ...['VATEX-EU-143', 'VATEX-EU-143-1A', 'VATEX-EU-144', 'VATEX-EU-146-1E', 'VATEX-EU-148', 'VATEX-EU-148-A'],
    ...['VATEX-EU-151', 'VATEX-EU-151-1A', 'VATEX-EU-153', 'VATEX-EU-159', 'VATEX-EU-309', 'VATEX-EU-AE'],
    ...['VATEX-EU-D', 'VATEX-EU-F', 'VATEX-EU-I', 'VATEX-EU-IC', 'VATEX-EU-J', 'VATEX-EU-O', 'VATEX-FR-FRANCHISE'],
    'член 24',
  ]) {
    test(`${reason} has no certain counterpart: the conversion fails and names the indicators that can be stated`, () => {
      const expected = /has no certain counterpart .*DDV-8, DDV-9, .* more in the code list.*TaxExemptionReasonCode/u;
      for (const content of [
        taxed(category('E', '0', reason)),
        taxed(category('E', '0'), subtotals(category('E', '0', reason))),
      ]) {
        assert.match(failureOf(content, 'NOT-EXPRESSIBLE', refined), expected);
      }
    });
  }

  test('must be stated on the line if the subtotals of its category state several', () => {
    const several = subtotals(category('E', '0', 'VATEX-EU-132-1I'), category('E', '0', 'VATEX-EU-132-1N'));
    assert.match(failureOf(taxed(category('E', '0'), several)), /several exemption reasons/u);
    const own = taxed(category('E', '0', 'VATEX-EU-132-1N'), several);
    assert.equal(documentOf(own, refined).docItems[0]?.docItemTaxIndicator, 'DDV-9-8');
  });

  test('may be the note of an indicator instead of a code, on the line or in the subtotal', () => {
    const inWords = { ...category('E', '0'), exemptionReason: 'ДДВ не е пресметан  согласно член 24 став 1 од ЗДДВ.' };
    for (const content of [taxed(inWords), taxed(category('E', '0'), subtotals(inWords))]) {
      const { payload, warnings } = converted(content);
      assert.equal(payload.document.docItems[0]?.docItemTaxIndicator, 'DDV-8');
      assert.deepEqual(warnings, []);
    }
    const bank = { ...inWords, exemptionReason: 'ДДВ не е пресметан согласно член 23 точка 5 од ЗДДВ' };
    const both = invoice({ lines: [inWords, bank].map((tax) => line({ tax })), ...subtotals(inWords, bank) });
    assert.deepEqual(
      documentOf(both).docItems.map((item) => item.docItemTaxIndicator),
      ['DDV-8', 'DDV-9-5'],
    );
  });

  describe('as a note counts like its code:', () => {
    const inWords = (exemptionReason: string | null, code?: string): TaxCategory => ({
      ...category('E', '0', code),
      exemptionReason,
    });
    const [credited, bank] = ['член 24 став 1', 'член 23 точка 5'].map((article) =>
      inWords(`ДДВ не е пресметан согласно ${article} од ЗДДВ`),
    ) as [TaxCategory, TaxCategory];
    const none = inWords(null);
    const of = (taxes: readonly TaxCategory[], more: Partial<InvoiceContent> = {}) =>
      invoice({ lines: taxes.map((tax) => line({ tax })), ...more });
    const codesOf = (content: InvoiceContent) => {
      const { payload, warnings } = converted(content);
      return [payload.document.docItems.map((item) => item.docItemTaxIndicator), warnings.map(({ code }) => code)];
    };

    test('a subtotal with one is not that of the lines without a reason, if another subtotal has none either', () => {
      const both = subtotals(credited, none);
      assert.deepEqual(codesOf(of([credited, none], both)), [['DDV-8', 'DDV-9'], ['EXEMPTION-ASSUMED']]);
    });

    test('a line without a reason is refused if the subtotals have the notes of several indicators', () => {
      assert.match(failureOf(of([none], subtotals(credited, bank))), /several tax indicators \(DDV-8, DDV-9-5\)/u);
    });

    test('whatever lines, subtotals and allowances state, it gives what the code gives', () => {
      const vatex = inWords(null, 'VATEX-EU-132-1A');
      const reasons = [none, inWords('чл. 24'), credited, bank, vatex];
      const pairs = reasons.flatMap((one) => reasons.map((other) => [one, other]));
      const asCode = (one: TaxCategory): TaxCategory =>
        one === credited ? inWords(null, 'DDV-8') : one === bank ? inWords(null, 'DDV-9-5') : one;
      const outcome = (tax: TaxCategory, rows: readonly TaxCategory[], deducted: readonly TaxCategory[]) => {
        const allowanceCharges = deducted.map((one) => allowance('10', { taxCategories: [one] }));
        const conversion = convert(of([tax, vatex], { ...subtotals(...rows), allowanceCharges }), CONTEXT);
        if (conversion.outcome === 'failed') return conversion.failureCode;
        return JSON.stringify([conversion.payload, texts(conversion.warnings)]);
      };
      for (const tax of reasons) {
        for (const rows of [[], ...reasons.map((one) => [one]), ...pairs]) {
          for (const deducted of [[], [credited]]) {
            const coded = outcome(asCode(tax), rows.map(asCode), deducted.map(asCode));
            assert.equal(outcome(tax, rows, deducted), coded);
          }
        }
      }
    });

    test('that of the subtotals counts for a line in other words, and other words beside it for lines without any', () => {
      assert.deepEqual(codesOf(of([inWords('чл. 24')], subtotals(credited))), [['DDV-8'], []]);
      const { payload, warnings } = converted(of([none], subtotals(credited, inWords('чл. 24'))));
      assert.equal(payload.document.docItems[0]?.docItemTaxIndicator, 'DDV-9');
      assert.match(texts(warnings).join(), /^The supply is exempt for the reason “чл. 24”/u);
    });

    test('also that of a seller who is not registered for VAT', () => {
      const unregistered = inWords(NOT_REGISTERED_NOTE);
      assert.deepEqual(codesOf(of([unregistered])), [['DDV-G'], ['SELLER-REGISTERED']]);
      assert.deepEqual(codesOf(of([none], subtotals(unregistered))), [['DDV-G'], ['SELLER-REGISTERED']]);
      const { warnings } = converted(of([unregistered]), { seller: { ...ALFA, vatNumber: null } });
      assert.deepEqual(
        warnings.map(({ code }) => code),
        ['VAT-NUMBER-LEFT-OUT'],
      );
      const reverse = codesOf(of([inWords(REVERSE_CHARGE_NOTE), inWords('Присилна наплата')]));
      assert.deepEqual(reverse[0], ['DDV-9', 'DDV-9'], 'what is taxed is not exempt');
    });

    test('under every other category, unless it contradicts it', () => {
      const rows = [
        ['G', '0', credited.exemptionReason, 'DDV-8'],
        ['Z', '0', credited.exemptionReason, 'DDV-8'],
        ['O', '0', 'Прометот не е предмет на оданочување', 'DDV-10-13'],
        ['AE', '18', 'Увоз', 'DDV-uvoz'],
        ['S', '18', 'Присилна наплата', 'DDV-PNPI-А'],
        ['AE', '10', REVERSE_CHARGE_NOTE, 'DDV-11-V'],
      ] as const;
      const contradictions = [
        ['G', '0', 'Присилна наплата', 'DDV-7-I'],
        ['AE', '18', credited.exemptionReason, 'DDV-11-A'],
        ['S', '18', credited.exemptionReason, 'DDV-A'],
      ] as const;
      for (const [id, percent, exemptionReason, expected] of [...rows, ...contradictions]) {
        const tax = { ...category(id, percent), exemptionReason };
        const isOther = contradictions.some(([other, , text]) => other === id && text === exemptionReason);
        const warned = isOther ? ['ELEMENT-LEFT-OUT'] : [];
        assert.deepEqual(codesOf(of([tax])), [[expected], warned], `${id} ${exemptionReason}`);
        assert.deepEqual(codesOf(of([category(id, percent)], subtotals(tax))), [[expected], warned]);
      }
      const unregistered = { ...category('O', '0'), exemptionReason: 'Прометот не е предмет на оданочување' };
      const { docItems } = documentOf(of([unregistered]), { seller: { ...ALFA, vatNumber: null } });
      assert.equal(
        docItems[0]?.docItemTaxIndicator,
        'DDV-10-13',
        'not what is taken for such a seller without a reason',
      );
    });

    describe('that stands for one indicator of each rate', () => {
      const [collection, creditor, other] = ['член 43-а', 'член 32-а став 1 точка 3', 'друг пропис'];
      const served = [
        ...['A', 'V', 'B'].flatMap((rate) => [
          indicator(`DDV-N-${rate}`, `DDV-${rate}`, 'STANDARD', collection),
          indicator(`DDV-DS-${rate}`, `DDV-${rate}`, 'PRENESEN', creditor),
        ]),
        ...['DDV-8-DR', 'DDV-9-DR'].map((code) => indicator(code, 'DDV-G', 'OSLOBODEN', other)),
      ];
      const lists = { ...LISTS, taxIndicators: [...LISTS.taxIndicators, ...served] };
      const stating = (id: string, percent: string | null, exemptionReason: string | undefined) => {
        const tax = { ...category(id, percent), exemptionReason: exemptionReason ?? null };
        return [of([tax]), of([category(id, percent)], subtotals(tax)), of([tax, tax], subtotals(tax))];
      };

      test('is that of the rate, stated or set for the taxpayer', () => {
        const rows = [
          ['S', '18', collection, 'DDV-N-A', 0],
          ['S', '10.0', collection, 'DDV-N-V', 0],
          ['S', '5', collection, 'DDV-N-B', 0],
          ['AE', '5', creditor, 'DDV-DS-B', 0],
          ['AE', '0', creditor, 'DDV-DS-V', 1],
          ['AE', null, creditor, 'DDV-DS-V', 1],
        ] as const;
        for (const [id, percent, words, code, assumed] of rows) {
          for (const content of stating(id, percent, words)) {
            const { payload, warnings } = converted(content, { lists, reverseChargeRate: 10 });
            const codes = payload.document.docItems.map((item) => item.docItemTaxIndicator);
            assert.deepEqual(new Set(codes), new Set([code]));
            assert.equal(warnings.length, assumed, `${id} ${percent}`);
            assert.ok(warnings.every(({ text }) => text.includes(`10 % (${code}) was assumed`)));
          }
        }
      });

      test('is refused where several are left and the default is none of them', () => {
        const seller = { ...ALFA, vatNumber: null };
        for (const content of [...stating('G', '0', other), ...stating('O', '0', other)]) {
          const failure = failureOf(content, 'NOT-EXPRESSIBLE', { lists, seller });
          assert.match(failure, /note of several tax indicators \(DDV-8-DR, DDV-9-DR\); state the one/u);
        }
        const margin = ['A', 'B'].map((rate) => indicator(`DDV-M-${rate}`, `DDV-${rate}`, 'STANDARD', 'маржа'));
        const taxIndicators = [...LISTS.taxIndicators, ...margin];
        for (const content of stating('S', '10', 'маржа')) {
          const failure = failureOf(content, 'NOT-EXPRESSIBLE', { lists: { ...LISTS, taxIndicators } });
          assert.match(failure, /several tax indicators \(DDV-M-A, DDV-M-B\)/u, 'none is of the rate');
        }
        const [silent, inOwnWords] = [null, 'Export'].map((exemptionReason) => ({
          ...category('G', '0'),
          exemptionReason,
        })) as [TaxCategory, TaxCategory];
        for (const taxes of [[inOwnWords], [silent, inOwnWords], [inOwnWords, silent]]) {
          const content = of(taxes, subtotals({ ...category('G', '0'), exemptionReason: other ?? null }));
          assert.match(failureOf(content, 'NOT-EXPRESSIBLE', { lists }), /\(DDV-8-DR, DDV-9-DR\)/u, 'in any order');
        }
        const [plain] = stating('G', '0', undefined);
        const exports = of([...(plain?.lines ?? []).flatMap(({ item }) => item.taxCategories)], {
          ...subtotals(category('G', '0'), { ...category('G', '0'), exemptionReason: other ?? null }),
        });
        assert.equal(documentOf(exports, { lists }).docItems[0]?.docItemTaxIndicator, 'DDV-7-I');
      });
    });

    test('beside another text or in two pieces, but not beside the note of another indicator', () => {
      const note = credited.exemptionReason ?? '';
      for (const words of [
        `VAT exempt, art. 24\n${note}`,
        `${note}\nVAT exempt`,
        note.replace(' согласно', '\nсогласно'),
      ]) {
        assert.deepEqual(codesOf(of([inWords(words)])), [['DDV-8'], []], words);
      }
      const [warning] = converted(of([inWords(`${note}\n${bank.exemptionReason}`)])).warnings;
      assert.match(warning?.text ?? '', /“ДДВ не е .*; ДДВ не….*not the note of exactly one/u);
      const allowedIndicators = ['DDV-8', 'DDV-9'].map((taxIndicatorCode) => ({
        docTypeCode: '100',
        taxIndicatorCode,
      }));
      const both = documentOf(of([inWords(`${note}\n${bank.exemptionReason}`)]), {
        lists: { ...LISTS, allowedIndicators },
      });
      assert.equal(both.docItems[0]?.docItemTaxIndicator, 'DDV-9', 'nor where the document may not have the other one');
    });

    test('that of the line comes before the codes of subtotals', () => {
      const coded = subtotals(inWords(null, 'DDV-8'), inWords(null, 'DDV-9-5'));
      assert.deepEqual(codesOf(of([credited, bank], coded)), [['DDV-8', 'DDV-9-5'], []]);
    });

    test('subtotals with several must be what their lines add up to', () => {
      const amounts = subtotals(credited, bank).taxTotals[0]?.subtotals ?? [];
      const [path, tax] = ['/Invoice/cac:TaxTotal', denars('0')];
      const rows = amounts.map((row, index) => ({ ...row, tax, taxable: denars(['150', '50'][index] ?? '') }));
      const taxTotals = [{ path, amount: null, subtotals: rows }];
      assert.match(
        failureOf(of([credited, bank], { taxTotals }), 'TOTALS-MISMATCH'),
        /“DDV-8”.* 150\.00, .* 100\.00;/u,
      );
    });

    test('an allowance with one reduces the lines of its indicator, and a charge without a category has that of no line', () => {
      const less = { allowanceCharges: [allowance('10', { taxCategories: [bank] })] };
      const { docItems } = documentOf(of([credited, bank], less));
      assert.deepEqual(
        docItems.map((item) => item.docItemUnitDiscountAmount),
        [0, 10],
      );
      const more = { allowanceCharges: [allowance('10', { isCharge: true })] };
      const expected = [['DDV-8', 'DDV-9-5', 'DDV-9'], ['EXEMPTION-ASSUMED']];
      assert.deepEqual(codesOf(of([credited, bank], more)), expected);
    });

    test('letters of the other script that look the same are no other words', () => {
      const latin = inWords(credited.exemptionReason?.replace('пресметан', 'прecметaн') ?? null);
      assert.deepEqual(codesOf(of([latin])), [['DDV-8'], []]);
    });

    test('an indicator that the document may not have is refused, and a note of two is that of neither', () => {
      const lists = { ...LISTS, allowedIndicators: [{ docTypeCode: '100', taxIndicatorCode: 'DDV-9' }] };
      const deducted = { allowanceCharges: [allowance('10', { taxCategories: [credited] })] };
      for (const content of [of([credited]), of([none], subtotals(credited)), of([none], deducted)]) {
        assert.match(failureOf(content, 'NOT-EXPRESSIBLE', { lists }), /“DDV-8” is not allowed/u);
      }
      const note = 'ДДВ не е пресметан согласно друг пропис';
      const others = ['DDV-8-DR', 'DDV-9-DR'].map((code) => indicator(code, 'DDV-G', 'OSLOBODEN', note));
      const taxIndicators = [...LISTS.taxIndicators, ...others];
      const { payload, warnings } = converted(of([inWords(note)]), { lists: { ...LISTS, taxIndicators } });
      assert.equal(payload.document.docItems[0]?.docItemTaxIndicator, 'DDV-9');
      assert.match(warnings[0]?.text ?? '', /друг пропис”, .* not the note of exactly one tax indicator/u);
    });

    test('the warning of a line with other words names this line, not the subtotal', () => {
      const other = { ...inWords('чл. 24'), path: '/Invoice/line/category' };
      const [warning] = converted(of([other], subtotals(none))).warnings;
      assert.equal(warning?.path, '/Invoice/line/category/cbc:TaxExemptionReasonCode');
    });
  });

  test('in words adds nothing to the warnings of other categories', () => {
    const reverse = { ...category('AE', '0'), exemptionReason: 'Пренесување' };
    const { warnings } = converted(invoice({ lines: [line({ tax: reverse }), line({ tax: category('AE', '0') })] }));
    assert.equal(warnings.length, 1);
  });

  test('in other words is quoted by the warning that says what was assumed', () => {
    const inWords = { ...category('E', '0'), exemptionReason: 'чл. 24, точка 6' };
    for (const content of [taxed(inWords), taxed(category('E', '0'), subtotals(inWords))]) {
      const { payload, warnings } = converted(content);
      assert.equal(payload.document.docItems[0]?.docItemTaxIndicator, 'DDV-9');
      assert.deepEqual(
        warnings.map(({ code }) => code),
        ['EXEMPTION-ASSUMED'],
      );
      assert.match(warnings[0]?.text ?? '', /exempt for the reason “чл\. 24, точка 6”.*DDV-9/u);
    }
  });

  test('is assumed to be article 23 if none is stated, with a warning', () => {
    const { payload, warnings } = converted(taxed(category('E', '0')));
    assert.equal(payload.document.docItems[0]?.docItemTaxIndicator, 'DDV-9');
    assert.deepEqual(
      warnings.map(({ code }) => code),
      ['EXEMPTION-ASSUMED'],
    );
  });
});

describe('a message about a tax indicator names the place', () => {
  const inSubtotal = (code: string) => subtotals({ ...category('E', '0', code), path: '/Invoice/subtotal/category' });
  const placeOf = (text: string) => /\(([^()]*)\)\.$/u.exec(text)?.[1];
  const ON_LINE = '/Invoice/category/cbc:TaxExemptionReasonCode';
  const IN_SUBTOTAL = '/Invoice/subtotal/category/cbc:TaxExemptionReasonCode';

  test('where it stands: on the line or in the subtotal', () => {
    const allowedIndicators = [{ docTypeCode: '100', taxIndicatorCode: 'DDV-A' }];
    const lists = { ...LISTS, allowedIndicators };
    for (const code of ['VATEX-EU-143', 'DDV-old', 'DDV-M-18', 'DDV-99', 'DDV-8', 'ddv-9']) {
      const onLine = failureOf(taxed(category('E', '0', code)), 'NOT-EXPRESSIBLE', { lists });
      assert.equal(placeOf(onLine), ON_LINE, onLine);
      const bySubtotal = failureOf(taxed(category('E', '0'), inSubtotal(code)), 'NOT-EXPRESSIBLE', { lists });
      assert.equal(placeOf(bySubtotal), IN_SUBTOTAL, bySubtotal);
    }
  });

  test('where a missing reason belongs: in the subtotal, on the line if there is no subtotal or if there are several reasons', () => {
    const [inLine] = converted(taxed(category('E', '0'))).warnings;
    assert.equal(inLine?.path, ON_LINE);
    const silent = subtotals({ ...category('E', '0'), path: '/Invoice/subtotal/category' });
    const [warning] = converted(taxed(category('E', '0'), silent)).warnings;
    assert.deepEqual([warning?.code, warning?.path], ['EXEMPTION-ASSUMED', IN_SUBTOTAL]);
    const several = subtotals(category('E', '0', 'VATEX-EU-132-1I'), category('E', '0', 'VATEX-EU-132-1N'));
    assert.equal(placeOf(failureOf(taxed(category('E', '0'), several))), ON_LINE);
  });

  test('of the category that it follows from, if the document states none', () => {
    const allowedIndicators = [{ docTypeCode: '100', taxIndicatorCode: 'DDV-9' }];
    const context = { lists: { ...LISTS, allowedIndicators } };
    assert.equal(placeOf(failureOf(taxed(category('G', '0')), 'NOT-EXPRESSIBLE', context)), '/Invoice/category');
    const unexplained = { lists: { ...LISTS, taxGroups: LISTS.taxGroups.slice(1) } };
    assert.equal(placeOf(failureOf(invoice(), 'NOT-EXPRESSIBLE', unexplained)), '/Invoice/category');
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

test('an indicator that the document type does not allow makes the conversion fail, unless it is an ordinary one', () => {
  const allowed = (...codes: string[]) => ({
    lists: { ...LISTS, allowedIndicators: codes.map((code) => ({ docTypeCode: '100', taxIndicatorCode: code })) },
  });
  assert.equal(documentOf(invoice(), allowed('DDV-A', 'DDV-9')).docItems.length, 1);
  assert.match(
    failureOf(taxed(category('G', '0')), 'NOT-EXPRESSIBLE', allowed('DDV-9')),
    /“DDV-7-I” is not allowed on documents of type 100/u,
  );
  // A list that lacks an ordinary rate is incomplete.
  const { warnings, payload } = converted(invoice(), allowed('DDV-9'));
  assert.equal(payload.document.docItems[0]?.docItemTaxIndicator, 'DDV-A');
  assert.deepEqual(
    warnings.map(({ code, path }) => [code, path]),
    [['INDICATOR-UNLISTED', '/Invoice/category']],
  );
});

test('advice to state an indicator names the code list where the document may have none that fits', () => {
  const refused = (tax: TaxCategory, ...codes: readonly string[]) => {
    const allowedIndicators = codes.map((code) => ({ docTypeCode: '100', taxIndicatorCode: code }));
    return failureOf(taxed(tax), 'NOT-EXPRESSIBLE', { lists: { ...LISTS, allowedIndicators } });
  };
  assert.match(refused(category('Z', '0'), 'DDV-A', 'DDV-9'), /TaxExemptionReasonCode \(DDV-9\)/u);
  const list = /\(see the code list tax-indicators\)/u;
  assert.match(refused(category('O', null), 'DDV-A', 'DDV-9'), list);
  assert.match(refused(category('Z', '0'), 'DDV-A'), list);
  assert.match(refused(category('E', '0', 'VATEX-EU-J'), 'DDV-A'), list);
});

describe('a tax category makes the conversion fail:', () => {
  const rows: readonly (readonly [string, TaxCategory, RegExp])[] = [
    [
      'zero-rated without indicator',
      category('Z', '0'),
      /“Z” at 0 % has no counterpart.*TaxExemptionReasonCode \(DDV-8, DDV-9, .*\) \(\/Invoice\/category\)/u,
    ],
    [
      'outside the scope, seller registered',
      category('O', null),
      /“O” has .* who are not registered for VAT, but the taxpayer is; state .*TaxExemptionReasonCode \(DDV-10-13\)/u,
    ],
    ['a rate that does not exist', category('S', '20'), /no VAT rate of 20 %, but 18 %, 10 %, 5 %, 0 %; .*Percent/u],
    ['standard without rate', category('S', null), /“S” has no rate; state one of 18 %, 10 %, 5 %.*Percent/u],
    ['standard at 0 %', category('S', '0'), /“S” at 0 % has no counterpart/u],
    ['reverse charge at a rate that does not exist', category('AE', '20'), /no VAT rate of 20 %, but 18 %/u],
    [
      'an unknown category',
      category('L', '0'),
      /“L” at 0 % has no counterpart at the authority; state why the supply is not taxed/u,
    ],
    [
      'an unknown category of a taxed supply',
      category('А', '18'),
      /“А” at 18 % has no counterpart at the authority; state “S” if the supply is an ordinary taxed one, else one of/u,
    ],
    [
      'zero-rated, or of an unknown category, at a rate that does not exist',
      category('Z', '1'),
      /tax category “Z” nor a VAT rate of 1 % has .* correct the rate \(18 %, 10 %, 5 %, 0 %\).*cbc:Percent/u,
    ],
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
    assert.match(failureOf(taxed(none)), /of the tax “EXC”, not of VAT;.*TaxScheme/u);
    assert.match(
      failureOf(invoice({ lines: [line({ item: { taxCategories: [] } })] })),
      /no VAT category.*Category\)/u,
    );
    const lines = [line({ item: { taxCategories: [category('S', '18'), category('S', '5')] } })];
    assert.match(failureOf(invoice({ lines })), /more than one VAT category/u);
  });

  test('a tax other than VAT, unless its amount is zero', () => {
    const other = { ...category('01', '3'), scheme: 'EXC' };
    const row = { path: '/Invoice/subtotal', taxable: null, tax: denars('3'), category: other };
    const total = { path: '/Invoice/cac:TaxTotal', amount: null, subtotals: [row] };
    assert.match(
      failureOf(invoice({ taxTotals: [total] })),
      /charges the tax “EXC”.*if it is VAT, state “VAT”.*else include it in the price/u,
    );
    const nothing = { ...total, subtotals: [{ ...row, tax: denars('0.00') }] };
    assert.equal(documentOf(invoice({ taxTotals: [nothing] })).docItems.length, 1);
  });
});
