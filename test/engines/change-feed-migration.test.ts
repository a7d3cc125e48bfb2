import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { systemRandom } from '../../src/adapters/platform/platform.ts';
import { systemTimers } from '../../src/adapters/platform/timers.ts';
import type { Engine } from '../../src/adapters/sql/engine.ts';
import { migrate } from '../../src/adapters/sql/migrate.ts';
import { openPostgres } from '../../src/adapters/sql/postgres/open-postgres.ts';
import { openSqlite } from '../../src/adapters/sql/sqlite/open-sqlite.ts';
import { createStorage } from '../../src/adapters/sql/storage.ts';
import { systemPlatform } from '../../src/app/system-platform.ts';
import type { Storage } from '../../src/application/ports/storage/storage.ts';
import type { Edb } from '../../src/domain/accounts/edb.ts';
import { postgresServer } from '../support/postgres.ts';
import { temporaryFolder } from '../support/process.ts';
import { feedMirror } from './feed-mirror.ts';
import { formerTables } from './former-database.ts';
import { addOutboundIn, fileOf, MORNING, newEdb, newInbound, newOutbound, record } from './samples.ts';

const ENGINES: Readonly<Record<string, () => Promise<Engine>>> = {
  SQLite: async () => openSqlite(`${temporaryFolder()}/test.sqlite`, systemTimers),
  PostgreSQL: async () => openPostgres(await (await postgresServer()).createDatabase(), systemPlatform),
};

/** Columns that the statements of today write and those of the version before did not; their migration makes them again. */
const LATER_COLUMNS = ['request_id', 'traceparent'];

const ANSWER = { accepted: true, qrLink: null, registeredAt: null, statusCode: '03', statusName: 'x', message: null };

/** Documents in every status, with a container, warnings and an acknowledgement, as the version before has them. */
async function fill(storage: Storage, engine: Engine, tenant: Edb): Promise<void> {
  await storage.transaction(async (tx) => {
    for (const [index, status] of ([10, 20, 30, 40, 50, 55, 60] as const).entries()) {
      const ujp = status === 40 ? { ujp: { ...ANSWER, euid: `E-${tenant}`, errors: [] } } : {};
      await addOutboundIn(tx, tenant, status, newOutbound(), MORNING - index, ujp);
    }
    const { stored } = await tx.inbound.add(
      tenant,
      newInbound({ authorityStatus: { code: '01', name: null } }),
      MORNING,
    );
    await tx.inbound.acknowledge(tenant, stored.docUid, MORNING + 1);
    await tx.inbound.add(tenant, newInbound(), MORNING);
  });
  const container = fileOf('PK');
  await engine.transaction(async (sql) => {
    await sql.run('insert into content (tenant, sha256, bytes) values ($1, $2, $3)', [
      tenant,
      container.sha256,
      container.bytes,
    ]);
    await sql.run('update outbound set ujp_sha256 = $2 where tenant = $1 and status = 40', [tenant, container.sha256]);
    const warnings = '[{"code":"LINE-LEFT-OUT","text":"x","path":null}]';
    await sql.run(
      `insert into outbound_warning (tenant, doc_uid, warnings) select tenant, id, $2 from outbound where tenant = $1 and status = 55`,
      [tenant, warnings],
    );
  });
}

for (const [name, open] of Object.entries(ENGINES)) {
  test(`documents from before the feed, and what the version before writes meanwhile, are in it once (${name})`, async (t) => {
    const engine = await open();
    t.after(() => engine.close());
    await formerTables(engine, 18);
    for (const column of LATER_COLUMNS)
      await engine.transaction((sql) => engine.script(sql, `alter table outbound add column ${column} text;`));
    const storage = createStorage(engine, systemRandom);
    const [tenant, other] = [newEdb(), newEdb()];
    for (const one of [tenant, other]) await fill(storage, engine, one);
    const feed = new URL('../../src/adapters/sql/migrations/0019-change-feed.sql', import.meta.url);
    await engine.transaction(async (sql) => {
      await engine.script(sql, await readFile(feed, 'utf8'));
      await sql.run("insert into schema_migration (version, name, applied_at) values (19, 'change-feed', 0)", []);
    });
    await engine.afterMigration(19);
    // A process of the version before, while the documents are numbered: its statements name none of the new columns.
    await storage.transaction(async (tx) => {
      const { items } = await tx.outbound.list(
        tenant,
        { created: { from: null, to: null }, statuses: [10, 30], partnerEdb: null },
        { page: 1, pageSize: 10 },
      );
      for (const { docUid, status } of items) {
        const [from, event] = status === 10 ? ([10, 'cancel'] as const) : ([30, 'try-again'] as const);
        assert.ok(await tx.outbound.move(tenant, docUid, from, event, record(MORNING + 2)));
      }
      await tx.outbound.add(tenant, newOutbound(), MORNING + 3);
    });
    for (const column of LATER_COLUMNS)
      await engine.transaction((sql) => engine.script(sql, `alter table outbound drop column ${column};`));
    assert.equal((await migrate(engine, systemTimers, 0))[0]?.version, 20);
    for (const one of [tenant, other]) {
      const mirror = feedMirror(one);
      await mirror.readOn(storage);
      await mirror.assertTrue(storage);
      const numbers = mirror.entries().map(({ number }) => number);
      assert.ok((numbers[0] ?? 1) < 1 && numbers.includes(0));
    }
    await storage.transaction((tx) => tx.outbound.add(other, newOutbound(), MORNING + 4));
    assert.equal((await storage.changes.read(other, 1, 10))[0]?.number, 1, 'the next number follows');
  });
}
