import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readlinkSync, symlinkSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { systemTimers } from '../../../../src/adapters/platform/timers.ts';
import type { Engine, Sql } from '../../../../src/adapters/sql/engine.ts';
import { migrate } from '../../../../src/adapters/sql/migrate.ts';
import { type Connection, connect, statementText } from '../../../../src/adapters/sql/sqlite/connection.ts';
import { fromThreadFailure, toThreadFailure, translateError } from '../../../../src/adapters/sql/sqlite/failure.ts';
import { openSqlite } from '../../../../src/adapters/sql/sqlite/open-sqlite.ts';
import { CommitUnknown, databaseFailureText } from '../../../../src/application/errors/commit-unknown.ts';
import { ServiceUnavailable } from '../../../../src/application/errors/service-unavailable.ts';
import { temporaryFile } from '../temporary-file.ts';

async function opened(test: TestContext): Promise<{ readonly path: string; readonly engine: Engine }> {
  const path = temporaryFile(test);
  const engine = openSqlite(path, systemTimers);
  test.after(() => engine.close());
  await migrate(engine, systemTimers, 0);
  return { path, engine };
}

async function pragma(sql: Sql, name: string): Promise<unknown> {
  return Object.values((await sql.get<Record<string, unknown>>(`pragma ${name}`, [])) ?? {})[0];
}

/** What PRAGMA synchronous answers for FULL: the log is flushed to disk before a commit returns. */
const FULL = 2;

test('writes are logged ahead, flushed at every commit, and references are enforced', async (context) => {
  const { engine } = await opened(context);
  const settings = (sql: Sql) =>
    Promise.all(['journal_mode', 'synchronous', 'foreign_keys'].map((name) => pragma(sql, name)));
  assert.deepEqual(await engine.transaction(settings), ['wal', FULL, 1]);
  assert.deepEqual(await settings(engine), ['wal', FULL, 1]);
});

test('the log mode is a property of the file: another program finds it so', async (context) => {
  const { path } = await opened(context);
  const other = new DatabaseSync(path);
  assert.equal(Object.values(other.prepare('pragma journal_mode').get() ?? {})[0], 'wal');
  other.close();
});

test('a write outside a transaction is refused, however often and in whatever guise it comes', async (context) => {
  const { engine } = await opened(context);
  const write = "delete from content where tenant = 'x'";
  for (let times = 0; times < 3; times += 1) {
    await assert.rejects(engine.run(write, []), /readonly/);
    await assert.rejects(engine.get(`${write} returning tenant`, []), /readonly/);
    await assert.rejects(engine.all(`${write} returning tenant`, []), /readonly/);
  }
});

test('reads see nothing of a transaction before it is committed, and all of it afterwards', async (context) => {
  const { engine } = await opened(context);
  await engine.transaction((sql) => engine.script(sql, 'create table note (text text)'));
  const notes = async () => (await engine.all<{ text: string }>('select text from note', [])).map(({ text }) => text);
  const first = () => engine.get<{ text: string }>('select text from note limit $1', [1]);
  assert.deepEqual([await notes(), await first()], [[], null]);
  await engine.transaction(async (sql) => {
    await sql.run("insert into note values ('new')", []);
    assert.deepEqual([await notes(), await first()], [[], null]);
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual([await notes(), await first()], [[], null]);
  });
  assert.deepEqual([await notes(), (await first())?.text], [['new'], 'new']);
});

test('reads see what another program has committed', async (context) => {
  const { path, engine } = await opened(context);
  await engine.transaction((sql) => engine.script(sql, 'create table note (text text)'));
  const count = async () => (await engine.get<{ n: number }>('select count(*) as n from note', []))?.n;
  assert.deepEqual([await count(), await count()], [0, 0]);
  const other = new DatabaseSync(path);
  other.exec("insert into note values ('theirs')");
  other.close();
  assert.equal(await count(), 1);
});

