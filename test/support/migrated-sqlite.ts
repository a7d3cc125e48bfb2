import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemTimers } from '../../src/adapters/platform/timers.ts';
import { migrate } from '../../src/adapters/sql/migrate.ts';
import { openSqlite } from '../../src/adapters/sql/sqlite/open-sqlite.ts';
import { temporaryFolder } from './process.ts';

let template: Promise<string> | null = null;

/** Puts a database with all tables at the path. They are made once in a process: the migrations take as long as the rest of a start. */
export async function placeMigratedSqlite(path: string): Promise<void> {
  template ??= makeTemplate();
  copyFileSync(await template, path);
}

async function makeTemplate(): Promise<string> {
  const path = join(temporaryFolder(), 'template.sqlite');
  const engine = openSqlite(path, systemTimers);
  await migrate(engine, systemTimers, 0);
  // Closing writes everything into the one file.
  await engine.close();
  return path;
}
