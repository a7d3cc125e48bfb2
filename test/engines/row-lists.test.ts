import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Insertion, insertRows, queryEach, type RowQuery } from '../../src/adapters/sql/row-lists.ts';
import { onEveryEngine } from '../support/engines.ts';

const TABLE = 'odd_value';
const COLUMNS = { id: 'bigint', words: 'text', small: 'bigint', part: 'double precision', bytes: 'bytea' } as const;
const INSERTION: Insertion = {
  table: TABLE,
  columns: COLUMNS,
  onConflict: 'on conflict (id) do update set small = excluded.small where odd_value.small < $6',
};
const FIND: RowQuery = {
  text: `select words, small from ${TABLE} where id = $1 and small > $2`,
  types: ['bigint', 'bigint'],
};

/** What lists, quotes and separators of every kind are made of, and the ends of the numbers. */
const WORDS = [
  '',
  'NULL',
  'null',
  '{}',
  '{"a",b}',
  '"',
  '\\',
  "'",
  ',',
  '\n',
  ' x ',
  'Ѓорче',
  '😀',
  'a\0b',
  'a\uD800',
  null,
];
const NUMBERS = [0, -1, 1, 32_767, -32_768, null];
const PARTS = [0, -0.5, 1e-300, 1.7e308, 1 / 3, null];
const BYTES = [new Uint8Array(), new Uint8Array([0]), new Uint8Array(256).map((_, index) => index), null];

function rowsFrom(first: number) {
  return WORDS.map((words, index) => [
    first + index,
    words,
    NUMBERS[index % NUMBERS.length] ?? null,
    PARTS[index % PARTS.length] ?? null,
    BYTES[index % BYTES.length] ?? null,
  ]);
}

onEveryEngine('rows in lists', (database) => {
  test('are stored as they are one by one, whatever they hold', async () => {
    const { engine } = database();
    const make = `create table ${TABLE} (
  id bigint primary key,
  words text,
  small smallint,
  part double precision,
  bytes bytea
);`;
    const far = 2 ** 53 - 100;
    await engine.transaction(async (sql) => {
      await engine.script(sql, make);
      assert.equal(await insertRows(sql, INSERTION, rowsFrom(far), [0]), WORDS.length);
      for (const row of rowsFrom(-100)) await insertRows(sql, INSERTION, [row], [0]);
      assert.equal(await insertRows(sql, INSERTION, [], [0]), 0);
    });
    const read = (first: number) =>
      engine.all<{ id: number }>(`select * from ${TABLE} where id >= $1 and id < $2 order by id`, [first, first + 50]);
    const together = (await read(far)).map(({ id, ...row }) => ({ ...row, id: id - far }));
    const alone = (await read(-100)).map(({ id, ...row }) => ({ ...row, id: id + 100 }));
    assert.equal(together.length, WORDS.length);
    assert.deepEqual(together, alone);
  });

  test('meet a condition of their own on a conflict, and count what was changed', async () => {
    const { engine } = database();
    const changed = await engine.transaction((sql) =>
      insertRows(
        sql,
        INSERTION,
        [1, 2, 3].map((id) => [id, 'first', id, null, null]),
        [0],
      ).then(() =>
        insertRows(
          sql,
          INSERTION,
          [1, 2, 3, 4].map((id) => [id, 'second', 9, null, null]),
          [3],
        ),
      ),
    );
    assert.equal(changed, 3);
  });

  test('are looked up in their order, with nothing for those that are not found', async () => {
    const { engine } = database();
    await engine.transaction((sql) =>
      insertRows(
        sql,
        INSERTION,
        [11, 12, 13].map((id) => [id, `w${id}`, id, null, null]),
        [0],
      ),
    );
    const found = await queryEach<{ words: string }>(engine, FIND, [
      [13, 0],
      [99, 0],
      [11, 0],
      [12, 12],
      [13, 12],
    ]);
    assert.deepEqual(
      found.map((row) => row?.words ?? null),
      ['w13', null, 'w11', null, 'w13'],
    );
    assert.deepEqual(await queryEach(engine, FIND, []), []);
    assert.equal((await queryEach<{ words: string }>(engine, FIND, [[12, 0]]))[0]?.words, 'w12');
  });
});