test('limits given as parameters hold, and are no bare ones, by which SQLite would plan the statement at each run', async (context) => {
  const { engine } = await opened(context);
  const text =
    'with recursive n (i) as (select 1 union all select i + 1 from n where i < 9) select i from n limit $1 offset $2';
  const rows = await engine.all<{ i: number }>(text, [2, 3]);
  assert.deepEqual(
    rows.map(({ i }) => i),
    [4, 5],
  );
  assert.match(statementText(text), /limit \?1 \+ 0 offset \?2 \+ 0$/u);
});

test('a number that stands for a parameter several times, or above nine, means the same parameter', async (context) => {
  const { engine } = await opened(context);
  const values = Array.from({ length: 12 }, (_, index) => `p${index + 1}`);
  const row = await engine.get(
    'select $1 as a, $12 as b, $2 as c, $1 as d, $10 as e, $3 as f, $4 as g, $5 as h, $6 as i, $7 as j, $8 as k, $9 as l, $11 as m',
    values,
  );
  assert.deepEqual(Object.values(row ?? {}).slice(0, 5), ['p1', 'p12', 'p2', 'p1', 'p10']);
});

test('closing waits for transactions that are under way and keeps what they wrote', async (context) => {
  const path = temporaryFile(context);
  const engine = openSqlite(path, systemTimers);
  await engine.transaction((sql) => engine.script(sql, 'create table note (text text)'));
  const writing = engine.transaction(async (sql) => {
    await new Promise((resolve) => setImmediate(resolve));
    await sql.run("insert into note values ('kept')", []);
  });
  await engine.close();
  await writing;
  const again = openSqlite(path, systemTimers);
  context.after(() => again.close());
  assert.deepEqual(
    (await again.all<{ text: string }>('select text from note', [])).map(({ text }) => text),
    ['kept'],
  );
});

test('a transaction on a closed database is refused at once and harms nobody', async (context) => {
  const engine = openSqlite(temporaryFile(context), systemTimers);
  await engine.close();
  await assert.rejects(
    engine.transaction(async () => 'never'),
    /not open/,
  );
});

test('a read on a closed database is refused, also one that was answered before', async (context) => {
  const engine = openSqlite(temporaryFile(context), systemTimers);
  const read = () => engine.get('select 1 as one', []);
  for (let times = 0; times < 2; times += 1) assert.equal(Object.values((await read()) ?? {})[0], 1);
  await engine.close();
  assert.match((await read().catch((error: Error) => error.message)) as string, /finalized/);
});

test('a database on a full disk is not said to be on one that fails, nor the other way round', (context) => {
  const path = temporaryFile(context);
  const failing = (errcode: number) => () => {
    throw Object.assign(new Error('disk I/O error'), { errcode });
  };
  const told = (errcode: number, target?: string) => {
    if (target !== undefined) symlinkSync(target, `${path}-room`);
    try {
      openSqlite(path, systemTimers, failing(errcode));
    } catch (error) {
      return (error as Error).message;
    }
    return assert.fail();
  };
  assert.match(
    told(4_874, '/dev/full'),
    new RegExp(`^${path} cannot be opened: its disk is full, .+ Make room on`, 'u'),
  );
  assert.match(told(4_874, '/dev/null/x'), new RegExp(`^${path} cannot be opened: ENOTDIR: `, 'u'));
  assert.equal(told(4_874), 'disk I/O error');
  assert.equal(told(10), 'disk I/O error');
  assert.ok(!existsSync(`${path}-room`));
});

test('a refused write on a disk that is not full names what may refuse it: SQLite does not', () => {
  const failed = (errcode: number) => Object.assign(new Error('disk I/O error'), { errcode });
  const told = (errcode: number) => databaseFailureText(translateError(failed(errcode)) as ServiceUnavailable);
  const byThread = fromThreadFailure(toThreadFailure(failed(778))) as ServiceUnavailable;
  for (const text of [told(778), databaseFailureText(byThread)]) {
    assert.match(text, /disk I\/O error: a write was refused .+read-only.+dmesg.+quota.+ulimit -f, LimitFSIZE=/u);
  }
  assert.equal(told(10), 'The database cannot serve at this moment. disk I/O error');
});

