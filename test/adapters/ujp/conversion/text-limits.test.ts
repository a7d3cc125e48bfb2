import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { UjpDocument } from '../../../../src/adapters/ujp/conversion/payload.ts';
import { fc } from '../../../support/seeds.ts';
import {
  address,
  allowance,
  converted,
  delivery,
  failureOf,
  invoice,
  line,
  means,
  party,
  reference,
  terms,
  totals,
} from './sample-content.ts';

const numRuns = process.env['TEST_LONG'] === '1' ? 2_000 : 150;

/** What the members of the authority's document may hold at most: by its codebook, else as long as we dare to send. */
const LONGEST: Readonly<Record<string, number>> = {
  docNumber: 20,
  docDelivery: 250,
  docNotes: 1_000,
  docNumberRef: 50,
  buyerName: 80,
  streetAddress: 60,
  streetNumber: 10,
  postalCode: 5,
  city: 60,
  buyerForeignTin: 30,
  buyerContact: 100,
  buyerEmail: 100,
  buyerSubsidiaryCode: 20,
  buyerSubsidiaryName: 100,
  buyerSubsidiaryAddress: 100,
  docPaymentTerms: 250,
  docPaymentNote: 250,
  docPaymentInterest: 250,
  docPaymentDiscount: 250,
  docItemSku: 20,
  docItemSenderCode: 20,
  docItemReceiverCode: 20,
  docItemDesc: 250,
  docAvansDesc: 250,
  docItemMUnit: 20,
  docItemHs: 20,
};

/** The members that are longer than they may be. */
function tooLong(value: unknown, name = ''): readonly string[] {
  if (typeof value === 'string') return [...value].length > (LONGEST[name] ?? Number.POSITIVE_INFINITY) ? [name] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([member, own]) => tooLong(own, Array.isArray(value) ? name : member));
}

describe('texts of a line', () => {
  const of = (item: Parameters<typeof line>[0]) => {
    const { payload, warnings } = converted(invoice({ lines: [line(item)] }));
    const [first] = payload.document.docItems;
    assert.ok(first);
    return { item: first, codes: warnings.map(({ code }) => code) };
  };

  test('that are too long are shortened, each with a warning; codes are left out', () => {
    const { item, codes } = of({
      unit: 'u'.repeat(21),
      item: {
        name: 'Х'.repeat(251),
        sellersId: 'S'.repeat(21),
        buyersId: 'B'.repeat(21),
        classifications: [{ code: '4'.repeat(21), list: 'HS' }],
      },
    });
    assert.deepEqual([item.docItemDesc, item.docItemMUnit], ['Х'.repeat(250), 'u'.repeat(20)]);
    assert.deepEqual([item.docItemSku, item.docItemSenderCode], [null, null]);
    assert.deepEqual([item.docItemReceiverCode, item.docItemHs], [null, null]);
    assert.deepEqual(codes.toSorted(), [
      ...Array.from({ length: 3 }, () => 'TEXT-LEFT-OUT'),
      ...Array.from({ length: 2 }, () => 'TEXT-SHORTENED'),
    ]);
  });

  test("do not include the beginning of a seller's code, which may be that of another item; the standard code stands for it", () => {
    const { item, codes } = of({ item: { sellersId: 'HARTIJA-A4-80G-BELA-1', standardId: '5310000000017' } });
    assert.deepEqual([item.docItemSku, item.docItemSenderCode], ['5310000000017', null]);
    assert.deepEqual(codes, ['TEXT-LEFT-OUT']);
  });

  test('that fit are sent unchanged, without a warning', () => {
    const { item, codes } = of({ item: { name: 'Х'.repeat(250), sellersId: 'S'.repeat(20) } });
    assert.deepEqual([item.docItemDesc, item.docItemSku], ['Х'.repeat(250), 'S'.repeat(20)]);
    assert.deepEqual(codes, []);
  });
});

test('the reason of a charge is shortened as the name of an item is', () => {
  const charge = allowance('10', { isCharge: true, reason: 'п'.repeat(251) });
  const { payload, warnings } = converted(invoice({ allowanceCharges: [charge] }));
  assert.equal(payload.document.docItems[1]?.docItemDesc, 'п'.repeat(250));
  assert.deepEqual(
    warnings.map(({ code, path }) => [code, path]),
    [['TEXT-SHORTENED', '/Invoice/cac:AllowanceCharge/cbc:AllowanceChargeReason']],
  );
});

describe('the numbers of prepayments', () => {
  const sent = (...ids: readonly string[]) => {
    const payment = { path: '/Invoice/cac:PrepaidPayment', receivedDate: null };
    const prepaidPayments = ids.map((id) => ({ ...payment, id, amount: null }));
    const { payload, warnings } = converted(invoice({ prepaidPayments, totals: totals({ prepaid: '1' }) }));
    const [warning, ...more] = warnings;
    assert.deepEqual(more, []);
    return [payload.document.docTotals.docAvansDesc, warning?.code ?? null, warning?.path ?? null];
  };
  const PATH = '/Invoice/cac:PrepaidPayment/cbc:ID';

  test('are sent together', () => assert.deepEqual(sent('А-1', 'А-2'), ['А-1, А-2', null, null]));

  test('are left out from the first on for which there is no room: half a number would be another one', () => {
    const [one, two, three] = ['1'.repeat(124), '2'.repeat(124), '3'.repeat(20)];
    assert.deepEqual(sent(one, two), [`${one}, ${two}`, null, null]);
    assert.deepEqual(sent(one, two, three), [`${one}, ${two}`, 'TEXT-SHORTENED', PATH]);
    assert.deepEqual(sent('1'.repeat(251)), [null, 'TEXT-LEFT-OUT', PATH]);
  });
});

describe('whatever texts a document has,', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }),
    fc.string({ unit: 'grapheme', minLength: 80, maxLength: 300 }),
    fc.integer({ min: 1, max: 1_500 }).map((length) => 'ш'.repeat(length)),
  );
  const maybe = fc.option(text);

  test('the converted document has none that is too long, and a warning if one was changed', () => {
    const texts = fc.record({
      name: text,
      street: text,
      number: maybe,
      city: text,
      note: text,
      code: maybe,
      terms: maybe,
    });
    fc.assert(
      fc.property(texts, (one) => {
        const place = address({ street: one.street, buildingNumber: one.number, city: one.city });
        const content = invoice({
          notes: [one.note],
          customer: party({ name: one.name, country: 'DE', address: place, contactName: one.code, email: one.terms }),
          delivery: delivery({ locationId: one.code, locationName: one.name, address: place }),
          references: [reference('order', one.code ?? 'N-1')],
          paymentMeans: [
            means('30', { instructionNotes: [one.note], paymentIds: one.code === null ? [] : [one.code] }),
          ],
          paymentTerms: [terms({ notes: one.terms === null ? [] : [one.terms] })],
          lines: [line({ item: { name: one.name, sellersId: one.code, buyersId: one.number } })],
        });
        // Half a house number would be a wrong one.
        if ([...(one.number ?? '')].length > 10 && [...`${one.street} ${one.number}`].length > 60) {
          assert.match(failureOf(content, 'NOT-EXPRESSIBLE', { buyer: null }), /house number/u);
          return;
        }
        const { payload, warnings } = converted(content, { buyer: null });
        assert.deepEqual(tooLong(payload.document satisfies UjpDocument), []);
        const isLong = [one.name, one.street, one.city, one.note].some((own) => [...own].length > 1_000);
        if (isLong) assert.ok(warnings.some(({ code }) => code === 'TEXT-SHORTENED'));
      }),
      { numRuns },
    );
  });
});
