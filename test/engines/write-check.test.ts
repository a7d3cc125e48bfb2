import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { systemTimers } from '../../src/adapters/platform/timers.ts';
import type { Engine } from '../../src/adapters/sql/engine.ts';
import { claimEnvironment } from '../../src/adapters/sql/store-environment.ts';
import { TABLES } from '../../src/adapters/sql/tables.ts';
import { createWriteCheck } from '../../src/adapters/sql/write-check.ts';
import { ServiceUnavailable } from '../../src/application/errors/service-unavailable.ts';
import { onEveryEngine } from '../support/engines.ts';
import { MORNING } from './samples.ts';

const SECOND = 1_000;

const ALL_TABLES = `select name
/*postgres from (select cast(tablename as text) as name from pg_tables where schemaname = current_schema()) as made */
/*sqlite from sqlite_schema where type = 'table' and name not like 'sqlite!_%' escape '!' */
order by name`;

/** Time that a test sets, and an engine that counts its transactions and can be made to fail. */
function counted(engine: Engine) {
  const state = { elapsedMs: 0, transactions: 0, isWritable: true };
  const transaction: Engine['transaction'] = (work) => {
    state.transactions += 1;
    return state.isWritable
      ? engine.transaction(work)
      : Promise.reject(new ServiceUnavailable('It cannot be written.'));
  };
  return { state, check: createWriteCheck({ transaction }, { ...systemTimers, elapsedMs: () => state.elapsedMs }) };
}

onEveryEngine('whether a database can be written', (database) => {
  before(() => claimEnvironment(database().engine, 'demo', MORNING));
  async function claim(): Promise<unknown[]> {
    const rows = await database().engine.all<Record<string, unknown>>('select * from store_environment', []);
    return rows.map((row) => ({ ...row }));
  }

  test('it is seen by a write that leaves everything as it was, however many look at once', async () => {
    const engines = [database(), await database().openAgain()].map(({ engine }) => engine);
    const looks = Array.from({ length: 40 }, (_, index) => counted(engines[index % 2] ?? assert.fail()).check());
    await Promise.all(looks);
    assert.deepEqual(await claim(), [{ id: 1, environment: 'demo', since: MORNING }]);
  });

  test('whoever asks while a look waits shares it: looks that wait leave connections for everybody else', async () => {
    const { state, check } = counted(database().engine);
    await Promise.all(Array.from({ length: 20 }, check));
    assert.equal(state.transactions, 1);
    Object.assign(state, { isWritable: false, elapsedMs: 5 * SECOND });
    const looks = await Promise.allSettled(Array.from({ length: 20 }, check));
    assert.ok(looks.every(({ status }) => status === 'rejected'));
    assert.equal(state.transactions, 2);
  });

  test('a write counts for five seconds, a failure not at all', async () => {
    const { state, check } = counted(database().engine);
    for (const at of [0, 1, 4.9]) {
      state.elapsedMs = at * SECOND;
      await check();
    }
    assert.equal(state.transactions, 1);
    state.isWritable = false;
    state.elapsedMs = 5 * SECOND;
    for (let count = 0; count < 3; count += 1) await assert.rejects(check(), ServiceUnavailable);
    state.isWritable = true;
    await check();
    assert.equal(state.transactions, 5);
  });

  test('the tables that are looked at are those that the migrations make', async () => {
    const made = await database().engine.all<{ name: string }>(ALL_TABLES, []);
    assert.deepEqual(
      made.map(({ name }) => name),
      TABLES,
    );
  });
});
