import type { DatabaseSync } from 'node:sqlite';
import type { TableShape } from '../../../application/ports/database-copy.ts';

/** Tables that describe this database itself, so they are not copied to another. */
const METADATA_TABLES: readonly string[] = ['schema_migration', 'store_copy'];

/** Every table with content, read from the database's own schema; referenced tables come before those that refer to them. */
export function contentTables(connection: DatabaseSync): readonly TableShape[] {
  const names = read<{ name: string }>(
    connection,
    "select name from sqlite_schema where type = 'table' and name not like 'sqlite!_%' escape '!' order by name",
  ).map(({ name }) => name);
  const waiting = new Set(names.filter((name) => !METADATA_TABLES.includes(name)));
  const ordered: TableShape[] = [];
  while (waiting.size > 0) {
    const ready = [...waiting].filter(
      (name) => !referencedTables(connection, name).some((other) => waiting.has(other)),
    );
    if (ready.length === 0) throw new Error(`Foreign keys form a cycle between the tables ${[...waiting].join(', ')}.`);
    for (const name of ready) {
      ordered.push(shapeOf(connection, name));
      waiting.delete(name);
    }
  }
  return ordered;
}

function referencedTables(connection: DatabaseSync, table: string): string[] {
  const rows = read<{ table: string }>(connection, `pragma foreign_key_list("${table}")`);
  return rows.map((row) => row.table).filter((other) => other !== table);
}

function shapeOf(connection: DatabaseSync, name: string): TableShape {
  const columns = read<{ name: string; pk: number }>(connection, `pragma table_info("${name}")`);
  const key = columns.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk);
  if (key.length === 0) throw new Error(`The table ${name} has no primary key.`);
  return { name, columns: columns.map((column) => column.name), key: key.map((column) => column.name) };
}

function read<Found>(connection: DatabaseSync, text: string): readonly Found[] {
  return connection.prepare(text).all() as Found[];
}
