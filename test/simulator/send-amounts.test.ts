import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Authority, sendAltered, startAuthority } from './authority-client.ts';
import { altered, type Json, sampleDocument } from './sample-document.ts';

/** The examples that the authority has published, with all their figures. */
const VECTORS: Readonly<Record<string, { readonly item: Json; readonly totals: Json; readonly vatRow: Json }>> = {
  '100 denars with 5% VAT in them': {
    item: {
      docItemQty: 1,
      docItemUnitOriginalPriceWoVat: 95.2381,
      docItemUnitDiscountAmount: 0,
      docItemUnitPriceWoVat: 95.2381,
      docItemUnitVat: 4.7619,
      docItemVat: 5,
      docItemVatGroup: 'DDV-B',
      docItemTotalOriginalPriceWoVat: 95.2381,
      docItemTotalPriceWoVat: 95.2381,
      docItemTotalVat: 4.7619,
      docItemTotalPriceWVat: 100,
      docItemTaxIndicator: 'DDV-B',
    },
    totals: {
      docNetAmount: 95.24,
      docDiscountAmount: 0,
      docNetAmountDisc: 95.24,
      docVatAmount: 4.76,
      docGrossAmount: 100,
      docGrossAmountR: 100,
      docFinalAmount: 100,
    },
    vatRow: {
      vatTaxIndicator: 'DDV-B',
      vatTaxIndicatorNote: '',
      vatCode: 'DDV-B',
      vatPercent: 5,
      vatTaxableAmount: 95.24,
      vatAmount: 4.76,
      vatTotalAmount: 100,
    },
  },
  'two pieces exempt from VAT with 10% discount': {
    item: exempt({ docItemVat: 0, docItemVatGroup: 'DDV-G', docItemTaxIndicator: 'DDV-9' }),
    totals: exemptTotals(),
    vatRow: {
      vatTaxIndicator: 'DDV-9',
      vatTaxIndicatorNote: 'ДДВ не е пресметан согласно член 23 од ЗДДВ',
      vatCode: 'DDV-G',
      vatPercent: 0,
      vatTaxableAmount: 3050.85,
      vatAmount: 0,
      vatTotalAmount: 3050.85,
    },
  },
  'the same with VAT that the buyer owes': {
    item: exempt({ docItemVat: 18, docItemVatGroup: 'DDV-A', docItemTaxIndicator: 'DDV-11-A' }),
    totals: exemptTotals(),
    vatRow: {
      vatTaxIndicator: 'DDV-11-A',
      vatTaxIndicatorNote: 'Пренесување на даночна обврска согласно член 32-а од ЗДДВ',
      vatCode: 'DDV-A',
      vatPercent: 18,
      vatTaxableAmount: 3050.85,
      vatAmount: 549.15,
      vatTotalAmount: 3600,
    },
  },
};

function exempt(more: Json): Json {
  return {
    docItemQty: 2,
    docItemUnitOriginalPriceWoVat: 1694.9153,
    docItemUnitDiscountAmount: 169.4915,
    docItemUnitPriceWoVat: 1525.4237,
    docItemUnitVat: 0,
    docItemTotalOriginalPriceWoVat: 3389.8305,
    docItemTotalPriceWoVat: 3050.8475,
    docItemTotalVat: 0,
    docItemTotalPriceWVat: 3050.8475,
    ...more,
  };
}

function exemptTotals(): Json {
  return {
    docNetAmount: 3389.83,
    docDiscountAmount: 338.98,
    docNetAmountDisc: 3050.85,
    docVatAmount: 0,
    docGrossAmount: 3050.85,
    docGrossAmountR: 3051,
    docFinalAmount: 3051,
  };
}

