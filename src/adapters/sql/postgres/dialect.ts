import pg from 'pg';
import type { SqlValue } from '../engine.ts';

const known = new Map<string, string>();

/** A statement with what only PostgreSQL knows: `for update skip locked` stands as a comment for the other engine. */
export function statementText(text: string): string {
  const ready = known.get(text) ?? uncommented(text);
  known.set(text, ready);
  return ready;
}

/**
 * A migration's text. Columns of text are compared byte by byte, as SQLite does: the order of identifiers must not depend on
 * the language of the database, nor an index on the version of the system's library.
 */
export function migrationText(text: string): string {
  return uncommented(text).replaceAll(/^( {2}\w+|alter table \w+ add column \w+) text\b/gmu, '$1 text collate "C"');
}

function uncommented(text: string): string {
  return text.replaceAll(/\/\*postgres\s(.*?)\*\//gsu, '$1');
}

/** Bytes are read as text of twice their number, and no text is longer than 512 MiB: more could be stored but never read. */
const MOST_BYTES = 255 * 1_048_576;

export function parameterValues(parameters: readonly SqlValue[]): SqlValue[] {
  return parameters.map((value) => {
    if (value instanceof Uint8Array && value.length > MOST_BYTES) {
      throw new Error(`The database takes files up to ${MOST_BYTES} bytes.`);
    }
    // The one character that text cannot hold here gives way to the one that stands for what cannot be shown.
    return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value;
  });
}

const { INT2, INT4, INT8, FLOAT8, NUMERIC, BYTEA } = pg.types.builtins;
const NUMBERS: ReadonlySet<number> = new Set([INT2, INT4, INT8, FLOAT8, NUMERIC]);
const readBytes = pg.types.getTypeParser(BYTEA);

/** Numbers as numbers, since all of ours are below 2^53, and sums of them too; bytes as bytes; the rest as text. */
export const types: pg.CustomTypesConfig = {
  getTypeParser(oid: number) {
    if (NUMBERS.has(oid)) return Number;
    return oid === BYTEA ? readBytes : (text: string) => text;
  },
};
