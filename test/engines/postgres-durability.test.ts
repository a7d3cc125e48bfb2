import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import type { Engine } from '../../src/adapters/sql/engine.ts';
import { openPostgres } from '../../src/adapters/sql/postgres/open-postgres.ts';
import { systemPlatform } from '../../src/app/system-platform.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';

const SETTING = `select current_setting('synchronous_commit') as value`;
const WRITES_LATE = ['wal_writer_delay = 10000', 'wal_writer_flush_after = 1048576'];

describe('a server that answers commits before they are on disk', () => {
  const opened: Engine[] = [];
  let server: PostgresServer;
  let url = '';
  before(async () => {
    server = await startPostgres();
    url = await server.createMigratedDatabase();
  });
  after(() => Promise.all(opened.map((engine) => engine.close())));

  async function administer(...statements: readonly string[]): Promise<void> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    for (const statement of statements) await client.query(statement);
    await client.end();
  }

  /** A new connection begins with what is set for the database. */
  async function openWith(value: string): Promise<Engine> {
    await administer(`alter database ${new URL(url).pathname.slice(1)} set synchronous_commit = ${value}`);
    const engine = openPostgres(url, systemPlatform);
    opened.push(engine);
    return engine;
  }

  for (const [set, used] of Object.entries({
    ...{ off: 'on', local: 'local', remote_write: 'remote_write', on: 'on', remote_apply: 'remote_apply' },
  })) {
    test(`${set} is ${used} within a transaction, and stays ${set} on the connection`, async () => {
      const engine = await openWith(set);
      const inside = await engine.transaction((sql) => sql.get<{ value: string }>(SETTING, []));
      const outside = await engine.get<{ value: string }>(SETTING, []);
      assert.deepEqual([inside?.value, outside?.value], [used, set]);
    });
  }

  test('what a transaction has answered, and what was written ahead of it, survives the sudden end of the server', async () => {
    await administer(...WRITES_LATE.map((setting) => `alter system set ${setting}`), 'select pg_reload_conf()');
    const engine = await openWith('off');
    await engine.transaction((sql) => sql.run('create table kept (a integer, b bytea)', []));
    await engine.runLargeWrite('insert into kept values (1, $1)', [Buffer.alloc(100_000, 'x')]);
    await engine.transaction((sql) => sql.run('insert into kept values (2, null)', []));
    await server.stop();
    await server.start();
    const rows = await engine.all<{ a: number; bytes: number }>(
      'select a, length(b) as bytes from kept order by a',
      [],
    );
    assert.deepEqual(
      rows.map(({ a, bytes }) => [a, Number(bytes)]),
      [
        [1, 100_000],
        [2, 0],
      ],
    );
  });
});

for (const [set, unsafe] of [
  [[], []],
  [['full_page_writes=off'], ['full_page_writes']],
  [
    ['fsync=off', 'full_page_writes=off'],
    ['fsync', 'full_page_writes'],
  ],
] as const) {
  test(`a server with ${set.join(', ') || 'its own settings'}: ${unsafe.length} of them unsafe`, async () => {
    const server = await startPostgres(set);
    const engine = openPostgres(await server.createDatabase(), systemPlatform);
    assert.deepEqual(await engine.unsafeSettings(), unsafe);
    await engine.close();
    await server.stop();
  });
}
