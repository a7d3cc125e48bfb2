import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainJson } from '../../../../src/adapters/ujp/preparation/plain-json.ts';
import { fc } from '../../../support/seeds.ts';

test('numbers are written without an exponent', () => {
  const rows: readonly (readonly [number, string])[] = [
    [1e-7, '0.0000001'],
    [-1.5e-7, '-0.00000015'],
    [123.456e-12, '0.000000000123456'],
    [1.5e21, '1500000000000000000000'],
    [0.000001, '0.000001'],
    [-0, '0'],
    [100, '100'],
  ];
  for (const [value, text] of rows) assert.equal(plainJson({ value: [value] }), `{"value":[${text}]}`);
});

test('texts that look like such numbers stay as they are, and any value is read back as it was', () => {
  assert.equal(plainJson({ '1e-7': '1e-7' }), '{"1e-7":"1e-7"}');
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      const text = plainJson(value);
      assert.match(text, /^-?\d+(?:\.\d+)?$/u);
      assert.equal(Number(text), value === 0 ? 0 : value);
    }),
  );
});
