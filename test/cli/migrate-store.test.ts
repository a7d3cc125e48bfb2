import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import pg from 'pg';
import { openPostgres } from '../../src/adapters/sql/postgres/open-postgres.ts';
import { openFoundation } from '../../src/app/foundation.ts';
import { systemPlatform } from '../../src/app/system-platform.ts';
import { readConfig } from '../../src/config.ts';
import { postgresServer } from '../support/postgres.ts';
import { QUICK_START, startProgram, temporaryFolder } from '../support/process.ts';
import { PRODUCTION_VARIABLES } from '../support/production-variables.ts';
import { commandsHere } from './commands-here.ts';
import { columnsOf, filledStore, LARGEST_BYTES, tablesOf } from './filled-store.ts';
import { setAsideIn, takeBack } from './set-aside.ts';

/** Several times as many as are read from the source at a time. */
const AUDIT_ENTRIES = 3_000;
/** Some of the first rows are in the target by then. */
const INSERTS_BEFORE_KILL = 4;

type Outcome = {
  readonly isResumed: boolean;
  readonly isSame: boolean;
  readonly tables: readonly { readonly table: string; readonly isSame: boolean }[];
};

async function newTarget(t: TestContext) {
  const url = await (await postgresServer()).createDatabase();
  // Not under the program's name: the test only looks on.
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  t.after(() => client.end());
  return { url, client };
}

/** A module by which a process kills itself in the middle of a table: from outside, it could be too late. */
function killedInAudit(): string {
  const program = `
    import pg from ${JSON.stringify(import.meta.resolve('pg'))};
    const { query } = pg.Client.prototype;
    let inserts = 0;
    pg.Client.prototype.query = function (first, ...more) {
      if (/^insert into audit\\b/u.test(first?.text ?? first)) inserts += 1;
      if (inserts > ${INSERTS_BEFORE_KILL}) process.kill(process.pid, 'SIGKILL');
      return query.call(this, first, ...more);
    };
  `;
  return `data:text/javascript,${encodeURIComponent(program)}`;
}

async function auditEntries(client: pg.Client): Promise<number> {
  return Number((await client.query('select count(*) from audit')).rows[0].count);
}

/** Both sides read by the test itself, value by value. */
async function assertSame(dataDir: string, client: pg.Client): Promise<void> {
  const database = new DatabaseSync(setAsideIn(dataDir));
  const tables = tablesOf(database);
  assert.ok(tables.length >= 17, tables.join(', '));
  for (const table of tables) {
    const columns = columnsOf(database, table);
    const text = `select ${columns.join(', ')} from ${table}`;
    const here = database.prepare(text).all();
    const there = await client.query(text);
    assert.ok(here.length > 0, `${table} is filled`);
    const comparable = (rows: readonly Record<string, unknown>[]) => rows.map((row) => flat(columns, row)).toSorted();
    assert.deepEqual(comparable(there.rows), comparable(here), table);
  }
  database.close();
}

function flat(columns: readonly string[], row: Record<string, unknown>): string {
  const values = columns.map((column) => {
    const value = row[column];
    return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value).replaceAll('\0', '\uFFFD');
  });
  return values.join('|');
}

test('every table of the embedded database arrives in PostgreSQL, value by value', async (t) => {
  const dataDir = await filledStore({ largestBytes: LARGEST_BYTES });
  const { url, client } = await newTarget(t);
  const { exitCode, stdout, stderr } = await commandsHere().run('migrate-store', '--from', dataDir, '--to', url);
  assert.equal(exitCode, 0, stderr);
  assert.match(stdout, /^TABLE +SOURCE +TARGET +SHA-256 OF THE SOURCE +COMPARED\n/u);
  assert.match(stdout, /^outbound +4 +4 +[0-9a-f]{64} +same$/mu);
  assert.match(stdout, /\n\nEvery row is there, byte for byte\./u);
  // Progress is told at intervals: which tables it names depends on the machine, but for the first.
  assert.match(stderr, /^copying \w+: \d+ of \d+ rows?, \d+ %/mu);
  await assertSame(dataDir, client);
  const { isIntact, entries } = await commandsHere({ DATABASE_URL: url }).json<{ isIntact: boolean; entries: number }>(
    ...['audit', 'verify'],
  );
  assert.deepEqual([isIntact, entries], [true, 12], 'the seals hold for the copy');
  const { rows } = await client.query('select environment from store_environment');
  assert.deepEqual(rows, [{ environment: 'demo' }], 'the copy belongs where its source belongs');
});

