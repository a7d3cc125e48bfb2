import assert from 'node:assert/strict';
import { test } from 'node:test';
import { interpretErrors } from '../../../../src/adapters/ujp/answers/interpret-errors.ts';
import { refusedReferences } from '../../../../src/adapters/ujp/preparation/refused-references.ts';

const DAY = '2026-11-16';
const EARLIER = '2026-11-15';

function suggestion(references: readonly (readonly [type: string, date: string])[], ...codes: readonly string[]) {
  const docReferences = references.map(([docTypeRef, docDateRef]) => ({ docTypeRef, docDateRef }));
  const text = JSON.stringify({ document: { header: { docDate: DAY }, docReferences } });
  const document = { docTypeCode: '100', docNumber: '1', docDate: DAY, docId: '1', text };
  return refusedReferences(
    document,
    codes.map((code) => ({ code, message: null })),
  );
}

test('a refusal is about references when all of its codes are', () => {
  const meaning = (...codes: readonly string[]) =>
    interpretErrors(codes.map((code) => ({ code, message: null }))).meaning;
  for (const code of ['E1021', 'E10211', 'E1022', 'E1026', 'E1028', 'E1029', 'E50073']) {
    assert.equal(meaning(code), 'references');
    assert.equal(meaning(code, 'E1020'), 'other');
  }
  assert.deepEqual([meaning(), meaning('E1020'), meaning('E1021', 'E1023')], ['other', 'other', 'already-registered']);
});

test('a date that is refused leaves out the references of the own day first, where there are any', () => {
  assert.deepEqual(
    suggestion(
      [
        ['SYS', DAY],
        ['NAR', EARLIER],
      ],
      'E50073',
    ),
    'same-day',
  );
  assert.deepEqual(suggestion([['SYS', EARLIER]], 'E50073'), 'all');
});

test('a type refuses references only where none of them names a registered document that may be missing', () => {
  assert.deepEqual(suggestion([['NAR', EARLIER]], 'E1021'), 'all-of-type');
  assert.deepEqual(
    suggestion(
      [
        ['NAR', EARLIER],
        ['SYS', EARLIER],
      ],
      'E1021',
    ),
    'all',
  );
  assert.deepEqual(suggestion([['NAR', EARLIER]], 'E10211'), 'all');
  assert.deepEqual(suggestion([['NAR', EARLIER]], 'E1021', 'E1022'), 'all');
});

test('without references that are optional there is nothing to leave out', () => {
  assert.equal(suggestion([], 'E1021'), null);
  assert.equal(suggestion([['ST', DAY]], 'E1021'), null);
});
