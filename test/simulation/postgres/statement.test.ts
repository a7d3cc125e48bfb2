import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atTime, natureOf, targetsOf } from './statement.ts';

test('the time of the server is that of the history', () => {
  const statement = { text: 'select extract(epoch from clock_timestamp()) - extract(epoch from now())', values: [] };
  assert.equal(
    atTime(statement, 1_500).text,
    'select extract(epoch from to_timestamp(1500 / 1000.0)) - extract(epoch from to_timestamp(1500 / 1000.0))',
  );
});

test('a statement by which two runs could differ is refused', () => {
  for (const text of [
    'select random()',
    'select gen_random_uuid()',
    "select nextval('s')",
    'select current_timestamp',
    'listen c',
  ])
    assert.throws(() => natureOf(text), /cannot be repeated/u, text);
});

test('a commit is a target where something was written, and a write unless it is routine', () => {
  assert.deepEqual(targetsOf(natureOf('commit'), true), ['statement', 'commit']);
  assert.deepEqual(targetsOf(natureOf('commit'), false), ['statement']);
  assert.deepEqual(targetsOf(natureOf('update outbound set status = 20'), false), ['statement', 'write']);
  assert.deepEqual(targetsOf(natureOf('update pace set free_at = 0'), true), ['statement']);
});

test('what writes documents, or what belongs to them, is known from what looks for due ones', () => {
  assert.ok(natureOf('with due as (select 1) update outbound set status = 20').writesDocuments);
  assert.ok(natureOf('insert into outbound_attempt (tenant) values ($1)').writesDocuments);
  assert.ok(!natureOf('with recursive walk (tenant) as (select min(tenant) from outbound) select 1').writesDocuments);
  assert.ok(!natureOf('insert into audit (tenant) values ($1)').writesDocuments);
  assert.ok(!natureOf('select status from outbound').writesDocuments);
});
