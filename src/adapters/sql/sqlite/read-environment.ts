import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { StoreEnvironment } from '../../../application/ports/store-environment.ts';
import { readEnvironment } from '../store-environment.ts';
import { statementText } from './connection.ts';

/** The environment that the database of a connection belongs to; null when it belongs to neither. */
export function environmentOn(connection: DatabaseSync): Promise<StoreEnvironment | null> {
  return readEnvironment({
    async get<Row>(text: string, parameters: readonly (string | number | Uint8Array | null)[]) {
      return (connection.prepare(statementText(text)).get(...parameters) ?? null) as Row | null;
    },
  });
}

/** The same for a file; null also where there is none, and for one that cannot be read as a database: it says nothing of itself. */
export async function environmentOfFile(path: string): Promise<StoreEnvironment | null> {
  if (!existsSync(path)) return null;
  try {
    using connection = new DatabaseSync(path, { timeout: 5_000 });
    connection.exec('pragma query_only = on');
    return await environmentOn(connection);
  } catch {
    return null;
  }
}