/** Whose commits fail as often as there are codes left. */
function failingAtCommit(codes: readonly number[]) {
  const left = [...codes];
  return (path: string): Connection => {
    const connection = connect(path);
    const prepare = connection.prepare.bind(connection);
    return Object.assign(connection, {
      prepare(text: string) {
        const statement = prepare(text);
        if (text !== 'commit') return statement;
        const run = statement.run.bind(statement);
        return Object.assign(statement, {
          run() {
            const errcode = left.shift();
            if (errcode !== undefined) throw Object.assign(new Error('it failed'), { errcode });
            return run();
          },
        });
      },
    });
  };
}

test('whether a commit is done is called unknown where it failed after it may have come into the log, and nowhere else', async (context) => {
  const path = temporaryFile(context);
  await openSqlite(path, systemTimers).transaction((sql) => sql.run('create table note (text text)', []));
  const [FLUSH, INDEX_ROOM, INDEX_MEMORY, MEMORY, WRITE, FULL_DISK] = [1_034, 4_874, 3_082, 7, 778, 13];
  const unknown = [FLUSH, INDEX_ROOM, INDEX_MEMORY, MEMORY];
  const notDone = [WRITE, FULL_DISK];
  const engine = openSqlite(path, systemTimers, failingAtCommit([...unknown, ...notDone]));
  context.after(() => engine.close());
  const note = () => engine.transaction((sql) => sql.run("insert into note values ('one')", []));
  for (const code of unknown) {
    const [first, second] = await Promise.allSettled([note(), note()]);
    for (const told of [first, second]) {
      assert.ok(told?.status === 'rejected' && told.reason instanceof CommitUnknown, `${code}`);
      assert.match(databaseFailureText(told.reason), /may be found.+ it failed$/u);
    }
  }
  for (const code of notDone) await assert.rejects(note, ServiceUnavailable, `${code}`);
  await note();
  assert.equal((await engine.all('select text from note', [])).length, 1);
});

test('what passes is told as a failure of the database, also when others were always first at the index of its log', () => {
  for (const errcode of [5, 7, 10, 13, 14, 15]) {
    assert.ok(translateError(Object.assign(new Error('it failed'), { errcode })) instanceof ServiceUnavailable);
  }
});

test('a database that can only be read says why where it is written, and is refused to whoever must write', async (context) => {
  const path = temporaryFile(context);
  await openSqlite(path, systemTimers).close();
  const onlyReading = () => new DatabaseSync(path, { readOnly: true });
  const engine = openSqlite(path, systemTimers, onlyReading);
  const told = await engine
    .transaction((sql) => engine.script(sql, 'create table note (text text)'))
    .catch(databaseFailureText);
  await engine.close();
  assert.match(String(told), /attempt to write a readonly database: .+disk is read-only.+dmesg.+another user/u);
  assert.throws(() => openSqlite(path, systemTimers, onlyReading, true), /readonly database/u);
});

test('whoever must write is not refused because another one writes at this moment', async (context) => {
  const path = temporaryFile(context);
  const other = openSqlite(path, systemTimers);
  await other.transaction(async () => openSqlite(path, systemTimers, undefined, true).close());
  await other.close();
});

