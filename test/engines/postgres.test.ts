import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { systemRandom } from '../../src/adapters/platform/platform.ts';
import { systemTimers } from '../../src/adapters/platform/timers.ts';
import type { Sql } from '../../src/adapters/sql/engine.ts';
import { hasTable } from '../../src/adapters/sql/has-table.ts';
import { migrate } from '../../src/adapters/sql/migrate.ts';
import { openPostgres } from '../../src/adapters/sql/postgres/open-postgres.ts';
import { createStorage } from '../../src/adapters/sql/storage.ts';
import { systemPlatform } from '../../src/app/system-platform.ts';
import { CommitUnknown } from '../../src/application/errors/commit-unknown.ts';
import { ServiceUnavailable } from '../../src/application/errors/service-unavailable.ts';
import { postgresServer } from '../support/postgres.ts';
import { until } from '../support/process.ts';
import { fail, gate, postgresEngines } from './postgres-engines.ts';
import { addOutboundIn, MORNING, newEdb, newOutbound } from './samples.ts';

const open = postgresEngines();

test('several processes that start at once migrate once', async () => {
  const url = await (await postgresServer()).createDatabase();
  const engines = Array.from({ length: 6 }, () => openPostgres(url, systemPlatform));
  const applied = await Promise.all(engines.map((engine) => migrate(engine, systemTimers, 0)));
  await Promise.all(engines.map((engine) => engine.close()));
  const versions = applied.flat().map(({ version }) => version);
  assert.ok(versions.length > 0);
  assert.equal(new Set(versions).size, versions.length, 'each by one of them');
});

test('a new database that cannot hold every letter is refused before it gets tables', async () => {
  const { createDatabase } = await postgresServer();
  const url = await createDatabase(`encoding 'ISO_8859_5' locale_provider libc locale 'C' template template0`);
  const engine = openPostgres(url, systemPlatform);
  // With a locale of its own: that of such a server is of the same encoding, and PostgreSQL refuses to put UTF8 beside it.
  const advised = `encoding 'UTF8' locale 'C' template template0`;
  const refusal = new RegExp(`has the encoding ISO_8859_5, .* create database <name> ${advised}\\.$`, 'u');
  await assert.rejects(migrate(engine, systemTimers, 0), refusal);
  await createDatabase(advised);
  assert.equal(await hasTable(engine, 'schema_migration'), false);
  await engine.close();
});

describe('values', () => {
  test('all text is compared byte by byte, whatever the language of the database', async () => {
    const columns = await open().all<{ column: string; collation: string | null }>(
      `select table_name || '.' || column_name as column, collation_name as collation
       from information_schema.columns where table_schema = current_schema() and data_type = 'text'`,
      [],
    );
    assert.ok(columns.length > 50);
    assert.deepEqual(
      columns.filter(({ collation }) => collation !== 'C').map(({ column }) => column),
      [],
    );
  });

  test('numbers come back as numbers, bytes as bytes, nothing as null', async () => {
    const row = await open().get<Record<string, unknown>>(
      `select cast($1 as smallint) as small, cast($2 as integer) as middle, cast($3 as bigint) as big,
         cast($4 as double precision) as real, cast($3 as bigint) + 0.0 as exact, cast($5 as bytea) as bytes,
         cast($6 as text) as nothing`,
      [-7, 2 ** 31 - 1, Number.MAX_SAFE_INTEGER, 0.375, Uint8Array.of(0, 1, 0xff), null],
    );
    const { bytes, ...others } = row ?? {};
    const big = Number.MAX_SAFE_INTEGER;
    assert.deepEqual({ ...others }, { small: -7, middle: 2 ** 31 - 1, big, real: 0.375, exact: big, nothing: null });
    assert.ok(bytes instanceof Uint8Array);
    assert.deepEqual([...bytes], [0, 1, 0xff]);
  });

  const MOST_BYTES = 255 * 1_048_576;

  async function roundTrip(bytes: number): Promise<number | undefined> {
    const given = new Uint8Array(bytes);
    return (await open().get<{ bytes: Uint8Array }>('select cast($1 as bytea) as bytes', [given]))?.bytes.length;
  }

  test('a file that is too large to be read again is refused', async () => {
    await assert.rejects(roundTrip(MOST_BYTES + 1), /takes files up to/u);
  });

  test('the largest file that is taken can be read again', {
    skip: process.env['TEST_LONG'] === '1' ? false : 'it sends 255 MiB to and fro: npm run test:long',
  }, async () => {
    assert.equal(await roundTrip(MOST_BYTES), MOST_BYTES);
  });

  test('the one character that text cannot hold is replaced instead of refused', async () => {
    const row = await open().get<{ text: string }>('select cast($1 as text) as text', ['a\0b']);
    assert.equal(row?.text, 'a\uFFFDb');
  });
});

