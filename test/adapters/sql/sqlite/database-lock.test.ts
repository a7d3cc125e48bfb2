import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { systemTimers } from '../../../../src/adapters/platform/timers.ts';
import type { Engine } from '../../../../src/adapters/sql/engine.ts';
import { openSqlite } from '../../../../src/adapters/sql/sqlite/open-sqlite.ts';
import { ServiceUnavailable } from '../../../../src/application/errors/service-unavailable.ts';
import { type ChildProgram, startChild } from '../../../support/child-program.ts';
import { steadyElapsedMs } from '../../../support/steady-time.ts';
import { temporaryFile } from '../temporary-file.ts';

/** A database with one table, and another process that holds the lock on it. Whoever waits goes by the given time. */
async function locked(
  context: TestContext,
  elapsedMs: () => number,
): Promise<{ readonly engine: Engine; readonly other: ChildProgram }> {
  const path = temporaryFile(context);
  const engine = openSqlite(path, { ...systemTimers, elapsedMs });
  context.after(() => engine.close());
  await engine.transaction((sql) => engine.script(sql, 'create table note (text text)'));
  const other = startChild(new URL('./hold-lock.ts', import.meta.url), path);
  context.after(() => other.process.kill());
  await other.printed(1);
  return { engine, other };
}

function write(engine: Engine, text: string): Promise<number> {
  return engine.transaction((sql) => sql.run('insert into note values ($1)', [text]));
}

async function notes(engine: Engine): Promise<readonly string[]> {
  return (await engine.all<{ text: string }>('select text from note order by text', [])).map(({ text }) => text);
}

test('a transaction waits while another process writes and succeeds when it is done; reads do not wait', async (context) => {
  // However long the other process takes: nobody has waited too long.
  const { engine, other } = await locked(context, () => 0);
  const order: string[] = [];
  const writing = Promise.all(['a', 'b'].map((text) => write(engine, text))).then(() => order.push('written'));
  for (let turn = 0; turn < 20; turn += 1) {
    assert.deepEqual(await notes(engine), []);
    await new Promise((resolve) => setImmediate(resolve));
  }
  order.push('freed');
  other.process.stdin.write('done');
  await writing;
  assert.deepEqual(order, ['freed', 'written']);
  assert.deepEqual(await notes(engine), ['a', 'b']);
});

test('held longer than a caller can wait: the service is unavailable, nothing is written, and it recovers', async (context) => {
  const { engine, other } = await locked(context, steadyElapsedMs);
  let turns = 0;
  const ticking = setInterval(() => {
    turns += 1;
  }, 10);
  context.after(() => clearInterval(ticking));
  const results = await Promise.allSettled(['a', 'b'].map((text) => write(engine, text)));
  for (const result of results) {
    assert.ok(result.status === 'rejected' && result.reason instanceof ServiceUnavailable);
  }
  assert.ok(turns > 20, 'the thread was free for others while the transactions waited');
  other.process.stdin.write('done');
  await other.ended;
  await write(engine, 'c');
  assert.deepEqual(await notes(engine), ['c']);
});
