import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLater } from '../../../src/domain/documents/authority-status.ts';

const dated = (code: string, at: number | null) => ({ status: { code, name: null }, at });
const step = (from: string | null, code: string, at: number | null) => ({ ...dated(code, at), from });

test('a later stage is later, also where the authority’s clock has stepped back', () => {
  assert.ok(isLater(dated('01', 1_000), step('01', '07', 500)));
  assert.ok(isLater(dated('03', 1_000), step('03', '07', null)));
});

test('an answer that was overtaken is not later', () => {
  assert.equal(isLater(dated('07', 1_000), step('01', '03', 500)), false);
  assert.equal(isLater(dated('07', 1_000), step('01', '03', 1_000)), false);
  assert.equal(isLater(dated('05', 1_000), step('01', '03', 900)), false);
});

test('of one stage the authority’s times decide, and where they do not, what the change began with', () => {
  assert.ok(isLater(dated('03', 1_000), step('01', '05', 1_001)));
  assert.ok(isLater(dated('03', 1_000), step('03', '05', 1_000)));
  assert.equal(isLater(dated('03', null), step('01', '05', null)), false);
});
