import { systemTimers } from '../../../src/adapters/platform/timers.ts';
import { migrate } from '../../../src/adapters/sql/migrate.ts';
import { openSqlite } from '../../../src/adapters/sql/sqlite/open-sqlite.ts';

/** A program of its own for the tests: opens the database at the given path and prints how many migrations it applied. */
// Others do the same: however long they take, nobody has waited too long for them.
const engine = openSqlite(process.argv[2] ?? '', { ...systemTimers, elapsedMs: () => 0 });
const applied = await migrate(engine, systemTimers, Date.now());
await engine.close();
process.stdout.write(String(applied.length));
