import { systemTimers } from '../../../../../src/adapters/platform/timers.ts';
import { openSqlite } from '../../../../../src/adapters/sql/sqlite/open-sqlite.ts';
import { grownSince } from '../../../../support/grown-memory.ts';

/** A program of its own for the tests: writes so many files of so many bytes at the given path, and prints by how many MiB its memory has grown. */
const [path = '', count = '', bytes = ''] = process.argv.slice(2);
/** The thread starts with the first. */
const FIRST = 5;
const FIRST_BYTES = 600_000;

const engine = openSqlite(path, systemTimers);
await engine.transaction((sql) => sql.run('create table kept (id integer primary key, bytes blob)', []));

async function write(times: number, size: number): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    await engine.runLargeWrite('insert or replace into kept values ($1, $2)', [1, new Uint8Array(size).fill(1)]);
  }
}

await write(FIRST, FIRST_BYTES);
const before = process.memoryUsage.rss();
await write(Number(count), Number(bytes));
process.stdout.write(`${await grownSince(before)}\n`);
await engine.close();
