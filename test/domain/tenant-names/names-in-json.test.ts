import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isInJson } from '../../../src/domain/tenant-names/names-in-json.ts';
import { fc } from '../../support/seeds.ts';

function valuesIn(json: string): readonly string[] {
  const values: string[] = [];
  isInJson(json, { name: () => false, value: (value) => values.push(value) === 0 });
  return values;
}

function parsed(quoted: string): readonly string[] {
  try {
    return [String(JSON.parse(quoted))];
  } catch {
    return [];
  }
}

describe('the strings of a JSON text', () => {
  test('are those that JSON.parse reads; one with an escape that JSON does not have is left out', () => {
    const piece = fc.constantFrom(
      'a',
      'Ж',
      '😀',
      '\\"',
      '\\\\',
      '\\/',
      '\\b',
      '\\n',
      '\\t',
      '\\u0041',
      '\\uD83D\\uDE00',
    );
    const odd = fc.constantFrom('\\q', '\\U0041', '\\u00g1', '\\😀', '\\0', '\\x41', '\\u12');
    const pieces = fc.array(fc.oneof({ weight: 9, arbitrary: piece }, { weight: 1, arbitrary: odd }), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(pieces, (drawn) => {
        const quoted = `"${drawn.join('')}"`;
        assert.deepEqual(valuesIn(`[${quoted}]`), parsed(quoted));
      }),
    );
  });

  test('cost no error each, however many of them JSON does not have', (t) => {
    const parse = t.mock.method(JSON, 'parse');
    const bad = Array.from({ length: 10_000 }, () => '"\\q"').join();
    assert.deepEqual(valuesIn(`["tenant",${bad}]`), ['tenant']);
    assert.equal(parse.mock.callCount(), 0);
  });
});
