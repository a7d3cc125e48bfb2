import { writeSync } from 'node:fs';
import { systemRandom } from '../../../../src/adapters/platform/platform.ts';
import { systemTimers } from '../../../../src/adapters/platform/timers.ts';
import { openSqlite } from '../../../../src/adapters/sql/sqlite/open-sqlite.ts';
import { newEdb, newSubmission } from '../../../engines/samples.ts';
import { until } from '../../../support/process.ts';

/** A program of its own for the tests: writes until the limit of its files is reached, then tells what it heard. */
const [path = ''] = process.argv.slice(2);
const engine = openSqlite(path, systemTimers);
const INSERT = 'insert into t (a, b) values ($1, $2)';
await engine.transaction((sql) => sql.run('create table t (a text, b blob)', []));

let committed = 0;

async function nameOfRefusal(write: () => Promise<unknown>): Promise<string> {
  for (;;) {
    try {
      await write();
      committed += 1;
    } catch (error) {
      return error instanceof Error ? error.name : String(error);
    }
  }
}

const tenant = newEdb();
const group = () => [newSubmission(tenant), newSubmission(tenant)];
await until('the thread is ready', () => engine.storeGroup(group(), systemRandom));
const small = await nameOfRefusal(() =>
  engine.transaction((sql) => sql.run(INSERT, ['small', new Uint8Array(100_000)])),
);
const large = await nameOfRefusal(() => engine.runLargeWrite(INSERT, ['large', new Uint8Array(1_000_000)]));
const rows = committed;
const submissions = await nameOfRefusal(async () => engine.storeGroup(group(), systemRandom));
writeSync(1, `${JSON.stringify({ outcomes: [small, large, submissions], committed: rows })}\n`);
// Not closed: the process ends as one that is killed.
process.exit(0);
