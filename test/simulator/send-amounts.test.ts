import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Authority, sendAltered, startAuthority } from './authority-client.ts';
import { figuresOf, PUBLISHED_EXAMPLES, publishedExample } from './published-examples.ts';
import { altered, type Json, sampleDocument } from './sample-document.ts';

describe('amounts of a document', () => {
  let authority: Authority;
  before(async () => {
    authority = await startAuthority(null);
  });
  after(() => authority.simulator.close());

  const { codeWith, accepted } = sendAltered(() => authority);

  for (const name of Object.keys(PUBLISHED_EXAMPLES)) {
    test(`the published example is accepted: ${name}`, async () => {
      const { status, body } = await authority.send(publishedExample(name));
      assert.equal(status, 200, JSON.stringify(body));
    });

    test(`the published example with any one figure wrong by 0.02 is refused: ${name}`, async () => {
      for (const { path, figure, code } of figuresOf(name)) {
        for (const wrong of [figure + 0.02, figure - 0.02]) {
          const { body } = await authority.send(altered(publishedExample(name), { [path]: Number(wrong.toFixed(4)) }));
          assert.equal(body['code'], code, `${path} ${wrong}`);
        }
      }
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

  test('a difference of 0.01 is accepted, the smallest one above it is not', async () => {
    const lines = [{ quantity: 3, price: 0.1 }];
    await accepted({ 'docItems.0.docItemTotalOriginalPriceWoVat': 0.31 }, { lines });
    const wrong = altered(sampleDocument({ lines }), { 'docItems.0.docItemTotalOriginalPriceWoVat': 0.3100001 });
    assert.deepEqual(await authority.errorCodesOf(wrong), ['E10203', 'E10201']);
    await accepted({ 'docTotals.docNetAmount': 2000.01 });
    const net = altered(sampleDocument(), { 'docTotals.docNetAmount': 2000.0100000001 });
    assert.deepEqual(await authority.errorCodesOf(net), ['E10201', 'E10201']);
  });

  test('the tolerance does not grow with the quantity: a price needs as many decimals as its total', async () => {
    const price = (unit: number) => ({
      'docItems.0.docItemUnitOriginalPriceWoVat': unit,
      'docItems.0.docItemUnitPriceWoVat': unit,
    });
    const order = { lines: [{ quantity: 3_000, price: 1 / 3 }] };
    assert.deepEqual(await authority.errorCodesOf(sampleDocument(order)), ['E10203', 'E10203']);
    await accepted(price(0.33333333), order);
    const large = { lines: [{ quantity: 140_000, price: 0.0001 }] };
    const unitVat = { 'docItems.0.docItemUnitVat': 0.000018 };
    await accepted(unitVat, large);
    const codes = await authority.errorCodesOf(altered(sampleDocument(large), { ...unitVat, ...price(0.0002) }));
    assert.deepEqual(codes, ['E10203', 'E10203'], '14 denars of difference');
  });

  test('nor with the number of items', async () => {
    const lines = Array.from({ length: 60 }, (_, index) => ({ quantity: 1 / (index + 3), price: 7.77 }));
    await accepted({}, { lines });
    const net = Number((sampleDocument({ lines })['docTotals'] as Json)['docNetAmount']);
    const { body } = await authority.send(altered(sampleDocument({ lines }), { 'docTotals.docNetAmount': net + 0.02 }));
    assert.equal(body['code'], 'E10201');
    await accepted({}, { lines: [{ quantity: 0.333, price: 99.99, discount: 3.3333 }] });
  });

  test('the gross amount is rounded to the whole denar half away from zero; the advance may have deni', async () => {
    const note = 'ДДВ не е пресметан согласно член 23 од ЗДДВ';
    const order = (price: number) => ({
      lines: [{ quantity: 1, price, group: 'DDV-G', indicator: 'DDV-9', impact: 'OSLOBODEN', note } as const],
    });
    const rounded = (whole: number) => ({ 'docTotals.docGrossAmountR': whole, 'docTotals.docFinalAmount': whole });
    await accepted(rounded(101), order(100.5));
    assert.equal(await codeWith(rounded(100), order(100.5)), 'E10201');
    await accepted(rounded(100), order(100.49));
    assert.equal(await codeWith(rounded(101), order(100.49)), 'E10201');
    await accepted({ 'docTotals.docAvansAmount': 50.25, 'docTotals.docFinalAmount': 49.75 }, order(100.49));
  });

  test('credit and debit notes have positive quantities and amounts', async () => {
    const notes = { 110: 'Книжно одобрение', 120: 'Книжно задолжение' };
    for (const [docType, docTypeName] of Object.entries(notes)) {
      const lines = [
        { quantity: 3, price: 100 },
        { quantity: -1, price: 100 },
      ];
      await accepted({}, { lines: lines.slice(0, 1), header: { docType, docTypeName } });
      assert.equal(await codeWith({}, { lines, header: { docType, docTypeName } }), 'E10203');
      const negative = sampleDocument({ lines: lines.slice(1), header: { docType, docTypeName } });
      assert.deepEqual(await authority.errorCodesOf(negative), ['E10203', 'E10201']);
    }
  });

  test('another tolerance can be set while the program runs', async (t) => {
    const { send, admin } = await startAuthority(t, { rules: { tolerance: 0.5 } });
    const wrong = () => altered(sampleDocument(), { 'docTotals.docNetAmount': 2000.5 });
    assert.equal((await send(wrong())).status, 200);
    await admin('rules', {});
    assert.equal((await send(wrong())).body['code'], 'E10201', 'a rule that is not given has its default');
    assert.equal((await admin('rules', { tolerance: 0.5 }))['tolerance'], 0.5);
    assert.equal((await send(wrong())).status, 200);
    const above = altered(sampleDocument(), { 'docTotals.docNetAmount': 2000.51 });
    assert.equal((await send(above)).body['code'], 'E10201');
  });

  test('amounts of items with two decimals are accepted', async () => {
    await accepted(
      { 'docItems.0.docItemUnitVat': 0.6, 'docItems.0.docItemTotalVat': 1.8 },
      { lines: [{ quantity: 3, price: 3.333 }] },
    );
  });
});
