import { systemTimers } from '../../../../src/adapters/platform/timers.ts';
import { openSqlite } from '../../../../src/adapters/sql/sqlite/open-sqlite.ts';

/** A program of its own for the tests: writes large files at the given path, and prints by how many MiB its memory has grown meanwhile. */
const [path = '', count = ''] = process.argv.slice(2);
const MIB = 1_048_576;
const BYTES = 600_000;
/** The thread starts with the first. */
const FIRST = 5;

const engine = openSqlite(path, systemTimers);
await engine.transaction((sql) => sql.run('create table kept (id integer primary key, bytes blob)', []));

async function write(times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    await engine.runLargeWrite('insert or replace into kept values (1, $1)', [new Uint8Array(BYTES)]);
  }
}

await write(FIRST);
const before = process.memoryUsage.rss();
await write(Number(count));
process.stdout.write(`${Math.round((process.memoryUsage.rss() - before) / MIB)}\n`);
await engine.close();
