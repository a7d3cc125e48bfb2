import type { Sql, SqlValue } from './engine.ts';
import { type ColumnType, valueList } from './postgres/value-list.ts';

export type { ColumnType };

type Row = readonly SqlValue[];

export type Insertion = {
  readonly table: string;
  readonly columns: Readonly<Record<string, ColumnType>>;
  /** `on conflict …`; further parameters are numbered after the columns. No two rows of one call may then have the same key. */
  readonly onConflict?: string;
};

/** A query for one row of values, which are its parameters. */
export type RowQuery = {
  readonly text: string;
  readonly types: readonly ColumnType[];
};

/** Inserts rows, in their order, by one statement where lists can be sent; returns how many were inserted or updated. */
export async function insertRows(
  sql: Sql,
  insertion: Insertion,
  rows: readonly Row[],
  more: Row = [],
): Promise<number> {
  if (!sql.takesLists || rows.length === 1) {
    const { one } = insertTexts(insertion);
    const changed = await Promise.all(rows.map((row) => sql.run(one, [...row, ...more])));
    return changed.reduce((sum, count) => sum + count, 0);
  }
  if (rows.length === 0) return 0;
  return sql.run(insertTexts(insertion).many, [...listsOf(Object.values(insertion.columns), rows), ...more]);
}

/** Runs a query that finds one row at most for each row of values, by one statement where lists can be sent; returns what it finds for each, in their order. */
export async function queryEach<Found>(
  sql: Sql,
  query: RowQuery,
  rows: readonly Row[],
): Promise<readonly (Found | null)[]> {
  if (!sql.takesLists || rows.length === 1) return Promise.all(rows.map((row) => sql.get<Found>(query.text, row)));
  const found = new Map<number, Found>();
  if (rows.length > 0) {
    const answer = await sql.all<Found & { readonly place: number }>(textForEach(query), listsOf(query.types, rows));
    for (const { place, ...row } of answer) found.set(place, row as Found);
  }
  return rows.map((_, index) => found.get(index + 1) ?? null);
}

/**
 * Runs a query that may find several rows for each row of values, by one statement where lists can be sent. `last` orders and limits what that
 * statement finds for all of them together.
 */
export async function queryAll<Found>(
  sql: Sql,
  query: RowQuery,
  rows: readonly Row[],
  last: string,
): Promise<readonly Found[]> {
  if (sql.takesLists && rows.length > 1)
    return sql.all<Found>(`${textForEach(query)} ${last}`, listsOf(query.types, rows));
  return (await Promise.all(rows.map((row) => sql.all<Found>(query.text, row)))).flat();
}

type InsertTexts = { readonly one: string; readonly many: string };
const insertTextsOf = new WeakMap<Insertion, InsertTexts>();
const textsForEach = new WeakMap<RowQuery, string>();

function insertTexts(insertion: Insertion): InsertTexts {
  const known = insertTextsOf.get(insertion);
  if (known !== undefined) return known;
  const { table, columns, onConflict = '' } = insertion;
  const into = `insert into ${table} (${Object.keys(columns).join(', ')})`;
  const places = Object.keys(columns).map((_, index) => `$${index + 1}`);
  const texts = {
    one: `${into} values (${places.join(', ')}) ${onConflict}`,
    many: `${into} select * from ${unnest(Object.values(columns))} ${onConflict}`,
  };
  insertTextsOf.set(insertion, texts);
  return texts;
}

function textForEach(query: RowQuery): string {
  const known = textsForEach.get(query);
  if (known !== undefined) return known;
  const names = query.types.map((_, index) => `value_${index + 1}`);
  const one = query.text.replaceAll(/\$(\d+)/gu, 'given.value_$1');
  const given = `${unnest(query.types)} with ordinality as given (${names.join(', ')}, place)`;
  const text = `select given.place, found.* from ${given} cross join lateral (${one}) as found`;
  textsForEach.set(query, text);
  return text;
}

function unnest(types: readonly ColumnType[]): string {
  return `unnest(${types.map((type, index) => `cast($${index + 1} as ${type}[])`).join(', ')})`;
}

function listsOf(types: readonly ColumnType[], rows: readonly Row[]): Uint8Array[] {
  return types.map((type, column) =>
    valueList(
      type,
      rows.map((row) => row[column] ?? null),
    ),
  );
}
