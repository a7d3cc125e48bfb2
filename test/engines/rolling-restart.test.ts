import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { systemTimers } from '../../src/adapters/platform/timers.ts';
import type { Engine } from '../../src/adapters/sql/engine.ts';
import { migrate } from '../../src/adapters/sql/migrate.ts';
import { openPostgres } from '../../src/adapters/sql/postgres/open-postgres.ts';
import { systemPlatform } from '../../src/app/system-platform.ts';
import { postgresServer } from '../support/postgres.ts';
import { MORNING, newEdb } from './samples.ts';

const SHA256 = new Uint8Array(32);

let engine: Engine;
before(async () => {
  engine = openPostgres(await (await postgresServer()).createDatabase(), systemPlatform);
  await migrate(engine, systemTimers, MORNING);
});
after(() => engine.close());

const run = (text: string, values: readonly (string | number | Uint8Array | null)[]) =>
  engine.transaction((sql) => sql.run(text, values));

test('a process of the version before migration 5 claims and settles recurring tasks beside new ones', async () => {
  const tenant = newEdb();
  const insert = `insert into errand (tenant, name, due_at, failures) values ($1, $2, $3, 0) on conflict do nothing`;
  assert.deepEqual([await run(insert, [tenant, 'collect', 1]), await run(insert, [tenant, 'collect', 2])], [1, 0]);
  const claimed = await engine.transaction((sql) =>
    sql.all<{ tenant: string; name: string }>(
      `with due as materialized (
         select tenant, name from errand where due_at <= $3 order by due_at limit $4 /*postgres for update skip locked*/
       )
       update errand set lease = $1, due_at = $2 where (tenant, name) in (select tenant, name from due)
       returning tenant, name, note, failures`,
      ['old', MORNING, 5, 10],
    ),
  );
  assert.deepEqual(
    claimed.map(({ name }) => name),
    ['collect'],
  );
  const settle = `update errand set lease = null, due_at = $4, note = $5, failures = $6, failure = $7
    where tenant = $1 and name = $2 and lease = $3`;
  assert.equal(await run(settle, [tenant, 'collect', 'old', MORNING, 'kept', 0, null]), 1);
  const row = await engine.get<{ note: string }>('select note from recurring_task where tenant = $1', [tenant]);
  assert.equal(row?.note, 'kept');
});

test('a process of the version before migration 5 keeps, replaces and expires idempotency records', async () => {
  const tenant = newEdb();
  const keep = `insert into submission (tenant, software, idempotency_sha256, content_sha256, doc_uid, received_at, forget_at)
    values ($1, $2, $3, $4, $5, $6, $7)
    on conflict (tenant, software, idempotency_sha256) do update
    set content_sha256 = excluded.content_sha256, doc_uid = excluded.doc_uid,
        received_at = excluded.received_at, forget_at = excluded.forget_at
    where submission.forget_at <= $8`;
  const values = (docUid: string, forgetAt: number, now: number) =>
    [tenant, 'ledger', SHA256, SHA256, docUid, now, forgetAt, now] as const;
  assert.equal(await run(keep, values('one', 100, 1)), 1);
  assert.equal(await run(keep, values('two', 100, 50)), 0, 'the record is in force');
  assert.equal(await run(keep, values('three', 300, 200)), 1, 'the record has expired');
  const found = await engine.get<{ doc_uid: string; expires_at: number }>(
    'select doc_uid, expires_at from idempotency_record where tenant = $1',
    [tenant],
  );
  assert.deepEqual([found?.doc_uid, Number(found?.expires_at)], ['three', 300]);
  const expire = `with expired as materialized (
      select tenant, software, idempotency_sha256 from submission where forget_at <= $1 order by forget_at limit $2
      /*postgres for update skip locked*/
    )
    delete from submission where (tenant, software, idempotency_sha256) in (
      select tenant, software, idempotency_sha256 from expired)`;
  assert.equal(await run(expire, [400, 10]), 1);
});
