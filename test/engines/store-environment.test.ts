import assert from 'node:assert/strict';
import { hash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { beforeEach, test } from 'node:test';
import { systemRandom } from '../../src/adapters/platform/platform.ts';
import { systemTimers } from '../../src/adapters/platform/timers.ts';
import type { Engine } from '../../src/adapters/sql/engine.ts';
import { openPostgres } from '../../src/adapters/sql/postgres/open-postgres.ts';
import { prepareDatabase } from '../../src/adapters/sql/prepare-database.ts';
import { openSqlite } from '../../src/adapters/sql/sqlite/open-sqlite.ts';
import { createStorage } from '../../src/adapters/sql/storage.ts';
import { claimEnvironment } from '../../src/adapters/sql/store-environment.ts';
import { systemPlatform } from '../../src/app/system-platform.ts';
import { onEveryEngine } from '../support/engines.ts';
import { postgresServer } from '../support/postgres.ts';
import { temporaryFolder } from '../support/process.ts';
import { formerTables } from './former-database.ts';
import { MORNING, newKey, newTenant } from './samples.ts';

const DEMO_SECRET = hash('sha256', 'demo-alfa', 'buffer');

type Environment = 'demo' | 'production';

onEveryEngine('a database', (database) => {
  beforeEach(async () => {
    await database().engine.transaction(async (sql) => {
      for (const table of ['store_environment', 'api_key', 'tenant']) await sql.run(`delete from ${table}`, []);
    });
  });

  const claim = (environment: Environment) => claimEnvironment(database().engine, environment, MORNING);
  const storageOf = (environment: Environment) => createStorage(database().engine, systemRandom, environment);
  const addTenant = (environment: Environment) =>
    storageOf(environment).transaction((tx) => tx.tenants.add(newTenant(), MORNING));

  async function addKey(secret: Uint8Array, createdAt: number): Promise<void> {
    await database().storage.transaction(async (tx) => {
      const tenant = newTenant();
      await tx.tenants.add(tenant, createdAt);
      await tx.keys.add({ ...newKey(tenant.edb), createdAt }, secret);
    });
  }

  for (const [own, other] of [
    ['demo', 'production'],
    ['production', 'demo'],
  ] as const) {
    test(`that has tenants belongs to whoever added them, and the other is refused for good: ${own}`, async () => {
      await claim(own);
      await addTenant(own);
      await claim(own);
      const refusal = new RegExp(`belongs to the environment ${own}, and ENVIRONMENT is ${other}`, 'u');
      await assert.rejects(claim(other), refusal);
      await assert.rejects(claim(other), refusal);
      await claim(own);
    });
  }

  test('without tenants that the demo has claimed, the default, can be claimed by production, but not back', async () => {
    await claim('demo');
    await claim('production');
    await assert.rejects(claim('demo'), /belongs to the environment production/u);
    await claim('production');
  });

  test('gets no tenant of the demo once production has claimed it', async () => {
    await claim('demo');
    await claim('production');
    await assert.rejects(addTenant('demo'), /belongs to the environment production, and ENVIRONMENT is demo/u);
    assert.equal(await addTenant('production'), true);
  });

  test('never has tenants of both, whoever comes when', async () => {
    const [first, second] = [database(), await database().openAgain()];
    for (let round = 0; round < 10; round += 1) {
      await first.engine.transaction(async (sql) => {
        for (const table of ['store_environment', 'tenant']) await sql.run(`delete from ${table}`, []);
      });
      const enter = async ({ engine }: Pick<typeof first, 'engine'>, environment: Environment) => {
        await claimEnvironment(engine, environment, MORNING);
        const tenant = newTenant({ name: environment });
        await createStorage(engine, systemRandom, environment).transaction((tx) => tx.tenants.add(tenant, MORNING));
      };
      const entered = await Promise.allSettled([enter(first, 'demo'), enter(second, 'production')]);
      const done = entered.filter(({ status }) => status === 'fulfilled');
      assert.equal(done.length, 1, `round ${round}`);
      const names = (await first.storage.tenants.list()).map(({ name }) => name);
      assert.deepEqual(names, [entered[0]?.status === 'fulfilled' ? 'demo' : 'production']);
    }
  });

  test('of an older version with tenants of its own belongs to production', async () => {
    await addKey(randomBytes(32), MORNING);
    await assert.rejects(claim('demo'), /belongs to the environment production/u);
    await claim('production');
  });

  test('of an older version that the demo has filled belongs to the demo, whatever was added later', async () => {
    await addKey(DEMO_SECRET, MORNING);
    await addKey(randomBytes(32), MORNING + 1);
    await assert.rejects(claim('production'), /belongs to the environment demo/u);
    await claim('demo');
  });

  test('of production on which an older version of the demo ran by mistake still belongs to production', async () => {
    await addKey(randomBytes(32), MORNING);
    await addKey(DEMO_SECRET, MORNING + 1);
    await assert.rejects(claim('demo'), /belongs to the environment production/u);
    await claim('production');
  });
});

const ENGINES: Readonly<Record<string, () => Promise<Engine>>> = {
  SQLite: async () => openSqlite(join(temporaryFolder(), 'test.sqlite'), systemTimers),
  PostgreSQL: async () => openPostgres(await (await postgresServer()).createDatabase(), systemPlatform),
};

for (const [name, open] of Object.entries(ENGINES)) {
  for (const [owner, other, secret] of [
    ['production', 'demo', randomBytes(32)],
    ['demo', 'production', DEMO_SECRET],
  ] as const) {
    // The second remembers its environment, the first does not.
    for (const version of [6, 7]) {
      test(`a database of version ${version} of ${owner} is refused by ${other} before its tables are changed (${name})`, async (t) => {
        const engine = await open();
        t.after(() => engine.close());
        const versions = async () => {
          const rows = await engine.all<{ version: number }>('select version from schema_migration order by 1', []);
          return rows.map(({ version }) => version);
        };
        await formerTables(engine, version);
        await addFormerKey(engine, secret);
        if (version === 7) await claimEnvironment(engine, owner, MORNING);
        const applied = await versions();
        const refusal = new RegExp(`belongs to the environment ${owner}, and ENVIRONMENT is ${other}`, 'u');
        await assert.rejects(prepareDatabase(engine, systemTimers, other, MORNING), refusal);
        assert.deepEqual(await versions(), applied);
        await assert.rejects(engine.all('select tenant from partner_number', []), 'no new table');

        await prepareDatabase(engine, systemTimers, owner, MORNING);
        assert.ok((await versions()).length > version);
        await assert.rejects(
          claimEnvironment(engine, other, MORNING),
          new RegExp(`belongs to the environment ${owner}`, 'u'),
        );
      });
    }
  }
}

/** As an earlier version added a tenant and its key. */
async function addFormerKey(engine: Engine, secret: Uint8Array): Promise<void> {
  await engine.transaction(async (sql) => {
    const { edb, name } = newTenant();
    await sql.run(
      `insert into tenant (edb, name, environment, outbound_enabled, created_at) values ($1, $2, 'test', 1, $3)`,
      [edb, name, MORNING],
    );
    await sql.run(
      `insert into api_key (tenant, key_id, secret_sha256, software, scopes, allowed_addresses, calls_per_minute, created_at)
       values ($1, 'former', $2, 'ledger', '[]', '[]', 600, $3)`,
      [edb, secret, MORNING],
    );
  });
}