describe('amounts of a document', () => {
  let authority: Authority;
  before(async () => {
    authority = await startAuthority(null);
  });
  after(() => authority.simulator.close());

  const { codeWith, accepted } = sendAltered(() => authority);

  for (const [name, { item, totals, vatRow }] of Object.entries(VECTORS)) {
    test(`the published example is accepted: ${name}`, async () => {
      const document = sampleDocument();
      const [sampleItem] = document['docItems'] as Json[];
      await accepted({
        docItems: [{ ...sampleItem, ...item }],
        docTotals: { ...(document['docTotals'] as Json), ...totals },
        vatTotals: [vatRow],
      });
    });
  }

  test('a wrong amount of an item is E10203', async () => {
    const lines = [{ quantity: 3, price: 10.5, discount: 0.5 }];
    for (const [member, wrong] of Object.entries({ docItemUnitVat: 2, docItemTotalVat: 5.2 })) {
      const { body } = await authority.send(altered(sampleDocument({ lines }), { [`docItems.0.${member}`]: wrong }));
      assert.equal(body['code'], 'E10203', member);
    }
    for (const member of ['docItemTotalOriginalPriceWoVat', 'docItemTotalPriceWoVat', 'docItemTotalPriceWVat']) {
      const { body } = await authority.send(altered(sampleDocument({ lines }), { [`docItems.0.${member}`]: 1 }));
      assert.equal(body['code'], 'E10203', member);
    }
    const dearer = altered(sampleDocument({ lines }), { 'docItems.0.docItemUnitDiscountAmount': 0.52 });
    assert.deepEqual(await authority.errorCodesOf(dearer), ['E10203', 'E10201']);
  });

  test('a wrong total of the document is E10201', async () => {
    const totals = { docNetAmount: 2001, docDiscountAmount: 1, docVatAmount: 361, docGrossAmount: 2361 };
    for (const [member, wrong] of Object.entries(totals)) {
      const { body } = await authority.send(altered(sampleDocument(), { [`docTotals.${member}`]: wrong }));
      assert.equal(body['code'], 'E10201', member);
    }
    assert.equal(await codeWith({ 'docTotals.docFinalAmount': 2359 }), 'E10201');
    assert.equal(await codeWith({ 'docTotals.docAvansAmount': 60 }), 'E10201');
    await accepted({ 'docTotals.docAvansAmount': 60, 'docTotals.docFinalAmount': 2300 });
  });

  test('in denars the rounded total must be the gross amount rounded to a whole denar', async () => {
    const lines = [{ quantity: 1, price: 100.4, group: 'DDV-G', indicator: 'DDV-9', impact: 'OSLOBODEN' }] as const;
    const order = { lines: [{ ...lines[0], note: 'ДДВ не е пресметан согласно член 23 од ЗДДВ' }] };
    await accepted({}, order);
    const both = (value: number) => ({ 'docTotals.docGrossAmountR': value, 'docTotals.docFinalAmount': value });
    assert.equal(await codeWith(both(101), order), 'E10201');
    assert.equal(await codeWith(both(100.4), order), 'E10201');
    const euro = {
      'docPayment.docCurrency': 'EUR',
      'docPayment.docCurrencyCode': 'EUR',
      'docPayment.docCurrencyExchRate': 61.695,
    };
    await accepted({ ...euro, ...both(100.4) }, order);
  });

  test('a wrong figure in a VAT row is E10202', async () => {
    for (const [member, wrong] of Object.entries({ vatPercent: 5, vatTotalAmount: 2361 })) {
      assert.equal(await codeWith({ [`vatTotals.0.${member}`]: wrong }), 'E10202', member);
    }
    const shifted = { 'vatTotals.0.vatTaxableAmount': 1999, 'vatTotals.0.vatAmount': 361 };
    assert.deepEqual(await authority.errorCodesOf(altered(sampleDocument(), shifted)), ['E10202', 'E10202']);
  });

  test('there must be exactly one VAT row per pair of tax group and indicator of the items', async () => {
    const lines = [
      { quantity: 1, price: 100 },
      { quantity: 1, price: 200, group: 'DDV-B' },
      { quantity: 2, price: 300, group: 'DDV-B' },
    ] as const;
    await accepted({}, { lines });
    const [first, second] = sampleDocument({ lines })['vatTotals'] as Json[];
    assert.equal(await codeWith({ vatTotals: [first] }, { lines }), 'E10202');
    assert.equal(await codeWith({ vatTotals: [first, second, second] }, { lines }), 'E10202');
    const third = { ...second, vatTaxIndicator: 'DDV-V', vatCode: 'DDV-V', vatPercent: 10 };
    assert.equal(await codeWith({ vatTotals: [first, second, third] }, { lines }), 'E10202');
  });

  test('exempt and reverse-charge items with VAT are E10203', async () => {
    const exemptLine = { quantity: 1, price: 100, indicator: 'DDV-11-A', impact: 'STANDARD' } as const;
    const note = 'Пренесување на даночна обврска согласно член 32-а од ЗДДВ';
    assert.equal(await codeWith({}, { lines: [{ ...exemptLine, note }] }), 'E10203');
  });

  test('rounding of prices to four decimals is tolerated, also for large quantities', async () => {
    await accepted({}, { lines: [{ quantity: 3_000, price: 1 / 3 }] });
    await accepted({}, { lines: [{ quantity: 0.333, price: 99.99, discount: 3.3333 }] });
    await accepted(
      {},
      { lines: Array.from({ length: 60 }, (_, index) => ({ quantity: 1 / (index + 3), price: 7.77 })) },
    );
  });

  test('amounts of items with two decimals are accepted', async () => {
    await accepted(
      { 'docItems.0.docItemUnitVat': 0.6, 'docItems.0.docItemTotalVat': 1.8 },
      { lines: [{ quantity: 3, price: 3.333 }] },
    );
  });
});
