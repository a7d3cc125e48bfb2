import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { Access } from '../../../application/ports/backup.ts';
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
export function environmentOfFile(path: string): Promise<StoreEnvironment | null> {
  return readFrom(path, environmentOn);
}

/** Who may use the service by a file; null like above. */
export function accessOfFile(path: string): Promise<Access | null> {
  return readFrom(path, async (connection) => {
    const keys = connection.prepare('select key_id from api_key where revoked_at is null order by key_id').all();
    const operators = connection.prepare('select name, role, password from operator_account order by name').all();
    return {
      keys: keys.map(({ key_id: keyId }) => String(keyId)),
      operators: operators.map(({ name, role, password }) => ({ name: String(name), account: `${role} ${password}` })),
    };
  });
}

async function readFrom<Result>(
  path: string,
  read: (connection: DatabaseSync) => Promise<Result>,
): Promise<Result | null> {
  if (!existsSync(path)) return null;
  try {
    using connection = new DatabaseSync(path, { timeout: 5_000 });
    connection.exec('pragma query_only = on');
    return await read(connection);
  } catch {
    return null;
  }
}
