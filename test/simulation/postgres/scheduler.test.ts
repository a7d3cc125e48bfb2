import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { postgresServer } from '../../support/postgres.ts';
import { chanceOf } from '../world/chance.ts';
import { createScheduler, type Scheduler } from './scheduler.ts';
import { type Answer, openSession, type Session } from './session.ts';

describe('one statement at a time on a real server:', () => {
  let url = '';
  let control: pg.Client;
  let sessions: Session[] = [];
  let scheduler: Scheduler;
  const told: string[] = [];

  before(async () => {
    url = await (await postgresServer()).createDatabase();
    control = new pg.Client({ connectionString: url });
    await control.connect();
    await control.query('create table place (name text primary key, taken integer not null)');
    sessions = await Promise.all([0, 1, 2].map((ordinal) => openSession(url, ordinal)));
  });
  after(() => Promise.all([...sessions, control].map((one) => one.end())));

  async function start(seed: string): Promise<void> {
    told.length = 0;
    for (const session of sessions) await session.send({ text: 'rollback', values: [] });
    await control.query("truncate place; insert into place values ('a', 0), ('b', 0)");
    scheduler = createScheduler(control, chanceOf(seed));
  }

  /** Runs it and tells, as the history would see it, whether it was answered or waits. */
  async function run(name: string, text: string, begin: string | null = null): Promise<void> {
    const session = sessions['xyz'.indexOf(name)];
    assert.ok(session);
    scheduler.run(
      session,
      { text, values: [], begin },
      {
        onAnswer: (answer) => void told.push(`${name} ${outcome(answer)}`),
        onWait: () => void told.push(`${name} waits`),
      },
    );
    await scheduler.settle();
  }

  function outcome(answer: Answer): string {
    return 'result' in answer ? answer.result.command : String((answer.error as pg.DatabaseError).code);
  }

  const take = (place: string) => `update place set taken = taken + 1 where name = '${place}'`;

  test('a statement that waits for a lock lets others go on, and is answered with the commit that frees it', async () => {
    await start('row');
    await run('x', take('a'), 'begin');
    await run('y', take('a'), 'begin');
    await run('z', take('b'));
    assert.deepEqual(told, ['x UPDATE', 'y waits', 'z UPDATE']);
    await run('x', 'commit');
    assert.deepEqual(told.slice(3).toSorted(), ['x COMMIT', 'y UPDATE']);
    await run('y', 'commit');
    assert.deepEqual((await control.query("select taken from place where name = 'a'")).rows, [{ taken: 2 }]);
  });

  test('locks by name are given in the order in which they were asked for', async () => {
    await start('name');
    const lock = 'select pg_advisory_xact_lock(7)';
    for (const name of ['x', 'y', 'z']) await run(name, lock, 'begin');
    assert.deepEqual(told, ['x SELECT', 'y waits', 'z waits']);
    await run('x', 'rollback');
    assert.deepEqual(told.slice(3).toSorted(), ['x ROLLBACK', 'y SELECT']);
    await run('y', 'rollback');
    assert.ok(told.includes('z SELECT'));
  });

  test('a deadlock has a victim that the seed chooses, and the same one each time', async () => {
    const victims: string[] = [];
    for (const seed of ['one', 'two', 'three', 'four', 'five', 'six', 'one', 'two', 'three', 'four', 'five', 'six']) {
      await start(seed);
      await run('x', take('a'), 'begin');
      await run('y', take('b'), 'begin');
      await run('x', take('b'));
      await run('y', take('a'));
      assert.deepEqual(told.slice(0, 4), ['x UPDATE', 'y UPDATE', 'x waits', 'y waits']);
      const [failed, went] = told.slice(4).toSorted((one) => (one.endsWith('40P01') ? -1 : 1));
      assert.match(`${failed} ${went}`, /^(?:x 40P01 y|y 40P01 x) UPDATE$/u);
      victims.push(String(failed));
    }
    assert.deepEqual(victims.slice(6), victims.slice(0, 6));
    assert.equal(new Set(victims).size, 2);
  });

  test('a wait that is broken off fails with its code', async () => {
    await start('broken off');
    await run('x', take('a'), 'begin');
    await run('y', take('a'));
    const [, waiting] = sessions;
    assert.ok(waiting !== undefined && scheduler.isWaiting(waiting));
    scheduler.cancel(waiting, '57014', 'canceling statement due to statement timeout');
    await scheduler.settle();
    assert.deepEqual(told, ['x UPDATE', 'y waits', 'y 57014']);
  });
});