test('a database that a killed copy left is not worked on, and the next copy completes it without doubling a row', async (t) => {
  const dataDir = await filledStore({ auditEntries: AUDIT_ENTRIES });
  const { url, client } = await newTarget(t);
  const variables = { DATA_DIR: temporaryFolder(), DATABASE_URL: url };
  const program = [...QUICK_START, `--import=${killedInAudit()}`, 'src/main.ts'];
  const copy = ['migrate-store', '--from', dataDir];
  const killed = startProgram(t, process.execPath, [...program, ...copy], variables);
  assert.equal((await killed.finished()).signal, 'SIGKILL');
  const copied = await auditEntries(client);
  assert.ok(copied > 0 && copied < AUDIT_ENTRIES, `${copied}`);

  const { refusal, run } = commandsHere(variables);
  assert.match((await refusal('tenant', 'list'))[1], /unfinished copy/u);
  const other = await filledStore();
  assert.match((await refusal('migrate-store', '--from', other))[1], /unfinished copy of another database/u);

  const finished = await run(...copy, '--json');
  assert.deepEqual([finished.exitCode, finished.stderr], [0, '']);
  const { isResumed, isSame } = JSON.parse(finished.stdout) as Outcome;
  assert.deepEqual({ isResumed, isSame }, { isResumed: true, isSame: true });
  await assertSame(dataDir, client);
  assert.equal((await run('tenant', 'list')).exitCode, 0);
});

test('a table that differs after the copy is named and makes the command fail', async (t) => {
  const dataDir = await filledStore();
  const { url, client } = await newTarget(t);
  const { run } = commandsHere({ DATABASE_URL: url });
  const copy = async () => {
    const { exitCode, stdout } = await run('migrate-store', '--from', dataDir, '--json');
    const { tables } = JSON.parse(stdout) as Outcome;
    return { exitCode, different: tables.filter(({ isSame }) => !isSame).map(({ table }) => table) };
  };
  assert.deepEqual(await copy(), { exitCode: 0, different: [] });
  takeBack(dataDir);
  // As if it had been cut off before the end, and changed by somebody else's hand meanwhile.
  const cutOff = 'update store_copy set finished_at = null';
  await client.query(cutOff);
  await client.query("update content set bytes = bytes || '\\x00'::bytea where length(bytes) = 1000");
  assert.deepEqual(await copy(), { exitCode: 1, different: ['content'] });
  await client.query('update content set bytes = substring(bytes for 1000) where length(bytes) = 1001');
  await client.query("insert into pace (environment, eujp_id, free_at) values ('test', 'zzz', 1)");
  assert.deepEqual(await copy(), { exitCode: 1, different: ['pace'] });
  await client.query("delete from pace where eujp_id = 'zzz'");
  await client.query('update outbound_history set at = at + 1');
  assert.deepEqual(await copy(), { exitCode: 1, different: ['outbound_history'] });
  await client.query('update outbound_history set at = at - 1');
  assert.deepEqual(await copy(), { exitCode: 0, different: [] });
});

test('a source with a damaged file and payload is copied with --accept-damage alone, and the copy that was refused goes on', async (t) => {
  const dataDir = await filledStore();
  const database = new DatabaseSync(join(dataDir, 'dostava.sqlite'));
  database.exec("update content set bytes = x'00' where sha256 = (select min(sha256) from content)");
  database.exec(
    "update outbound_payload set text_sha256 = x'00' where rowid = (select min(rowid) from outbound_payload)",
  );
  database.close();
  const { url, client } = await newTarget(t);
  const { run, refusal } = commandsHere({ DATABASE_URL: url });
  const refused = await run('migrate-store', '--from', dataDir);
  assert.equal(refused.exitCode, 1);
  assert.match(refused.stdout, /2 are DAMAGED in the embedded database, .+ start again with --accept-damage/u);
  assert.doesNotMatch(refused.stdout, /NOT the same|DIFFERENT/u);
  assert.match((await refusal('tenant', 'list'))[1], /unfinished copy/u);

  const accepted = await run('migrate-store', '--from', dataDir, '--accept-damage');
  assert.equal(accepted.exitCode, 4);
  assert.match(accepted.stdout, /An earlier copy was continued\..+byte for byte.+2 are DAMAGED; nothing of them/su);
  await assertSame(dataDir, client);
  assert.equal((await run('tenant', 'list')).exitCode, 0);
});

