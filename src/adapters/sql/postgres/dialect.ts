import pg from 'pg';
import { createBoundedMap } from '../../platform/bounded-map.ts';
import type { SqlValue } from '../engine.ts';

/** Far more than there are statements. */
const translated = createBoundedMap<string, string>(1_000);

/** A statement with the marked comments for PostgreSQL, such as `for update skip locked`, made part of it. */
export function statementText(text: string): string {
  const cached = translated.get(text);
  if (cached !== undefined) return cached;
  const statement = withPostgresParts(text);
  translated.set(text, statement);
  return statement;
}

/**
 * A migration's text. Text columns get the collation "C", which compares bytes as SQLite does: the order of identifiers must not
 * depend on the database's locale, nor an index on the version of the system's collation library.
 */
export function migrationText(text: string): string {
  return withPostgresParts(text).replaceAll(
    /^( {2}\w+|alter table \w+ add column \w+) text\b/gmu,
    '$1 text collate "C"',
  );
}

function withPostgresParts(text: string): string {
  return text.replaceAll(/\/\*postgres\s((?:[^*/]|\*(?!\/)|\/(?!\*))*)\*\//gu, '$1');
}

/** The driver reads bytes as hexadecimal text, and a string holds at most 512 MiB: more could be stored but never read. */
const MAX_BYTES = 255 * 1_048_576;

export function parameterValues(parameters: readonly SqlValue[]): SqlValue[] {
  return parameters.map((value) => {
    if (value instanceof Uint8Array && value.length > MAX_BYTES) {
      throw new Error(`The database takes files up to ${MAX_BYTES} bytes.`);
    }
    // PostgreSQL cannot store U+0000 in text; it becomes the replacement character.
    return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value;
  });
}

const { INT2, INT4, INT8, FLOAT8, NUMERIC, BYTEA } = pg.types.builtins;
const NUMBERS: ReadonlySet<number> = new Set([INT2, INT4, INT8, FLOAT8, NUMERIC]);
const readBytes = pg.types.getTypeParser(BYTEA);

/** Numbers as JavaScript numbers, since all of ours and their sums are below 2^53; bytes as bytes; the rest as text. */
export const types: pg.CustomTypesConfig = {
  getTypeParser(oid: number) {
    if (NUMBERS.has(oid)) return Number;
    return oid === BYTEA ? readBytes : (text: string) => text;
  },
};
