import { OperatorError } from '../../application/errors/operator-error.ts';
import type { Sql } from './engine.ts';

const ENCODING = `select /*sqlite 'UTF8' */ /*postgres current_setting('server_encoding') */ as encoding`;

/**
 * A server that was set up in the language of its machine may make databases that have no place for every letter: documents with the others,
 * Cyrillic ones or the Albanian ë, would fail one by one. It cannot be changed once there are rows. Such a server makes none in UTF8
 * with its own locale; all columns are sorted by their bytes anyway.
 */
export async function refuseOtherEncoding(sql: Sql): Promise<void> {
  const { encoding } = (await sql.get<{ encoding: string }>(ENCODING, [])) ?? { encoding: 'unknown' };
  if (encoding === 'UTF8') return;
  throw new OperatorError(
    'refused',
    `The database has the encoding ${encoding}, which cannot hold all that documents say. Take one in UTF8: create database <name> encoding 'UTF8' locale 'C' template template0.`,
  );
}
