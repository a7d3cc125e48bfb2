import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { systemRandom } from '../../src/adapters/platform/platform.ts';
import { systemTimers } from '../../src/adapters/platform/timers.ts';
import type { Engine } from '../../src/adapters/sql/engine.ts';
import { migrate } from '../../src/adapters/sql/migrate.ts';
import { openPostgres } from '../../src/adapters/sql/postgres/open-postgres.ts';
import { createStorage } from '../../src/adapters/sql/storage.ts';
import { systemPlatform } from '../../src/app/system-platform.ts';
import { postgresServer } from '../support/postgres.ts';
import { assertListIsTrue } from './recount.ts';
import { ANY_OUTBOUND, MORNING, newEdb, newOutbound, record } from './samples.ts';
import { type Pooler, startPooler } from './transaction-pooler.ts';

/** Fewer than the clients have between them. */
const SERVER_CONNECTIONS = 3;
/** On a busy machine the last in line waits long. */
const PATIENT = { connectMs: 300_000, statementMs: 300_000 };

describe('behind a pooler in transaction mode', () => {
  let engines: readonly Engine[] = [];
  let direct: Engine;
  let pooler: Pooler;

  before(async () => {
    const { folder, createDatabase } = await postgresServer();
    const address = new URL(await createDatabase());
    direct = openPostgres(address.href, systemPlatform);
    await direct.run(`alter database ${address.pathname.slice(1)} set synchronous_commit = off`, []);
    const place = (port: number) => join(folder, `.s.PGSQL.${port}`);
    pooler = await startPooler(place(5432), place(6432), address.pathname.slice(1), SERVER_CONNECTIONS);
    address.searchParams.set('port', '6432');
    engines = [1, 2].map(() => openPostgres(address.href, systemPlatform, PATIENT));
  });
  after(async () => {
    await Promise.all([...engines, direct].map((engine) => engine.close()));
    pooler.close();
  });

  const storages = () => engines.map((engine) => createStorage(engine, systemRandom));

  test('the tables are made once', async () => {
    const applied = await Promise.all(engines.map((engine) => migrate(engine, systemTimers, 0)));
    const versions = applied.flat().map(({ version }) => version);
    assert.ok(versions.length > 0);
    assert.equal(new Set(versions).size, versions.length, 'each by one of them');
  });

  test('connections do change from one statement to the next', async () => {
    const pids = new Set<number>();
    for (let count = 0; count < 2 * SERVER_CONNECTIONS; count += 1) {
      const row = await engines[0]?.get<{ pid: number }>('select pg_backend_pid() as pid', []);
      pids.add(row?.pid ?? assert.fail());
    }
    assert.equal(pids.size, SERVER_CONNECTIONS);
  });

  test('commits are on disk before they are answered, on every connection, whatever is set for the database', async () => {
    const setting = `select current_setting('synchronous_commit') as value, pg_backend_pid() as pid`;
    const seen = new Map<number, string>();
    for (let count = 0; count < 2 * SERVER_CONNECTIONS; count += 1) {
      const row = await engines[0]?.transaction((sql) => sql.get<{ value: string; pid: number }>(setting, []));
      if (row) seen.set(row.pid, row.value);
    }
    assert.deepEqual([...seen.values()], Array(SERVER_CONNECTIONS).fill('on'));
  });

  test('documents are stored, moved and listed by two programs at once, and all is true afterwards', async () => {
    const tenants = [newEdb(), newEdb()];
    const work = storages().flatMap((storage) =>
      tenants.flatMap((tenant) =>
        Array.from({ length: 15 }, async (_, index) => {
          const { docUid } = await storage.transaction((tx) => tx.outbound.add(tenant, newOutbound(), MORNING));
          const event = index % 2 === 0 ? 'cancel' : 'prepare';
          await storage.transaction((tx) => tx.outbound.move(tenant, docUid, 10, event, record(MORNING)));
          const filter = { ...ANY_OUTBOUND, statuses: [20 as const, 60 as const] };
          assert.ok((await storage.outbound.list(tenant, filter, { page: 1, pageSize: 5 })).totalCount > 0);
          await assert.rejects(storage.transaction(() => Promise.reject(new Error('undone'))));
        }),
      ),
    );
    await Promise.all(work);
    for (const tenant of tenants) await assertListIsTrue(direct, tenant, 'outbound');
  });

  test('nothing is left on the connections: no lock, no setting, no statement, no open transaction', async () => {
    for (let count = 0; count < SERVER_CONNECTIONS; count += 1) {
      const row = await engines[0]?.get<Record<string, unknown>>(
        `select (select count(*) from pg_prepared_statements) as statements,
           (select count(*) from pg_settings where source = 'session' and name <> 'application_name') as settings,
           (select count(*) from pg_locks where locktype = 'advisory'
             and database = (select oid from pg_database where datname = current_database())) as locks,
           (select count(*) from pg_stat_activity
             where datname = current_database() and state like 'idle in transaction%') as open`,
        [],
      );
      assert.deepEqual({ ...row }, { statements: 0, settings: 0, locks: 0, open: 0 });
    }
  });
});