describe('transactions', () => {
  before(async () => {
    const engine = open();
    await engine.transaction((sql) => engine.script(sql, 'create table pair (name text primary key, times integer)'));
  });

  test('two that wait for each other both come to an end: one of them is done again', async () => {
    const engine = open();
    await engine.transaction((sql) => sql.run("insert into pair values ('a', 0), ('b', 0)", []));
    const [first, second] = [gate(), gate()];
    let runs = 0;
    const count = (sql: Sql, name: string) => sql.run('update pair set times = times + 1 where name = $1', [name]);
    const crossing = (order: readonly string[], mine: ReturnType<typeof gate>, others: ReturnType<typeof gate>) =>
      engine.transaction(async (sql) => {
        runs += 1;
        for (const name of order) {
          await count(sql, name);
          mine.open();
          await others.opened;
        }
      });
    await Promise.all([crossing(['a', 'b'], first, second), crossing(['b', 'a'], second, first)]);
    assert.ok(runs >= 3, 'the work of one was run again');
    const rows = await engine.all<{ times: number }>('select times from pair', []);
    assert.deepEqual(
      rows.map(({ times }) => times),
      [2, 2],
    );
  });

  test('one that collides again and again is given up, to be asked for later', async () => {
    let runs = 0;
    const colliding = open().transaction(async (sql) => {
      runs += 1;
      await fail(sql, '40001');
    });
    await assert.rejects(colliding, (error) => error instanceof ServiceUnavailable);
    assert.ok(runs > 3);
  });

  test('a statement outside of them that collides with one is run again too', async (t) => {
    const url = new URL(await (await postgresServer()).createMigratedDatabase());
    // A setting of the server, of a database or of a role: nobody who waits for a row that is changed then gets it.
    url.searchParams.set('options', '-c default_transaction_isolation=serializable');
    const engine = openPostgres(url.href, systemPlatform);
    t.after(() => engine.close());
    const row = "insert into code_list (environment, type, entries, read_at) values ('test', 'units', '', 0)";
    await engine.run(row, []);
    const [changed, waited] = [gate(), gate()];
    const changing = engine.transaction(async (sql) => {
      await sql.run("update code_list set entries = 'kg'", []);
      changed.open();
      await waited.opened;
    });
    await changed.opened;
    const colliding = engine.run('update code_list set read_at = read_at + 1', []);
    const waiting = `select 1 as one from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await until('it waits for the row', () => engine.get(waiting, []));
    waited.open();
    await changing;
    assert.equal(await colliding, 1);
    assert.deepEqual(await engine.all('select entries, read_at from code_list', []), [{ entries: 'kg', read_at: 1 }]);
  });

  test('one in which a statement failed is not committed, even if nobody minded', async () => {
    const engine = open();
    const careless = engine.transaction(async (sql) => {
      await sql.run("insert into pair values ('careless', 0)", []);
      await fail(sql, '22012').catch(() => undefined);
    });
    await assert.rejects(careless, { code: '22012' });
    assert.equal(await engine.get("select 1 as one from pair where name = 'careless'", []), null);
  });

  test('a statement that comes when its transaction is over is refused', async () => {
    const leaked = await open().transaction(async (sql) => ({ sql }));
    await assert.rejects(leaked.sql.run("insert into pair values ('late', 0)", []), /has ended/u);
  });

  test('one whose connection breaks at the commit does not claim that nothing was changed', async () => {
    const engine = open();
    await engine.transaction((sql) =>
      engine.script(
        sql,
        `create function break() returns trigger language plpgsql as
           'begin perform pg_terminate_backend(pg_backend_pid()); return null; end';
         create constraint trigger breaking after insert on pair deferrable initially deferred
           for each row when (new.name = 'breaking') execute function break()`,
      ),
    );
    const broken = engine.transaction((sql) => sql.run("insert into pair values ('breaking', 0)", []));
    await assert.rejects(broken, (error) => !(error instanceof ServiceUnavailable) && /not known/u.test(String(error)));
    assert.equal(await engine.transaction((sql) => sql.run("insert into pair values ('sound', 0)", [])), 1);
  });

  test('one whose commit is answered by a pooler that has lost the server does not claim it either', async () => {
    const engine = open();
    // As a pooler says it whose connection to the client goes on.
    await engine.transaction((sql) =>
      engine.script(
        sql,
        `create function lose() returns trigger language plpgsql as
           $$ begin raise exception 'server conn crashed?' using errcode = '08P01'; end $$;
         create constraint trigger losing after insert on pair deferrable initially deferred
           for each row when (new.name = 'losing') execute function lose()`,
      ),
    );
    const lost = engine.transaction((sql) => sql.run("insert into pair values ('losing', 0)", []));
    await assert.rejects(lost, CommitUnknown);
  });

  test('a tenant whose list is held does not keep another tenant waiting', async () => {
    const storage = createStorage(open(), systemRandom);
    const [held, free] = [newEdb(), newEdb()];
    const [holding, release] = [gate(), gate()];
    const slow = storage.transaction(async (tx) => {
      await tx.outbound.add(held, newOutbound(), MORNING);
      holding.open();
      await release.opened;
    });
    await holding.opened;
    await storage.transaction((tx) => tx.outbound.add(free, newOutbound(), MORNING));
    release.open();
    await slow;
  });

  test('what a wrong clock has postponed is recalled without waiting for who changes some of it', async () => {
    const storage = createStorage(open(), systemRandom);
    const tenants = [newEdb(), newEdb()] as const;
    const late = MORNING + 1_000;
    await storage.transaction(async (tx) => {
      for (const tenant of tenants) {
        const { docUid } = await addOutboundIn(tx, tenant, 40, newOutbound(), MORNING);
        await tx.voids.request(tenant, docUid, { code: 'S-1', name: 'Погрешен купувач', comment: null }, late);
        await tx.recurringTasks.schedule(tenant, ['collect'], late);
      }
    });
    const longest = { leaseMs: 0, lookUpMs: 0, retryMs: 0 };
    const recalled = await storage.transaction(async (tx) => {
      await tx.voids.retryNow(tenants[0], [], MORNING);
      await tx.recurringTasks.runNow(tenants[0], 'collect', MORNING);
      return Promise.all([
        storage.transaction((other) => other.voids.recallPostponed(MORNING, longest)),
        storage.transaction((other) =>
          other.recurringTasks.recallPostponed('collect', MORNING, { leaseMs: 0, pauseMs: 0 }),
        ),
      ]);
    });
    assert.deepEqual(recalled, [1, 1], 'those of the other');
  });

  test('closing waits for transactions that are under way and keeps what they wrote', async () => {
    const engine = open();
    const begun = gate();
    const writing = engine.transaction(async (sql) => {
      begun.open();
      await new Promise((resolve) => setImmediate(resolve));
      return sql.run("insert into pair values ('kept', 0)", []);
    });
    await begun.opened;
    await engine.close();
    assert.equal(await writing, 1);
    assert.notEqual(await open().get("select 1 as one from pair where name = 'kept'", []), null);
    await assert.rejects(engine.get('select 1 as one', []));
  });
});
