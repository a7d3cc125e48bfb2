import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { systemHasher, systemRandom } from '../../src/adapters/platform/platform.ts';
import { systemTimers } from '../../src/adapters/platform/timers.ts';
import type { Engine } from '../../src/adapters/sql/engine.ts';
import { migrate } from '../../src/adapters/sql/migrate.ts';
import { openPostgres } from '../../src/adapters/sql/postgres/open-postgres.ts';
import { openSqlite } from '../../src/adapters/sql/sqlite/open-sqlite.ts';
import { createStorage } from '../../src/adapters/sql/storage.ts';
import { systemPlatform } from '../../src/app/system-platform.ts';
import { sealAuditTrail } from '../../src/application/audit/seal-audit-trail.ts';
import { verifyAuditTrail } from '../../src/application/audit/verify-audit-trail.ts';
import { postgresServer } from '../support/postgres.ts';
import { temporaryFolder } from '../support/process.ts';
import { clockAt } from '../support/test-clock.ts';
import { RETENTION } from './audit-trails.ts';
import { FORMER_INSERT, formerDatabase } from './former-database.ts';
import { newAuditEntry, newEdb } from './samples.ts';

const DAY_MS = 86_400_000;
const ENGINES: Readonly<Record<string, () => Promise<Engine>>> = {
  SQLite: async () => openSqlite(join(temporaryFolder(), 'test.sqlite'), systemTimers),
  PostgreSQL: async () => openPostgres(await (await postgresServer()).createDatabase(), systemPlatform),
};

for (const [name, open] of Object.entries(ENGINES)) {
  describe(`a database from before the seals (${name})`, () => {
    test('its entries are sealed as they are found, and verifiable from then on', async (t) => {
      const engine = await open();
      t.after(() => engine.close());
      await formerDatabase(engine, 2_500);
      await migrate(engine, systemTimers, Date.now());
      const storage = createStorage(engine, systemRandom);
      const clock = clockAt(Date.now());
      const { sealDue } = sealAuditTrail({ storage, hasher: systemHasher, clock });
      const check = () =>
        verifyAuditTrail({
          seals: storage.auditSeals,
          hasher: systemHasher,
          clock,
          nextTurn: systemTimers.nextTurn,
          retentionDays: RETENTION,
        })([], () => undefined);
      const run = (text: string, values: readonly string[] = []) => engine.transaction((sql) => sql.run(text, values));
      const found = await check();
      assert.deepEqual([found.isIntact, found.waiting], [true, 2_500]);
      assert.equal(found.adoption?.entries, 2_500, 'how many are taken over is said');
      assert.equal(await sealDue(), 2_500);
      const sealed = await check();
      assert.deepEqual([sealed.isIntact, sealed.entries], [true, 2_500]);

      // A process of the version before goes on for a while.
      await run(FORMER_INSERT, ['', 'rolling', '/z']);
      clock.advance(5_000);
      assert.equal(await sealDue(), 1);

      clock.advance(2 * DAY_MS);
      await storage.transaction((tx) => tx.audit.append([newAuditEntry({ tenant: newEdb() })]));
      await sealDue();
      const later = await check();
      assert.deepEqual([later.isIntact, later.adoption], [true, null]);
      assert.deepEqual(later.late, { entries: 2_502, first: 'id-0' });
      await run(FORMER_INSERT, ['', 'by-hand', '/z']);
      clock.advance(5_000);
      await sealDue();
      const inserted = await check();
      assert.deepEqual([inserted.break?.kind, inserted.break?.entry], ['inserted', 'by-hand']);
      await run("delete from audit where id = 'by-hand'");
      await run("update audit set path = '/other' where id = 'id-7'");
      const changed = await check();
      assert.deepEqual([changed.break?.kind, changed.break?.entry], ['changed', 'id-7']);
    });

    test('in a new database nothing is taken over', async (t) => {
      const engine = await open();
      t.after(() => engine.close());
      await migrate(engine, systemTimers, Date.now());
      const storage = createStorage(engine, systemRandom);
      assert.equal(await storage.auditSeals.adoption(), null);
    });
  });
}