test('a source whose pages cannot be read is named, with the way to see what is damaged', async (t) => {
  const dataDir = await filledStore();
  const path = join(dataDir, 'dostava.sqlite');
  const database = new DatabaseSync(path);
  const { start } = database
    .prepare(
      `select (rootpage - 1) * (select page_size from pragma_page_size) as start from sqlite_schema where name = 'content'`,
    )
    .get() as { start: number };
  database.close();
  writeFileSync(path, readFileSync(path).fill(0xff, start, start + 8));
  const { url } = await newTarget(t);
  for (const accepting of [[], ['--accept-damage']]) {
    const [code, told] = await commandsHere().refusal('migrate-store', '--from', dataDir, '--to', url, ...accepting);
    assert.equal(code, 1);
    assert.match(
      told,
      new RegExp(`${path} cannot be copied: .+malformed\\. Run "dostava check" with its folder as`, 'u'),
    );
  }
});

test('a source in use, a folder without a database and a target in use or with rows are refused', async (t) => {
  const { url, client } = await newTarget(t);
  const dataDir = await filledStore();
  const { engine } = await openFoundation(readConfig({ DATA_DIR: dataDir }));
  const { refusal, run } = commandsHere({ DATABASE_URL: url });
  const [exitCode, stderr] = await refusal('migrate-store', '--from', dataDir);
  assert.equal(exitCode, 1);
  assert.match(stderr, /is in use: stop the service that runs on it/u);
  await engine.close();

  assert.equal((await refusal('migrate-store', '--from', temporaryFolder()))[0], 3);
  assert.match((await commandsHere().refusal('migrate-store', '--from', dataDir))[1], /Give --to, or set/u);
  for (const wrong of ['mysql://x', 'postgres://dostava:a/b@db/dostava']) {
    const [code, told] = await refusal('migrate-store', '--from', dataDir, '--to', wrong);
    assert.equal(code, 2);
    assert.match(told, /the address of one server.*# .* %23 %2F/u);
  }

  const another = openPostgres(url, systemPlatform);
  await another.get('select 1 as one', []);
  assert.match((await refusal('migrate-store', '--from', dataDir))[1], /target is in use: stop what runs on it/u);
  await another.close();

  assert.equal((await run('init')).exitCode, 0);
  await client.query("insert into pace (environment, eujp_id, free_at) values ('test', 'x', 1)");
  // Its tables are found also where a schema of the role, made since, comes before theirs.
  await client.query('create schema authorization postgres');
  assert.match((await refusal('migrate-store', '--from', dataDir))[1], /not empty: there are rows in pace/u);
});

test('neither the source nor the target of a copy may belong to the other environment, and neither is changed', async (t) => {
  const { url, client } = await newTarget(t);
  const dataDir = await filledStore();
  const copy = ['migrate-store', '--from', dataDir, '--to', url];
  const production = commandsHere({ ...PRODUCTION_VARIABLES, DATABASE_URL: url });
  assert.match((await production.refusal(...copy))[1], /^The source belongs to the environment demo, and ENVIRONMENT/u);
  assert.deepEqual((await client.query("select to_regclass('tenant') as name")).rows, [{ name: null }]);

  // A target of an older version, whose service goes on with its own tables.
  await production.json('init');
  await client.query('drop table partner_number; delete from schema_migration where version = 8');
  assert.match((await commandsHere().refusal(...copy))[1], /^The target belongs to the environment production, and/u);
  assert.deepEqual((await client.query("select to_regclass('partner_number') as name")).rows, [{ name: null }]);
});
