import assert from 'node:assert/strict';
import { test } from 'node:test';
import { authorityDate } from '../../../../src/adapters/ujp/answers/authority-date.ts';
import { readCodeListAnswer } from '../../../../src/adapters/ujp/code-lists/code-list-answer.ts';
import { CODE_LIST_SERVICES } from '../../../../src/adapters/ujp/code-lists/code-list-services.ts';
import type { CodeListType } from '../../../../src/domain/values/code-list.ts';

const read = (...paymentTypeList: unknown[]) =>
  readCodeListAnswer({ paymentTypeList }, CODE_LIST_SERVICES['payment-types']) ?? [];

test('an entry is active unless isActive or active is false', () => {
  const entries = read(
    { code: '1', isActive: false },
    { code: '2', active: false },
    { code: '3', isActive: true },
    { code: '4' },
    { code: '5', isActive: null },
  );
  assert.deepEqual(
    entries.map((entry) => entry.active),
    [false, false, true, true, true],
  );
});

test('items without a code are dropped, the others are kept', () => {
  const entries = read({ code: 'P10' }, { code: '' }, { code: ' ' }, { code: null }, { description: 'x' }, null, []);
  assert.deepEqual(
    entries.map((entry) => entry.code),
    ['P10'],
  );
});

test('code and name are kept unchanged, a numeric code becomes text, a missing name is replaced by the code', () => {
  const [blank, number] = read({ code: ' P10', description: ' Готово ' }, { code: 978 });
  assert.deepEqual([blank?.code, blank?.name], [' P10', ' Готово ']);
  assert.deepEqual([number?.code, number?.name], ['978', '978']);
});

const EMPTY: readonly (readonly [CodeListType, object])[] = [
  ['document-types', { documentTypesList: [] }],
  ['tax-groups', { taxGroupList: [] }],
  ['tax-groups', { taxGroupList: [{ code: 'DDV-A', name: 'ДДВ 18%' }] }],
  ['tax-indicators', { taxIndicators: [] }],
  ['tax-indicators', { taxIndicators: [{ code: 'DDV-A', categoryName: 'x', taxGroupCode: 'DDV-A' }] }],
  ['tax-indicators', { taxIndicators: [{ code: 'DDV-A', vatImpact: null, taxGroupCode: 'DDV-A' }] }],
  ['payment-types', { paymentTypeList: [] }],
  ['currencies', { currencyList: [] }],
  ['countries', { countryList: [] }],
];

for (const [type, answer] of EMPTY) {
  test(`with ${JSON.stringify(answer)} no document could be converted: that is no list of ${type}`, () =>
    assert.equal(readCodeListAnswer({ success: true, ...answer }, CODE_LIST_SERVICES[type]), null));
}

test('a list that documents can do without may be empty', () => {
  for (const type of ['void-reasons', 'correction-reasons', 'reject-reasons', 'reference-document-types'] as const) {
    const service = CODE_LIST_SERVICES[type];
    assert.deepEqual(readCodeListAnswer({ [service.list]: [] }, service), []);
  }
});

const dates: readonly (readonly [unknown, string | null])[] = [
  ['2026-04-28 10:13:35', '2026-04-28'],
  ['2026-04-28T10:13:35', '2026-04-28'],
  ['2026-04-28T10:13:35.455', '2026-04-28'],
  ['2026-04-28', '2026-04-28'],
  ['2026-08-20T08:02:41.455Z', '2026-08-20'],
  ['2026-06-30T21:59:59Z', '2026-06-30'],
  ['2026-06-30T22:00:00Z', '2026-07-01'],
  ['2026-12-31T22:59:59Z', '2026-12-31'],
  ['2026-12-31T23:00:00Z', '2027-01-01'],
  ['2027-01-01T00:30:00+01:00', '2027-01-01'],
  // What programs write for never and for always.
  ['9999-12-31T23:59:59', '9999-12-31'],
  ['9999-12-31T23:59:59.9999999Z', '9999-12-31'],
  ['0001-01-01T00:00:00Z', '0001-01-01'],
  ['0001-01-01T00:00:00+01:00', '0001-01-01'],
  ['2026-02-31 10:00:00', null],
  ['наскоро', null],
  ['', null],
  [null, null],
  [undefined, null],
  [1782777600000, null],
];

for (const [written, day] of dates) {
  test(`the date ${JSON.stringify(written)} is the day ${day} in Skopje`, () =>
    assert.equal(authorityDate(written), day));
}
