import assert from 'node:assert/strict';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { systemRandom } from '../../src/adapters/platform/platform.ts';
import type { Engine } from '../../src/adapters/sql/engine.ts';
import { openPostgres } from '../../src/adapters/sql/postgres/open-postgres.ts';
import { createStorage } from '../../src/adapters/sql/storage.ts';
import { claimEnvironment } from '../../src/adapters/sql/store-environment.ts';
import { tryToWrite } from '../../src/adapters/sql/write-check.ts';
import { systemPlatform } from '../../src/app/system-platform.ts';
import { ServiceUnavailable } from '../../src/application/errors/service-unavailable.ts';
import { postgresServer } from '../support/postgres.ts';
import { temporaryFolder, until } from '../support/process.ts';
import { fail, gate, postgresEngines } from './postgres-engines.ts';
import { assertListIsTrue } from './recount.ts';
import { MORNING, newEdb, newOutbound, record } from './samples.ts';

const open = postgresEngines();

describe('a database that cannot serve', () => {
  const passing = [
    ...['08006', '08P01', '25006', '53100', '53200', '53300', '55P03', '57014', '57P01', '57P02', '57P03'],
    ...['3F000', '42501', '42P01'],
  ];
  for (const code of passing) {
    test(`${code} is told as a passing state, with its cause, inside a transaction and outside`, async () => {
      const engine = open();
      const isPassing = (error: unknown) =>
        error instanceof ServiceUnavailable && (error.cause as { code?: string }).code === code;
      await assert.rejects(fail(engine, code), isPassing);
      await assert.rejects(
        engine.transaction((sql) => fail(sql, code)),
        isPassing,
      );
      await assert.rejects(
        engine.snapshot((sql) => fail(sql, code)),
        isPassing,
      );
      assert.equal((await engine.get<{ one: number }>('select 1 as one', []))?.one, 1);
    });
  }

  for (const code of ['23505', '42703', '22003', 'XX000']) {
    test(`${code} is no passing state and flies as it is`, async () => {
      await assert.rejects(
        open().transaction((sql) => fail(sql, code)),
        { code },
      );
    });
  }

  test('a standby refuses to write, and is named', async () => {
    const writing = open().transaction(async (sql) => {
      await sql.run('set transaction read only', []);
      await sql.run('delete from audit', []);
    });
    await assert.rejects(
      writing,
      (error) => error instanceof ServiceUnavailable && /: it is a standby, or default_/u.test(error.message),
    );
  });

  test('tables that are gone, as while a dump is restored under a running service, are waited for', async () => {
    const engine = open();
    const isAway = (error: unknown) => error instanceof ServiceUnavailable && /"tenant"/u.test(String(error.cause));
    await engine.transaction((sql) => sql.run('alter table tenant rename to tenant_aside', []));
    await assert.rejects(engine.get('select count(*) as n from tenant', []), isAway);
    await assert.rejects(
      engine.transaction((sql) => sql.run('delete from tenant', [])),
      isAway,
    );
    await engine.transaction((sql) => sql.run('alter table tenant_aside rename to tenant', []));
    assert.ok(await engine.get('select count(*) as n from tenant', []));
  });

  test('a single table that is gone, or that the role may not use, counts as a database that cannot be written', async () => {
    await claimEnvironment(open(), 'demo', MORNING);
    const engine = open();
    const change = (text: string) => engine.transaction((sql) => sql.run(text, []));
    const isTold = (error: unknown) => error instanceof ServiceUnavailable && /table pace /u.test(String(error.cause));
    await change('alter table pace rename to pace_aside');
    await assert.rejects(tryToWrite(engine), isTold);
    await change('alter table pace_aside rename to pace');
    await tryToWrite(engine);
    // A role that every server has, with rights in this database.
    const asOther: Pick<Engine, 'transaction'> = {
      transaction: (work) =>
        engine.transaction(async (sql) => {
          await sql.run('set local role pg_monitor', []);
          return work(sql);
        }),
    };
    await change('grant all on all tables in schema public to pg_monitor');
    await tryToWrite(asOther);
    for (const right of ['select', 'insert', 'update', 'delete']) {
      await change(`revoke ${right} on pace from pg_monitor`);
      await assert.rejects(tryToWrite(asOther), isTold, right);
      await change(`grant ${right} on pace to pg_monitor`);
    }
    await tryToWrite(asOther);
  });

  test('a write that another process cannot end, as while a synchronous standby is gone, counts as none', async () => {
    await claimEnvironment(open(), 'demo', MORNING);
    const holding = gate();
    const held = gate();
    const hanging = open().transaction(async (sql) => {
      await sql.run('update store_environment set since = since', []);
      held.open();
      await holding.opened;
    });
    await held.opened;
    await assert.rejects(tryToWrite(open({ statementMs: 60 })), ServiceUnavailable);
    holding.open();
    await hanging;
    await tryToWrite(open());
  });

  test('when every connection is taken, callers wait for a while and are then sent away', async () => {
    const engine = open({ poolSize: 1, connectMs: 500 });
    // However long it takes on a busy machine.
    await until('a connection', () => engine.get('select 1 as one', []).catch(() => null));
    const holding = gate();
    const busy = engine.transaction(() => holding.opened);
    const waiting = [engine.get('select 1 as one', []), engine.transaction(async () => 'never')];
    for (const caller of await Promise.allSettled(waiting)) {
      assert.ok(caller.status === 'rejected' && caller.reason instanceof ServiceUnavailable);
    }
    holding.open();
    await busy;
    assert.equal(await engine.transaction(async () => 'again'), 'again');
  });

  test('a statement that takes too long is cut off, and so is a transaction that stands still', async () => {
    const engine = open({ statementMs: 60 });
    const sleeping = engine.transaction((sql) => sql.get('select pg_sleep(60)', []));
    await assert.rejects(sleeping, ServiceUnavailable);
    const standing = engine.transaction(async (sql) => {
      const { pid } = (await sql.get<{ pid: number }>('select pg_backend_pid() as pid', [])) ?? assert.fail();
      const watching = open();
      while ((await watching.get('select 1 as one from pg_stat_activity where pid = $1', [pid])) !== null);
      return sql.get('select 1 as one', []);
    });
    await assert.rejects(standing, ServiceUnavailable);
  });

  test('a server that is not there, or does not answer, is told without its address', async () => {
    for (const place of ['127.0.0.1:9', '127.0.0.1:9/x?host=%2Fnowhere', 'no-such-host.invalid']) {
      const engine = openPostgres(`postgres://someone:s3cret@${place}`, systemPlatform, { connectMs: 2_000 });
      const error = await engine.transaction(async () => null).catch((thrown: unknown) => thrown);
      assert.ok(error instanceof ServiceUnavailable, String(error));
      assert.doesNotMatch(JSON.stringify([error, error.message, error.cause, String(error.cause)]), /s3cret/u);
      await engine.close();
    }
  });

  const refusals = {
    'a database that is gone or has another name': 'postgres@localhost/no-such-database?',
    'a role that may not log in any more': 'no-such-role@localhost/postgres?',
    'a file of certificates that is gone': 'postgres@localhost/postgres?sslrootcert=%2Fno-such-file&',
    'a server that cannot prove who it is': 'postgres@localhost/postgres?sslmode=verify-full&',
  };
  for (const [what, place] of Object.entries(refusals)) {
    test(`${what}: no connection is a passing state, with its cause, inside a transaction and outside`, async () => {
      const { folder } = await postgresServer();
      const engine = openPostgres(`postgres://${place}host=${encodeURIComponent(folder)}`, systemPlatform);
      const isRefused = (error: unknown) => error instanceof ServiceUnavailable && error.cause instanceof Error;
      await assert.rejects(engine.get('select 1 as one', []), isRefused);
      await assert.rejects(
        engine.transaction(async () => null),
        isRefused,
      );
      await assert.rejects(engine.afterMigrations(), isRefused);
      await engine.close();
    });
  }

  test('a file of certificates that is gone when a broken connection is replaced harms only those who wait for it', async () => {
    const file = join(temporaryFolder(), 'ca.pem');
    writeFileSync(file, '');
    const { createDatabase } = await postgresServer();
    const url = `${await createDatabase()}&sslmode=disable&sslrootcert=${encodeURIComponent(file)}`;
    const engine = openPostgres(url, systemPlatform, { poolSize: 1 });
    let waiting = Promise.resolve();
    const breaking = engine.transaction(async (sql) => {
      await sql.get('select 1 as one', []);
      rmSync(file);
      waiting = assert.rejects(engine.get('select 1 as one', []), (error: Error) => {
        // An error that ended the process would not be told to whoever waits.
        assert.match(String(error.cause), /ENOENT/u);
        return error instanceof ServiceUnavailable;
      });
      await sql.run('select pg_terminate_backend(pg_backend_pid())', []);
    });
    await assert.rejects(breaking, ServiceUnavailable);
    await waiting;
    await engine.close();
  });

  test('a connection that the server ends in the moment in which it is opened harms only those who wait for it', async (t) => {
    // An error that nobody listens for would end the process.
    const uncaught: unknown[] = [];
    const note = (error: unknown) => uncaught.push(error);
    process.on('uncaughtExceptionMonitor', note);
    t.after(() => process.off('uncaughtExceptionMonitor', note));
    const message = (type: string, ...body: readonly (string | number)[]) => {
      const bytes = Buffer.from(
        body.map((part) => (typeof part === 'number' ? String.fromCharCode(part) : part)).join(''),
      );
      const length = Buffer.alloc(4);
      length.writeInt32BE(bytes.length + length.length);
      return Buffer.concat([Buffer.from(type), length, bytes]);
    };
    const welcome = [message('R', 0, 0, 0, 0), message('Z', 'I')];
    const end = message('E', 'SFATAL', 0, 'C57P01', 0, 'Mterminating connection due to administrator command', 0, 0);
    const folder = temporaryFolder();
    const server = createServer((socket) => {
      // In one piece, as when a server is shut down just then.
      socket.once('data', () => socket.end(Buffer.concat([...welcome, end])));
    }).listen(join(folder, '.s.PGSQL.5432'));
    await once(server, 'listening');
    const url = `postgres://postgres@localhost/postgres?host=${encodeURIComponent(folder)}`;
    const engine = openPostgres(url, systemPlatform);
    await assert.rejects(engine.get('select 1 as one', []), ServiceUnavailable);
    await assert.rejects(
      engine.transaction((sql) => sql.get('select 1 as one', [])),
      ServiceUnavailable,
    );
    await engine.close();
    server.close();
    assert.deepEqual(uncaught, []);
  });

  test('a connection that breaks while nobody uses it is replaced, and harms nobody', async () => {
    const engine = open({ poolSize: 3 });
    const pids = await Promise.all(
      [1, 2, 3].map(async () => (await engine.get<{ pid: number }>('select pg_backend_pid() as pid', []))?.pid ?? 0),
    );
    const other = open();
    for (const pid of pids) await other.get('select pg_terminate_backend($1)', [pid]);
    const query = () => engine.get('select 1 as one', []).then(Boolean, () => false);
    while (!(await query()));
    const storage = createStorage(engine, systemRandom);
    const tenant = newEdb();
    const { docUid } = await storage.transaction((tx) => tx.outbound.add(tenant, newOutbound(), MORNING));
    await storage.transaction((tx) => tx.outbound.move(tenant, docUid, 10, 'cancel', record(MORNING)));
    await assertListIsTrue(engine, tenant, 'outbound');
  });
});
