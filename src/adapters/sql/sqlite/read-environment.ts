import type { DatabaseSync } from 'node:sqlite';
import {
  ENVIRONMENT_PARAMETERS,
  environmentOf,
  FIND_ENVIRONMENT,
  FIND_ORIGIN,
  type StoreEnvironment,
} from '../store-environment.ts';
import { statementText } from './connection.ts';

/** The environment that a database file belongs to; null when it is empty and was never claimed. */
export function readEnvironment(connection: DatabaseSync): StoreEnvironment | null {
  const table = connection.prepare("select 1 from sqlite_schema where name = 'store_environment'").get();
  const text = statementText(table === undefined ? FIND_ORIGIN : FIND_ENVIRONMENT);
  const row = connection.prepare(text).get(...ENVIRONMENT_PARAMETERS);
  return environmentOf(row as Parameters<typeof environmentOf>[0]);
}
