import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { systemTimers } from '../../src/adapters/platform/timers.ts';
import type { Engine } from '../../src/adapters/sql/engine.ts';
import { openPostgres } from '../../src/adapters/sql/postgres/open-postgres.ts';
import { openSqlite } from '../../src/adapters/sql/sqlite/open-sqlite.ts';
import { DATABASE_FILE } from '../../src/app/foundation.ts';
import { systemPlatform } from '../../src/app/system-platform.ts';
import type { Bench } from '../bench.ts';

export const ENGINES = ['SQLite', 'PostgreSQL'] as const;
export type EngineName = (typeof ENGINES)[number];

/** A database that is made for the bench and gone after it. */
export type Database = {
  readonly engine: EngineName;
  /** By which the service finds it. */
  readonly variables: Readonly<Record<string, string>>;
  /** Its file or its address. */
  readonly place: string;
  /** For what takes longer than the service would wait: filling it, and counting naively. */
  readonly openPatiently: () => Engine;
  /** Room for the next one: ten million documents take tens of gigabytes. */
  readonly remove: () => Promise<void>;
};

const HOUR_MS = 3_600_000;
let made = 0;

export async function createDatabase(bench: Bench, engine: EngineName): Promise<Database> {
  made += 1;
  const folder = join(bench.folder, `data-${made}`);
  await mkdir(folder);
  if (engine === 'SQLite') {
    const place = join(folder, DATABASE_FILE);
    const openPatiently = () => openSqlite(place, systemTimers);
    return { engine, variables: { DATA_DIR: folder }, place, openPatiently, remove: () => removeFolder(folder) };
  }
  const server = await bench.shared('service/postgres-server');
  const url = await server.ask<string>({ create: true });
  const openPatiently = () => openPostgres(url, systemPlatform, { statementMs: HOUR_MS });
  const remove = async () => {
    await removeFolder(folder);
    if (server.isRunning()) await server.ask<void>({ create: false });
  };
  return { engine, variables: { DATA_DIR: folder, DATABASE_URL: url }, place: url, openPatiently, remove };
}

function removeFolder(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true });
}

/** What the server's own housekeeping would have done in the time that so many documents take to come. */
export async function tidy({ engine }: Database, open: Engine): Promise<void> {
  if (engine === 'PostgreSQL') await open.run('vacuum (analyze)', []);
}
