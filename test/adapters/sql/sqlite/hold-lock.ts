import { once } from 'node:events';
import { DatabaseSync } from 'node:sqlite';

/** A program of its own for the tests: holds the writer's lock until something arrives on its standard input. */
const database = new DatabaseSync(process.argv[2] ?? '');
database.exec('begin immediate');
process.stdout.write('locked\n');
await once(process.stdin, 'data');
database.exec('commit');
database.close();
process.stdin.destroy();
