import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import pg from 'pg';
import type { Engine, Sql } from '../../src/adapters/sql/engine.ts';
import { migrate } from '../../src/adapters/sql/migrate.ts';
import { openPostgres, type PostgresOptions } from '../../src/adapters/sql/postgres/open-postgres.ts';
import { systemPlatform } from '../../src/app/system-platform.ts';
import { postgresServer } from '../support/postgres.ts';
import { postgresEngines } from './postgres-engines.ts';

type Query = (statement: string | pg.QueryConfig, values?: unknown[]) => Promise<unknown>;

const open = postgresEngines();

const STORE = `insert into code_list (environment, type, entries, read_at) values ('test', $1, '', 0)`;
const STORED = 'select type from code_list where type = $1';

/** An engine that sends what `sent` makes of each statement, and tells when a begin is answered. */
function openWith(sent: (text: string) => string, onBegun?: () => void): Engine {
  return open(sending(sent, onBegun));
}

function sending(sent: (text: string) => string, onBegun: () => void = () => undefined): PostgresOptions {
  return {
    createPool: (settings) => new pg.Pool({ ...settings, Client: clientOf(settings, sent, onBegun) } as pg.PoolConfig),
  };
}

function clientOf(settings: pg.PoolConfig, sent: (text: string) => string, onBegun: () => void): unknown {
  const { Client } = settings as unknown as { readonly Client: new (given: unknown) => pg.Client };
  return function connectWith(given: unknown) {
    const client = new Client(given);
    const query = client.query.bind(client) as Query;
    const send: Query = async (statement, values) => {
      if (typeof statement !== 'string') return query(statement, values);
      const answer = await query(sent(statement), values);
      if (statement.startsWith('begin')) onBegun();
      return answer;
    };
    return Object.assign(client, { query: send });
  };
}

async function isStored(type: string): Promise<boolean> {
  return (await open().get(STORED, [type])) !== null;
}

describe('the begin of a transaction', () => {
  test('goes together with what looks and locks; from the first change on statements wait for it, in their order', async () => {
    const events: string[] = [];
    const engine = openWith(
      (text) => {
        events.push(/\w+/u.exec(text)?.[0] ?? '');
        return text;
      },
      () => events.push('begun'),
    );
    await engine.transaction(async (sql) => {
      sql.lock('4030026000018 outbound');
      const stored = [sql.get(STORED, ['one']), sql.run(STORE, ['one']), sql.get(STORED, ['one'])] as const;
      assert.equal(await stored[0], null);
      assert.equal(await stored[1], 1);
      assert.deepEqual(await stored[2], { type: 'one' });
    });
    assert.deepEqual(events, ['begin', 'select', 'select', 'begun', 'insert', 'select', 'commit']);
  });

  test('that fails lets nothing be stored by itself, and the next transaction is served', async () => {
    let fails = true;
    const engine = openWith((text) => (fails && text.startsWith('begin') ? 'select 1 / 0' : text));
    const store = async (sql: Sql) => {
      await sql.get(STORED, ['two']);
      await Promise.all([sql.run(STORE, ['two']), sql.get(STORED, ['two'])]);
    };
    await assert.rejects(engine.transaction(store), /division by zero/u);
    await assert.rejects(
      engine.transaction((sql) => sql.get(STORED, ['two'])),
      /division by zero/u,
      'what was seen without a transaction does not count',
    );
    assert.equal(await isStored('two'), false);
    fails = false;
    await engine.transaction(store);
    assert.equal(await isStored('two'), true);
  });

  test('that fails lets nothing go by what was seen without a transaction', async () => {
    const engine = openWith((text) => (text.startsWith('begin') ? 'select 1 / 0' : text));
    let looks = 0;
    const look = async (sql: Sql) => {
      await sql.get(STORED, ['four']);
      looks += 1;
      throw new Error('there is none');
    };
    await assert.rejects(engine.transaction(look), /division by zero/u);
    await assert.rejects(engine.snapshot(look), /division by zero/u);
    const lock = async (sql: Sql) => {
      await sql.tryLocks(['4030026000018 outbound']);
      looks += 1;
    };
    await assert.rejects(engine.transaction(lock), /division by zero/u);
    assert.equal(looks, 0);
  });

  test('that fails lets no migration be applied by itself, which would then be applied again', async (t) => {
    const url = await (await postgresServer()).createDatabase();
    let begins = 0;
    const sent = (text: string) => (text.startsWith('begin') && ++begins === 2 ? 'select 1 / 0' : text);
    const engine = openPostgres(url, systemPlatform, sending(sent));
    t.after(() => engine.close());
    const newest = async () => (await migrate(engine, systemPlatform.timers, 0)).at(-1)?.version ?? 0;
    await assert.rejects(newest(), /division by zero/u);
    const [{ version } = { version: 0 }] = await engine.all<{ version: number }>(
      'select max(version) as version from schema_migration',
      [],
    );
    assert.equal(version, 1);
    assert.ok((await newest()) > 1);
  });

  test('nothing that still waits for it is sent when the transaction has ended', async () => {
    const engine = openWith((text) => text);
    let waiting: Promise<unknown> | null = null;
    const work = async (sql: Sql) => {
      waiting = assert.rejects(sql.run(STORE, ['three']), /has ended/u);
      throw new Error('the work failed');
    };
    await assert.rejects(engine.transaction(work), /the work failed/u);
    await waiting;
    assert.equal(await isStored('three'), false);
  });

  test('no transaction is committed without what still waits for it', async () => {
    const engine = openWith((text) => text);
    const careless = engine.transaction(async (sql) => {
      sql.run(STORE, ['five']).catch(() => undefined);
    });
    await assert.rejects(careless, /has ended/u);
    assert.equal(await isStored('five'), false);
  });
});
