import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { describedJson } from '../../../src/http/answers/described-json.ts';
import { Type } from '../../../src/http/json-schema.ts';

const item = Type.Object({ code: Type.String(), amount: Type.Unsafe({ type: ['number', 'null'] }) }, { $id: 'Item' });
const page = Type.Object({
  items: Type.Unsafe({ type: ['array', 'null'], items: { $ref: 'Item#' } }),
  inner: Type.Unsafe({ type: ['object', 'null'], properties: { seen: Type.Boolean() } }),
  count: Type.Integer(),
});
const jsonOf = describedJson(page, { Item: item });

suite('described JSON', () => {
  test('members that the schema does not describe are left out, at every depth', () => {
    const answer = {
      items: [{ code: 'a', amount: 0.1, secret: 1 }],
      inner: { seen: true, secret: 1 },
      count: 1,
      secret: 1,
    };
    assert.deepEqual(JSON.parse(jsonOf(answer)), {
      items: [{ code: 'a', amount: 0.1 }],
      inner: { seen: true },
      count: 1,
    });
  });

  test('null stays null where an object or an array is described', () => {
    assert.equal(jsonOf({ items: null, inner: null, count: 0 }), '{"items":null,"inner":null,"count":0}');
  });

  test('a reference to a schema that does not exist is found at the start', () => {
    assert.throws(() => describedJson(Type.Unsafe({ $ref: 'Nothing#' }), {}), /Nothing/u);
  });
});