test('a full disk undoes the whole group, is named as the cause, and is over when there is room again', async (context) => {
  const { engine } = await opened(context);
  const insert = (size: number) =>
    engine.transaction((sql) =>
      sql.run('insert into content (tenant, sha256, bytes) values ($1, $2, $3)', [
        'x',
        Uint8Array.of(size % 251, size % 256),
        new Uint8Array(size),
      ]),
    );
  const limit = async (pages: number) =>
    engine.transaction(async (sql) => {
      const count = Number(await pragma(sql, 'page_count'));
      await engine.script(sql, `pragma max_page_count = ${count + pages}`);
    });
  await limit(20);
  const results = await Promise.allSettled([insert(10), insert(1_000_000), insert(20)]);
  const stored = await engine.get<{ files: number }>('select count(*) as files from content', []);
  assert.equal(stored?.files, results.filter(({ status }) => status === 'fulfilled').length);
  const [, tooLarge] = results;
  assert.ok(tooLarge?.status === 'rejected');
  const told = `${tooLarge.reason} ${(tooLarge.reason as Error).cause ?? ''}`;
  assert.match(told, /full/, 'the operator must be able to read the reason in the log');
  await limit(10_000);
  await insert(1_000_000);
});

test('nothing is left of a work whose first step met a full disk, whatever it had sent along', async (context) => {
  const { engine } = await opened(context);
  await engine.transaction((sql) => engine.script(sql, 'create table note (text text)'));
  const fill = (sql: Sql) =>
    sql.run("insert into content (tenant, sha256, bytes) values ('x', x'01', $1)", [new Uint8Array(1_000_000)]);
  const note = (sql: Sql, text: string) => sql.run('insert into note values ($1)', [text]);
  await engine.transaction(async (sql) => {
    const count = Number(await pragma(sql, 'page_count'));
    await engine.script(sql, `pragma max_page_count = ${count + 20}`);
  });
  const results = await Promise.allSettled([
    engine.transaction((sql) => Promise.all([fill(sql), note(sql, 'sent along')])),
    engine.transaction(async (sql) => {
      await fill(sql).catch(() => undefined);
      await note(sql, 'after a failure that was passed over');
    }),
    engine.transaction((sql) => note(sql, 'of another')),
  ]);
  const kept = await engine.all<{ text: string }>('select text from note', []);
  const isOtherKept = results[2]?.status === 'fulfilled';
  assert.deepEqual(
    kept.map(({ text }) => text),
    isOtherKept ? ['of another'] : [],
  );
  assert.deepEqual(
    results.slice(0, 2).map(({ status }) => status),
    ['rejected', 'rejected'],
  );
});

test('what a work still had under way when it failed is undone with it, and is not kept with those beside it', async (context) => {
  const { engine } = await opened(context);
  await engine.transaction((sql) => engine.script(sql, 'create table note (text text, number integer) strict'));
  const note = (sql: Sql, text: string, number: number | string) =>
    sql.run('insert into note values ($1, $2)', [text, number]);
  const several = async (sql: Sql, text: string) => {
    for (let number = 0; number < 30; number += 1) await note(sql, text, number);
  };
  const results = await Promise.allSettled([
    engine.transaction((sql) => several(sql, 'before')),
    engine.transaction((sql) => Promise.all([note(sql, 'refused', 'no number'), several(sql, 'refused')])),
    engine.transaction((sql) => several(sql, 'after')),
  ]);
  const kept = await engine.all('select text, count(*) as notes from note group by text order by text', []);
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  assert.deepEqual(
    kept.map((row) => ({ ...(row as object) })),
    [
      { text: 'after', notes: 30 },
      { text: 'before', notes: 30 },
    ],
  );
});

test('a connection that could not be opened whole leaves no file open, however often it is tried', async (context) => {
  const path = temporaryFile(context);
  await openSqlite(path, systemTimers).close();
  mkdirSync(`${path}-wal`);
  for (let times = 0; times < 20; times += 1) assert.throws(() => connect(path), /unable to open database file/u);
  const open = readdirSync('/proc/self/fd').map(targetOf);
  assert.deepEqual(
    open.filter((file) => file.startsWith(path)),
    [],
  );
});

/** Nothing for the descriptor by which the folder was read: it is closed by then. */
function targetOf(descriptor: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return '';
  }
}
