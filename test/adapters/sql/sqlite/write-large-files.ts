import { systemTimers } from '../../../../src/adapters/platform/timers.ts';
import { openSqlite } from '../../../../src/adapters/sql/sqlite/open-sqlite.ts';

/** A program of its own for the tests: writes so many files of so many bytes at the given path, and prints by how many MiB its memory has grown. */
const [path = '', count = '', bytes = ''] = process.argv.slice(2);
const MIB = 1_048_576;
/** The thread starts with the first. */
const FIRST = 5;
const FIRST_BYTES = 600_000;

const engine = openSqlite(path, systemTimers);
await engine.transaction((sql) => sql.run('create table kept (id integer primary key, bytes blob)', []));

async function write(times: number, size: number, id = 1): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    await engine.runLargeWrite(`insert or replace into kept values (${id}, $1)`, [new Uint8Array(size)]);
  }
}

await write(FIRST, FIRST_BYTES);
const before = process.memoryUsage.rss();
await write(Number(count), Number(bytes));
// The thread frees what it has left after its answer, and before it writes the next file. This one is another statement's.
await write(1, FIRST_BYTES, 2);
process.stdout.write(`${Math.round((process.memoryUsage.rss() - before) / MIB)}\n`);
await engine.close();
