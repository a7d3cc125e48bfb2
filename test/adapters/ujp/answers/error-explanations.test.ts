import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CONTENT_CODES } from '../../../../src/adapters/ujp/answers/content-codes.ts';
import { EXPLAINED_CODES, explanationOf } from '../../../../src/adapters/ujp/answers/error-explanations.ts';
import { render } from '../../../../src/domain/messages/render.ts';

/** The codes of the receiver as the authority's wiki lists them, by their first digits. */
const LISTED = [
  ...range(
    'E1',
    '000 0001 0002 0003 0004 0005 0006 0007 0008 001 0011 0012 002 004 006 009 010 011 012 013 014 015 016',
  ),
  ...range('E1', '017 018 019 020 0201 0202 0203 021 0211 022 023 024 025 026 027 028 029 030 031 032'),
  ...range('E40', '00 01 02 03 04 05 07 08 09 10 11 12 121 122 13 131 14 15 16 18 19 20 21 22 23 24'),
  ...range('E50', '00 01 02 03 04 05 051 06 07 071 072 073 074 075 076 077 078 079 08 11 12'),
  ...range('E5007', '10 11 12 13 14 15 16 17 18'),
];

function range(prefix: string, ends: string): readonly string[] {
  return ends.split(' ').map((end) => `${prefix}${end}`);
}

test('every code of the receiver has an explanation, and no other has', () => {
  assert.deepEqual(EXPLAINED_CODES.toSorted(), LISTED.toSorted());
  for (const code of CONTENT_CODES.receiver) assert.ok(explanationOf(code) !== null, code);
  for (const unknown of ['E9999', 'price-missing', 'constructor', '']) assert.equal(explanationOf(unknown), null);
});

test('a company that is not found and a country that is not found are told apart', () => {
  const said = (language: 'mk' | 'en', code: string) => render(language, [explanationOf(code) ?? assert.fail(code)]);
  assert.match(said('en', 'E1000'), /no company with the tax number/u);
  assert.match(said('mk', 'E1000'), /нема друштво со даночниот број/u);
  assert.match(said('en', 'E1001'), /country of the seller or the buyer/u);
  assert.match(said('mk', 'E1001'), /земјата на продавачот или на купувачот/u);
});
